//! Two boards: what the front knows of the partner and of the board that it does not see.
use sanqi::games::xiangqi::piece::PieceType;

/// The partner of a two-board match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Partner {
    /// It has introduced itself as a program, so it is told of the clocks.
    pub(super) is_program: bool,
    /// Its clock and its opponent's, in centiseconds, as it told them.
    pub(super) time: Option<u64>,
    /// The clock of its opponent.
    pub(super) otim: Option<u64>,
}

/// What is said to a partner who has just been found.
pub(super) const GREETING: &str = "partner Sanqi is an engine. Ask it 'help' for what it understands.";
/// What is said to a partner who asks for help.
pub(super) const HELP: &str =
    "I understand: need R, avoid R (any of R N B A C P), go, sit, fast, dead, move, time N, otim N.";

/// What the partner has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// For the engine, in its own words.
    Team(String),
    /// Move at once.
    Move,
    /// Its clock in centiseconds.
    Time(u64),
    /// Its opponent's.
    Otim(u64),
    /// It is a program.
    Program,
    /// It does not know what to say.
    Help,
    /// Nothing that is understood.
    Other,
}

impl Told {
    /// Reads what follows `ptell`, which a person may have typed.
    pub(super) fn parse(text: &str) -> Told {
        let text = text.to_ascii_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
        match *words.as_slice() {
            ["need" | "want", what] | [what, "please" | "pls" | "plz"] => about("need", what),
            ["avoid" | "no" | "hold", what] => about("avoid", what),
            ["go" | "fast" | "hurry" | "dead"] => Told::Team("team go".to_owned()),
            ["sit" | "wait"] => Told::Team("team sit".to_owned()),
            ["move", ..] => Told::Move,
            ["time", n] => n.parse().map_or(Told::Other, Told::Time),
            ["otim", n] => n.parse().map_or(Told::Other, Told::Otim),
            ["partner", ..] => Told::Program,
            ["help", ..] => Told::Help,
            _ => Told::Other,
        }
    }
}

fn about(wish: &str, what: &str) -> Told {
    let letter = match what {
        "chariot" | "chariots" | "rook" | "rooks" => "r",
        "horse" | "horses" | "knight" | "knights" => "n",
        "elephant" | "elephants" | "bishop" | "bishops" => "b",
        "advisor" | "advisors" | "guard" | "guards" => "a",
        "cannon" | "cannons" => "c",
        "soldier" | "soldiers" | "pawn" | "pawns" => "p",
        letter => letter,
    };
    let kind = letter.chars().next().filter(|_| letter.len() == 1).and_then(PieceType::from_letter);
    match kind {
        Some(kind) if kind != PieceType::General => Told::Team(format!("team {wish} {}", kind.letter())),
        _ => Told::Other,
    }
}

/// What a `holding` line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holding {
    /// All that is in hand, White's in capitals.
    pub(super) all: String,
    /// The piece that has just arrived, White's as a capital.
    pub(super) arrived: Option<char>,
}

