//! `sanqi-adapter pgn check|convert`.
use super::movetext::{Movetext, tag};
use super::notation::MoveNotation;
use super::reader::{PgnGame, read_games};
use crate::replay::values::Moment;
use crate::replay::{ReplayError, bpgn};
use crate::runner::book::fen_to_epd;
use clap::{Args, Subcommand};
use sanqi::games::{Game, Variant};
use std::io::Write as _;
use std::path::PathBuf;

/// What to do with PGN files.
#[derive(Debug, Subcommand)]
pub enum PgnCommand {
    /// Play every game by the rules, and compare results; exit status 1 when anything is wrong.
    Check(Files),
    /// Write the games again, in another notation or as positions; games that cannot be read are left out.
    Convert {
        /// The files.
        #[command(flatten)]
        files: Files,
        /// san, iccs, cannonc, uci, or epd for the final positions.
        #[arg(long, default_value = "san")]
        to: Form,
    },
}

/// Files to read.
#[derive(Debug, Args)]
pub struct Files {
    /// PGN files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game of those without a Variant tag.
    #[arg(long)]
    variant: Option<Variant>,
}

/// What games are converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// PGN in this notation.
    Pgn(MoveNotation),
    /// EPD of the final positions.
    Epd,
}

impl std::str::FromStr for Form {
    type Err = String;
    fn from_str(text: &str) -> Result<Form, String> {
        match text {
            "epd" => Ok(Form::Epd),
            _ => text.parse().map(Form::Pgn).map_err(|_| format!("`{text}` is none of san, iccs, cannonc, uci, epd")),
        }
    }
}

/// Runs the command; gives the exit status.
pub fn run(command: &PgnCommand) -> u8 {
    let (files, form) = match command {
        PgnCommand::Check(files) => (files, None),
        PgnCommand::Convert { files, to } => (files, Some(*to)),
    };
    let mut is_good = true;
    let mut out = std::io::stdout().lock();
    for path in &files.files {
        // Names in another encoding do not matter to the moves, but would be lost in what is written.
        let text = match (std::fs::read(path), form) {
            (Err(error), _) => Err(error.to_string()),
            (Ok(bytes), None) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            (Ok(bytes), Some(_)) => String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                format!("byte {at}: not UTF-8; another program, as `iconv -f GB18030 -t UTF-8`, can make it so")
            }),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                say(&format!("{}: {error}", path.display()));
                is_good = false;
                continue;
            }
        };
        let written = write(&text, form, files.variant);
        let (count, mut faults) = (written.len(), 0);
        for (line, written) in written {
            match written {
                Ok(text) => {
                    if out.write_all(text.as_bytes()).is_err() {
                        return 1;
                    }
                }
                Err(error) => {
                    say(&format!("{}:{line}: {error}", path.display()));
                    faults += 1;
                }
            }
        }
        is_good &= faults == 0;
        if form.is_none() && writeln!(out, "{}: {count} games, {faults} faulty", path.display()).is_err() {
            return 1;
        }
    }
    u8::from(!is_good)
}

/// What becomes of each game, with the number of its first line: nothing when it is only checked.
fn write(text: &str, form: Option<Form>, variant: Option<Variant>) -> Vec<(usize, Result<String, String>)> {
    if form.is_none() && bpgn::is_bpgn(text) {
        let nothing = |(line, replay): (usize, Result<_, ReplayError>)| {
            (line, replay.map(|_| String::new()).map_err(|error| error.to_string()))
        };
        return bpgn::read_all(text, &Moment::now()).into_iter().map(nothing).collect();
    }
    let write = |game: PgnGame| match form {
        None => game.check_result().map(|()| String::new()),
        Some(form) => Ok(convert(&game, form)),
    };
    let games = read_games(text, variant).into_iter();
    games.map(|(line, game)| (line, game.and_then(write).map_err(|error| error.to_string()))).collect()
}

/// A line for the standard error, which may be gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A game in another form, with its tags and comments.
fn convert(game: &PgnGame, form: Form) -> String {
    let notation = match form {
        Form::Epd => return format!("{}\n", fen_to_epd(&game.game.fen())),
        Form::Pgn(notation) => notation,
    };
    let mut text = String::new();
    for (name, value) in &game.tags {
        text.push_str(&tag(name, value));
    }
    text.push('\n');
    let start = game.game.start_fen();
    let variant = game.game.variant();
    let mut board = Game::from_fen(variant, &start).unwrap_or_else(|_| Game::new(variant));
    let mut movetext = Movetext::new(&start);
    for (&mv, comment) in game.game.moves().iter().zip(&game.comments) {
        movetext.mv(board.side(), &notation.write(&board, mv));
        if !comment.is_empty() {
            movetext.comment(comment);
        }
        board.push(mv);
    }
    text + &movetext.finish(&game.result.to_string()) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str, to: &str) -> String {
        let (_, game) = read_games(text, None).remove(0);
        convert(&game.unwrap(), to.parse().unwrap())
    }

    #[test]
    fn conversions() {
        let text = "[Variant \"xiangqi\"]\n[Event \"a \\\"b\\\"\"]\n\n1. C2=5 H8+7 {good} 2. h1g3 *\n";
        let head = "[Variant \"xiangqi\"]\n[Event \"a \\\"b\\\"\"]\n\n";
        assert_eq!(converted(text, "san"), format!("{head}1. C2=5 H8+7 {{good}} 2. H2+3 *\n\n"));
        assert_eq!(converted(text, "uci"), format!("{head}1. h3e3 h10g8 {{good}} 2. h1g3 *\n\n"));
        assert_eq!(converted(text, "iccs"), format!("{head}1. H2-E2 H9-G7 {{good}} 2. H0-G2 *\n\n"));
        assert!(converted(text, "epd").ends_with(" b - - hmvc 3; fmvn 2;\n"), "{}", converted(text, "epd"));
        assert!("x".parse::<Form>().unwrap_err().ends_with("uci, epd"));
    }
}
