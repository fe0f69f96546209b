//! `sanqi-adapter pgn check|convert`.
use super::movetext::{Movetext, tag};
use super::notation::MoveNotation;
use super::reader::{PgnGame, read_games};
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
    /// FENs of the final positions.
    Epd,
}

impl std::str::FromStr for Form {
    type Err = super::notation::UnknownNotation;
    fn from_str(text: &str) -> Result<Form, Self::Err> {
        if text == "epd" { Ok(Form::Epd) } else { text.parse().map(Form::Pgn) }
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
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                say(&format!("{}: {error}", path.display()));
                is_good = false;
                continue;
            }
        };
        let games = read_games(text.strip_prefix('\u{feff}').unwrap_or(&text), files.variant);
        let (count, mut faults) = (games.len(), 0);
        for (line, game) in games {
            let written = match (form, game) {
                (None, Ok(game)) => game.check_result().map(|()| String::new()),
                (Some(form), Ok(game)) => Ok(convert(&game, form)),
                (_, Err(error)) => Err(error),
            };
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

/// A line for the standard error, which may be gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A game in another form, with its tags and comments.
fn convert(game: &PgnGame, form: Form) -> String {
    let notation = match form {
        Form::Epd => return format!("{}\n", game.game.fen()),
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
        assert!(converted(text, "epd").ends_with(" b - - 3 2\n"), "{}", converted(text, "epd"));
    }
}
