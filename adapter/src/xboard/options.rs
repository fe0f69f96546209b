//! The command line of `sanqi-adapter xboard`.
use crate::engine::Launch;
use sanqi::games::Variant;
use std::path::PathBuf;

/// Whose habits are followed where the protocol leaves them open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DialectChoice {
    /// ChessV's after `rejected colors`, which XBoard accepts; XBoard's otherwise.
    #[default]
    Auto,
    /// XBoard, WinBoard and programs like them.
    Xboard,
    /// ChessV: the vao is `a`, and a king may change places while it is in check.
    Chessv,
}

/// Options of the CECP front.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct XboardOptions {
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub engine_arg: Vec<String>,
    /// The variant to begin with, named first to the GUI: yangqi, fangqi, supply or xiangqi [default: yangqi].
    #[arg(long, value_name = "VARIANT", value_parser = offered)]
    pub variant: Option<Variant>,
    /// An option of the engine; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub option: Vec<(String, String)>,
    /// Whose habits to follow.
    #[arg(long, value_name = "DIALECT", value_enum, default_value_t)]
    pub dialect: DialectChoice,
}

/// The variants that the front offers, in the order in which it names them.
pub(super) const OFFERED: [Variant; 4] = [Variant::Yangqi, Variant::Fangqi, Variant::Supply, Variant::Xiangqi];

fn offered(text: &str) -> Result<Variant, String> {
    let known = OFFERED.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(text));
    known.ok_or_else(|| "known are yangqi, fangqi, supply, xiangqi".to_owned())
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

impl XboardOptions {
    /// How the engine is started.
    pub(super) fn launch(&self) -> Launch {
        Launch::of_engine(self.engine.as_deref(), &self.engine_arg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(offered("Fangqi"), Ok(Variant::Fangqi));
        assert!(offered("yangqinoswap").is_err() && offered("chess").is_err());
        assert_eq!(assignment("Move Overhead=20"), Ok(("Move Overhead".into(), "20".into())));
        assert_eq!(assignment("Debug Log File="), Ok(("Debug Log File".into(), String::new())));
        assert!(assignment("Hash").is_err() && assignment("=3").is_err());
    }
}