impl Holding {
    /// Reads `[WHITE] [BLACK] <COLOUR><PIECE>`, letters of any case, the last part often empty.
    pub(super) fn parse(text: &str) -> Option<Holding> {
        let (white, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
        let (black, rest) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
        let all = white.to_ascii_uppercase() + &black.to_ascii_lowercase();
        let mut news = rest.trim().chars();
        let arrived = match (news.next(), news.next()) {
            (Some('W' | 'w'), Some(piece)) => Some(piece.to_ascii_uppercase()),
            (Some('B' | 'b'), Some(piece)) => Some(piece.to_ascii_lowercase()),
            _ => None,
        };
        let fits = all.chars().all(|c| c.is_ascii_alphabetic()) && arrived.is_none_or(|c| c.is_ascii_alphabetic());
        fits.then_some(Holding { all, arrived })
    }

    /// The FEN with a piece more in hand. A piece that arrives says so itself: the rest of the line may be older than the last drop.
    pub(super) fn arrival(&self, fen: &str) -> Option<String> {
        let piece = self.arrived?;
        let (board, rest) = fen.split_once(']')?;
        Some(format!("{board}{piece}]{rest}"))
    }

    /// The FEN with what the line says in hand.
    pub(super) fn replaced(&self, fen: &str) -> Option<String> {
        let (board, rest) = fen.split_once('[')?;
        let (_, rest) = rest.split_once(']')?;
        Some(format!("{board}[{}]{rest}", self.all))
    }
}

/// The other board as far as it is known: there must be what is missing here from two sets of each colour. It is taken to stand where a
/// game begins, and what finds no place there to be in hand.
pub(super) fn other_board(fen: &str) -> String {
    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let here = fen.split_whitespace().next().unwrap_or_default();
    let missing = |letter: char| {
        let owned = here.chars().filter(|&c| c == letter).count();
        let set = START.chars().filter(|&c| c == letter).count();
        (2 * set).saturating_sub(owned)
    };
    let letters: Vec<char> = "RNBACPrnbacp".chars().collect();
    let mut left: Vec<usize> = letters.iter().map(|&letter| missing(letter)).collect();
    let mut board = String::new();
    for square in START.chars() {
        let index = letters.iter().position(|&letter| letter == square);
        match index.and_then(|index| left.get_mut(index)) {
            Some(0) => board.push('1'),
            Some(count) => {
                *count -= 1;
                board.push(square);
            }
            None => board.push(square),
        }
    }
    let hand: String =
        letters.iter().zip(left).flat_map(|(&letter, count)| std::iter::repeat_n(letter, count)).collect();
    format!("{board}[{hand}] w - - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::games::supply::team::TeamGame;
    use sanqi::games::{Game, Variant};

    #[test]
    fn what_partners_say() {
        let team = |text: &str| Told::Team(text.to_owned());
        for (said, meant) in [
            ("need R", team("team need R")),
            ("horse please!", team("team need N")),
            ("no cannons", team("team avoid C")),
            ("avoid h", team("team avoid N")),
            ("go", team("team go")),
            ("sit", team("team sit")),
            ("move e2e4", Told::Move),
            ("time 1234", Told::Time(1234)),
            ("otim x", Told::Other),
            ("partner Fairy-Stockfish is an engine. Ask it 'help' for supported commands.", Told::Program),
            ("help", Told::Help),
            ("need K", Told::Other),
            ("hello there", Told::Other),
            ("", Told::Other),
        ] {
            assert_eq!(Told::parse(said), meant, "{said}");
        }
    }

    #[test]
    fn holdings() {
        let fen = "4k4/9/9/9/9/9/9/9/9/4K4[r] w - - 3 9";
        let line = Holding::parse("[RP] [N] WP").unwrap();
        assert_eq!(line.arrival(fen).as_deref(), Some("4k4/9/9/9/9/9/9/9/9/4K4[rP] w - - 3 9"));
        assert_eq!(line.replaced(fen).as_deref(), Some("4k4/9/9/9/9/9/9/9/9/4K4[RPn] w - - 3 9"));
        let line = Holding::parse("[] [] ").unwrap();
        assert_eq!((line.arrival(fen), line.replaced(fen).unwrap().contains("[]")), (None, true));
        assert_eq!(Holding::parse("[C] [] BC").unwrap().arrived, Some('c'));
        for wrong in ["", "[R", "R N", "[R] N", "[R-] []"] {
            assert_eq!(Holding::parse(wrong), None, "{wrong}");
        }
    }

    /// Both boards together always make two sets, whatever has crossed over.
    #[test]
    fn the_other_board_completes_two_sets() {
        for fen in [
            Game::new(Variant::Supply).fen(),
            "rnbakabCr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR[RRnc] b - - 0 1".to_owned(),
            "4k4/9/9/9/9/9/9/9/9/3K5[] w - - 0 1".to_owned(),
        ] {
            let game = TeamGame::from_fen(&format!("{fen} | {}", other_board(&fen))).unwrap();
            assert_eq!(game.pieces(), 64, "{fen}");
        }
    }
}
