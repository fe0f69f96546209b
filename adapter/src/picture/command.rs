//! `sanqi-adapter show`.
use super::view::{Arrow, BoardView};
use super::{png, svg, text};
use crate::engine::Board;
use crate::replay::{one_line, read_text};
use crate::whole_file::write_atomically;
use clap::Args;
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::{Game, Position, RankBase, Variant};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A board picture: text, unless another form is asked for.
#[derive(Debug, Args)]
pub struct ShowOptions {
    /// A FEN, two with `|` between them for supply2, `startpos`, or `-` for one on the standard input.
    #[arg(allow_hyphen_values = true)]
    fen: String,
    /// xiangqi, supply, supply2, yangqi or fangqi; without it the first of xiangqi, supply, yangqi, fangqi, supply2 that the FEN suits.
    #[arg(long)]
    variant: Option<Board>,
    /// Moves that are played first, as engines write them; in supply2 with the number of their board in front.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Moves that are drawn as arrows, drops and placements as rings.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    arrows: Vec<String>,
    /// Fangqi: show what this placement would capture.
    #[arg(long, value_name = "MOVE")]
    preview: Option<String>,
    /// Black at the bottom. In supply2 board 1 with it, board 2 without.
    #[arg(long)]
    flip: bool,
    /// SVG (the default for a file whose name ends in .svg).
    #[arg(long, group = "form")]
    svg: bool,
    /// PNG (the default for a file whose name ends in .png).
    #[arg(long, group = "form")]
    png: bool,
    /// Text (otherwise the default).
    #[arg(long, group = "form")]
    text: bool,
    /// Pixels to a square.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(8..=300))]
    size: u32,
    /// Where to write it; without it to the standard output.
    #[arg(long, short)]
    output: Option<PathBuf>,
}

impl ShowOptions {
    /// Writes the picture. What is wrong goes to the standard error as one line.
    pub fn run(&self) -> ExitCode {
        match self
            .picture()
            .and_then(|picture| deliver(&picture, self.output.as_deref(), self.is_form(self.png, "png")))
        {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // Nothing can be done about a standard error that is gone.
                let _ = writeln!(std::io::stderr(), "{}", one_line(&error));
                ExitCode::FAILURE
            }
        }
    }

    /// Whether a form is asked for: by its option, or without any by the ending of the file's name.
    fn is_form(&self, is_given: bool, ending: &str) -> bool {
        let ends = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        is_given || (!self.svg && !self.png && !self.text && self.output.as_ref().is_some_and(ends))
    }

    fn picture(&self) -> Result<Vec<u8>, String> {
        let fen = match self.fen.as_str() {
            "-" => read_text(Path::new("-")).map_err(|error| format!("standard input: {error}"))?,
            text => text.to_owned(),
        };
        let fen = fen.trim();
        if fen.lines().count() > 1 {
            return Err("more than one line on the standard input".to_owned());
        }
        let mut boards = match open(fen, self.variant)? {
            Opened::One(game) => self.one_board(game)?,
            Opened::Two(game) => self.two_boards(game)?,
        };
        if self.flip {
            boards.iter_mut().for_each(|board| board.is_flipped = !board.is_flipped);
        }
        let (is_svg, is_png) = (self.is_form(self.svg, "svg"), self.is_form(self.png, "png"));
        if !is_svg && !is_png {
            return Ok(text::text(&boards).into_bytes());
        }
        let document = svg::document(&boards, self.size, fen);
        if is_svg { Ok(document.into_bytes()) } else { png::png(&document).map_err(|error| error.to_string()) }
    }

    fn one_board(&self, mut game: Game) -> Result<Vec<BoardView>, String> {
        for word in &self.moves {
            game.push_text(word, RankBase::One).map_err(|error| format!("--moves: {error}"))?;
        }
        let mut view = BoardView::of_game(&game);
        for word in &self.arrows {
            view.arrows.push(arrow(word, word, &view)?);
        }
        if let Some(placement) = &self.preview
            && !view.preview(&game, placement)
        {
            return Err(format!("--preview: `{placement}` is not a legal placement of fangqi"));
        }
        Ok(vec![view])
    }

    fn two_boards(&self, mut game: TeamGame) -> Result<Vec<BoardView>, String> {
        if self.preview.is_some() {
            return Err("--preview is for fangqi".to_owned());
        }
        let mut last: [Option<String>; 2] = [None, None];
        for word in &self.moves {
            let mv = game.parse_move(word, RankBase::One).map_err(|error| format!("--moves: {error}"))?;
            if let Some(slot) = last.get_mut(mv.board.index()) {
                *slot = Some(game.position(mv.board).move_text(mv.mv, RankBase::One));
            }
            game.push(mv).map_err(|error| format!("--moves: {error}"))?;
        }
        let mut views = BoardView::of_team(&game, &last);
        for word in &self.arrows {
            let numbered = word.split_at_checked(1);
            let board = numbered.and_then(|(number, rest)| Some((BoardId::from_number(number)?, rest)));
            let (board, rest) = board.ok_or_else(|| format!("--arrows: `{word}` does not begin with 1 or 2"))?;
            if let Some(view) = views.get_mut(board.index()) {
                view.arrows.push(arrow(word, rest, view)?);
            }
        }
        Ok(views.into())
    }
}

fn arrow(word: &str, text: &str, view: &BoardView) -> Result<Arrow, String> {
    Arrow::parse(text, view.size).ok_or_else(|| format!("--arrows: `{word}` is not a move on this board"))
}

enum Opened {
    One(Game),
    Two(TeamGame),
}

fn open(fen: &str, variant: Option<Board>) -> Result<Opened, String> {
    let is_start = fen == "startpos";
    let read = |variant| match variant {
        Board::One(variant) if is_start => Ok(Opened::One(Game::new(variant))),
        Board::Two if is_start => Ok(Opened::Two(TeamGame::new())),
        Board::One(variant) => {
            Game::from_fen(variant, fen).map(Opened::One).map_err(|error| format!("{variant}: {error}"))
        }
        Board::Two => TeamGame::from_fen(fen).map(Opened::Two).map_err(|error| format!("supply2: {error}")),
    };
    if let Some(variant) = variant {
        return read(variant);
    }
    let one = [Variant::Xiangqi, Variant::Supply, Variant::Yangqi, Variant::Fangqi].map(Board::One);
    let mut candidates = one.into_iter().chain([Board::Two]);
    if let Some(opened) = candidates.find_map(|variant| read(variant).ok()) {
        return Ok(opened);
    }
    // The shape tells which game's complaint helps.
    let likely = match fen.split_whitespace().next().unwrap_or_default() {
        _ if fen.contains('|') => Board::Two,
        board if board.split('/').count() == 7 => Board::One(Variant::Fangqi),
        board if board.contains('[') => Board::One(Variant::Supply),
        board if board.contains(['v', 'V']) => Board::One(Variant::Yangqi),
        _ => Board::One(Variant::Xiangqi),
    };
    read(likely)
}

fn deliver(picture: &[u8], output: Option<&Path>, is_binary: bool) -> Result<(), String> {
    match output {
        Some(path) => write_atomically(path, picture).map_err(|error| format!("{}: {error}", path.display())),
        None if is_binary && std::io::stdout().is_terminal() => {
            Err("a PNG is nothing for a terminal; name a file with --output".to_owned())
        }
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(picture).and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
        }
    }
}
