//! Reads games. Every move is checked by the library's rules.
use super::notation::read_move;
use super::token::{Token, Tokens};
use sanqi::board::Color;
use sanqi::games::{FenError, Game, MoveError, Outcome, Variant};
use thiserror::Error;

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// Neither a `Variant` tag nor a default.
    #[error("no Variant tag")]
    NoVariant,
    /// A `Variant` tag with a game that is not known.
    #[error("unknown variant `{0}`")]
    Variant(String),
    /// A match on two boards, which is BPGN.
    #[error("a match on two boards: `replay from-bpgn` reads it")]
    TwoBoards,
    /// A tag that is not `[Name "value"]`.
    #[error("not a tag: {0}")]
    Tag(String),
    /// The `FEN` tag.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move.
    #[error("ply {ply}: {source}")]
    Move {
        /// Number of the half-move, from 1.
        ply: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// A move after the end of the game.
    #[error("ply {ply}: `{word}` follows the end of the game ({result})")]
    AfterEnd {
        /// Number of the half-move, from 1.
        ply: usize,
        /// The word.
        word: String,
        /// How the game had ended.
        result: String,
    },
    /// A comment or variation that does not end.
    #[error("`{0}` is not closed")]
    Unclosed(char),
    /// No result at the end of the movetext.
    #[error("no result at the end")]
    NoResult,
    /// The result of the movetext is not that of the tag.
    #[error("result {movetext} in the movetext, {tag} in the tag")]
    ResultTag {
        /// In the movetext.
        movetext: String,
        /// In the tag.
        tag: String,
    },
    /// The result is not that of the rules.
    #[error("result {given}, but by the rules {ruled}")]
    Result {
        /// As it is given.
        given: String,
        /// By the rules.
        ruled: String,
    },
}

/// A game.
#[derive(Debug, Clone)]
pub struct PgnGame {
    /// Tags in their order, without escapes.
    pub tags: Vec<(String, String)>,
    /// The game with its moves.
    pub game: Game,
    /// The comment after each move; empty without.
    pub comments: Vec<String>,
    /// The result at the end of the movetext.
    pub result: Outcome,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// Compares the result with the tag and with the rules. A game that ended by its rules must say so; one that did not must not
    /// claim a normal end, unless somebody resigned or both agreed.
    ///
    /// # Errors
    /// The first disagreement.
    pub fn check_result(&self) -> Result<(), PgnError> {
        let given = self.result.to_string();
        if let Some(tag) = self.tag("Result")
            && tag != given
        {
            return Err(PgnError::ResultTag { movetext: given, tag: tag.to_owned() });
        }
        let ruled = self.game.result().outcome;
        let claims_rules = self.tag("Termination") == Some("normal") && !self.may_be_given_up();
        if ruled != self.result && (ruled != Outcome::Ongoing || claims_rules) {
            return Err(PgnError::Result { given, ruled: ruled.to_string() });
        }
        Ok(())
    }

    /// True when the last comment tells of a resignation or an agreement, or nothing: with PGN's standard both are a normal end.
    fn may_be_given_up(&self) -> bool {
        let last = self.comments.last().map_or("", String::as_str);
        last.is_empty() || ["resign", "agree"].iter().any(|word| last.contains(word))
    }
}

fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

/// Reads all games of a text, which may begin with a byte order mark. `variant` is for games without a `Variant` tag. With each game comes
/// the number of its first line, from 1.
pub fn read_games(text: &str, variant: Option<Variant>) -> Vec<(usize, Result<PgnGame, PgnError>)> {
    split(text.strip_prefix('\u{feff}').unwrap_or(text))
        .into_iter()
        .map(|raw| (raw.line, read_game(&raw, variant)))
        .collect()
}

/// A game's text.
#[derive(Debug, Default)]
struct Raw<'a> {
    line: usize,
    tags: Vec<&'a str>,
    movetext: String,
}

/// What a line is to the game that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// An escape line belongs to nobody; an empty one ends no comment.
    Nothing,
    Tag,
    Movetext,
}

/// Finds where games begin: a tag after movetext begins a new one, unless it stands inside a comment. Comments before the first game belong to
/// none.
#[derive(Debug, Default)]
pub struct Splitter {
    in_comment: bool,
    has_movetext: bool,
    has_begun: bool,
}

impl Splitter {
    /// Takes the next line; true when it is the first of a game.
    pub fn begins_game(&mut self, line: &str) -> bool {
        self.take(line).0
    }

    fn take(&mut self, line: &str) -> (bool, LineKind) {
        let trimmed = line.trim();
        if line.starts_with('%') || (trimmed.is_empty() && !self.in_comment) {
            return (false, LineKind::Nothing);
        }
        let is_tag = !self.in_comment && trimmed.starts_with('[');
        if is_tag {
            let begins = !self.has_begun || self.has_movetext;
            (self.has_begun, self.has_movetext) = (true, false);
            return (begins, LineKind::Tag);
        }
        let mut has_moves = false;
        for c in line.chars() {
            match c {
                '{' => self.in_comment = true,
                '}' => self.in_comment = false,
                // The rest of the line is a comment of its own and opens none.
                ';' if !self.in_comment => break,
                c => has_moves |= !self.in_comment && !c.is_whitespace(),
            }
        }
        let begins = has_moves && !self.has_begun;
        self.has_begun |= has_moves;
        self.has_movetext |= has_moves;
        (begins, if self.has_begun { LineKind::Movetext } else { LineKind::Nothing })
    }
}

/// Cuts a text before each of its games but the first; with each part comes the number of its first line, from 1.
pub fn cut_games(text: &str) -> Vec<(usize, &str)> {
    let (mut splitter, mut begins, mut at) = (Splitter::default(), Vec::new(), 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if splitter.begins_game(line.trim_end_matches(['\r', '\n'])) {
            begins.push(if begins.is_empty() { (1, 0) } else { (index + 1, at) });
        }
        at += line.len();
    }
    let ends = begins.iter().skip(1).map(|(_, begin)| *begin).chain([text.len()]);
    begins.iter().zip(ends).map(|(&(line, begin), end)| (line, text.get(begin..end).unwrap_or_default())).collect()
}

/// Splits a text into games.
fn split(text: &str) -> Vec<Raw<'_>> {
    let mut games: Vec<Raw> = Vec::new();
    let mut splitter = Splitter::default();
    for (index, line) in text.lines().enumerate() {
        let (begins, kind) = splitter.take(line);
        if begins {
            games.push(Raw { line: index + 1, ..Raw::default() });
        }
        let Some(game) = games.last_mut() else { continue };
        match kind {
            LineKind::Nothing => {}
            LineKind::Tag => game.tags.push(line.trim()),
            LineKind::Movetext => {
                game.movetext.push_str(line);
                game.movetext.push('\n');
            }
        }
    }
    games
}

fn read_tag(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix('[')?.trim_end().strip_suffix(']')?.split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (mut value, mut chars) = (String::new(), quoted.chars());
    while let Some(c) = chars.next() {
        value.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name.to_owned(), value))
}

fn read_result(word: &str) -> Option<Outcome> {
    match word {
        "1-0" => Some(Outcome::Win(Color::White)),
        "0-1" => Some(Outcome::Win(Color::Black)),
        "1/2-1/2" => Some(Outcome::Draw),
        "*" => Some(Outcome::Ongoing),
        _ => None,
    }
}

fn read_game(raw: &Raw, variant: Option<Variant>) -> Result<PgnGame, PgnError> {
    let tags = raw
        .tags
        .iter()
        .map(|line| read_tag(line).ok_or_else(|| PgnError::Tag((*line).to_owned())))
        .collect::<Result<Vec<_>, _>>()?;
    if find_tag(&tags, "WhiteA").is_some() {
        return Err(PgnError::TwoBoards);
    }
    let variant = match find_tag(&tags, "Variant") {
        Some(name) => name.parse().map_err(|_| PgnError::Variant(name.to_owned()))?,
        None => variant.ok_or(PgnError::NoVariant)?,
    };
    let mut game = match find_tag(&tags, "FEN") {
        Some(fen) => Game::from_fen(variant, fen)?,
        None => Game::new(variant),
    };
    let (mut comments, mut result) = (Vec::<String>::new(), None);
    let mut tokens = Tokens::new(&raw.movetext).peekable();
    while let Some(token) = tokens.next() {
        let word = match token {
            Token::Word(word) => word,
            Token::Comment(text) => {
                if let Some(comment) = comments.last_mut() {
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    *comment = if comment.is_empty() { text } else { format!("{comment} {text}") };
                }
                continue;
            }
            Token::Unclosed(mark) => return Err(PgnError::Unclosed(mark)),
            Token::Rest(_) | Token::Skipped => continue,
        };
        if let Some(outcome) = read_result(word) {
            result = Some(outcome);
            break;
        }
        let word = without_number(word);
        if word.is_empty() {
            continue;
        }
        let ply = game.moves().len() + 1;
        let ended = game.result();
        if ended.outcome != Outcome::Ongoing {
            let result = format!("{}, {}", ended.outcome, ended.reason);
            return Err(PgnError::AfterEnd { ply, word: word.to_owned(), result });
        }
        let mv = match tokens.peek() {
            Some(Token::Rest(rest)) => read_swap(&game, word, rest).map_or_else(|| read_move(&game, word), Ok),
            _ => read_move(&game, word),
        };
        game.push(mv.map_err(|source| PgnError::Move { ply, source })?);
        comments.push(String::new());
    }
    let result = result.ok_or(PgnError::NoResult)?;
    Ok(PgnGame { tags, game, comments, result })
}

/// A king swap in the full form that other programs write, `Kd1; Ve1` (YQ-9). What follows the partner on its line is lost, as the rest of a
/// comment is.
fn read_swap(game: &Game, word: &str, rest: &str) -> Option<sanqi::games::Move> {
    let partner = rest.split_whitespace().next()?;
    let text = format!("{word}; {partner}");
    match game {
        Game::Yangqi(record) => record.position().parse_san(&text).ok(),
        _ => None,
    }
}

/// `12.`, `12...` and `12.e4` without the number. A word of digits alone is a number as well.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.is_empty() {
        return "";
    }
    match after_digits.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::games::RankBase;

    fn one(text: &str, variant: Variant) -> Result<PgnGame, PgnError> {
        let mut games = read_games(text, Some(variant));
        assert_eq!(games.len(), 1);
        games.remove(0).1
    }

    fn moves(game: &PgnGame) -> Vec<String> {
        let mut replay = Game::from_fen(game.game.variant(), &game.game.start_fen()).unwrap();
        let mut texts = Vec::new();
        for &mv in game.game.moves() {
            texts.push(replay.move_text(mv, RankBase::One));
            replay.push(mv);
        }
        texts
    }

    #[test]
    fn comments_variations_numbers() {
        let text = "[Event \"a \\\"b\\\" \\\\\"]\n[Variant \"fangqi\"]\n\n1.d4 {first\n[not a tag]} 1... a1 (1... a2 {)} 2. b2) ; rest 2. c3\n\
             % escaped 7. x9\n2. $5 P@b2 {x} {y} *\n";
        let game = one(text, Variant::Xiangqi).unwrap();
        assert_eq!(moves(&game), ["P@d4", "P@a1", "P@b2"]);
        assert_eq!(game.comments, ["first [not a tag]", "", "x y"]);
        assert_eq!(game.tag("Event"), Some("a \"b\" \\"));
        assert_eq!(game.check_result(), Ok(()));
    }

    #[test]
    fn several_games_and_the_errors_of_one() {
        let text = "[Variant \"fangqi\"]\n\n1. d4 *\n[Variant \"fangqi\"]\n\n1. d4 d4 *\n\n\n[Variant \"yangqi\"]\n\n1. e5 e6 *\n";
        let games = read_games(text, None);
        assert_eq!(
            games.iter().map(|(line, game)| (*line, game.is_ok())).collect::<Vec<_>>(),
            [(1, true), (4, false), (9, true)]
        );
        assert!(matches!(games[1].1, Err(PgnError::Move { ply: 2, .. })));
    }

    #[test]
    fn comments_before_between_and_after_tags_and_games() {
        let game = "[Variant \"fangqi\"]\n{of\n[this]} ; game\n[Event \"e\"]\n\n{before} 1. d4 {after} *\n";
        let text = format!("\u{feff}; my book\n\n{{and\n[more]}}\n{game}\n; of the next\n\n{game}{{last}}\n");
        let games = read_games(&text, None);
        assert_eq!(games.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 14]);
        for (_, game) in games {
            let game = game.unwrap();
            assert_eq!((game.comments.as_slice(), game.tag("Event")), (["after".to_owned()].as_slice(), Some("e")));
        }
    }

    #[test]
    fn a_text_is_cut_into_games() {
        let parts = ["{x}\n[A \"\"]\n\n1. a {\n[B]} *\n", "[C \"\"]\r\n*\r\n\n", "[D \"\"]"];
        let lines = [1, 6, 9];
        assert_eq!(cut_games(&parts.concat()), lines.into_iter().zip(parts).collect::<Vec<_>>());
        assert!(cut_games("{x}\n").is_empty());
    }

    #[test]
    fn king_swaps_in_both_forms() {
        for text in ["1. Kd1; Ve1\nKd10 *", "1. Kd1; Ve1 {lost}\n Kd10;Ve10\n*", "1. Kd1 ; a remark\n1... Kd10 *"] {
            assert_eq!(moves(&one(text, Variant::Yangqi).unwrap()), ["e1d1", "e10d10"], "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| one(text, Variant::Fangqi).map(|_| ()).unwrap_err();
        assert_eq!(error("1. d4"), PgnError::NoResult);
        assert_eq!(error("1. d4 {x *"), PgnError::Unclosed('{'));
        assert_eq!(error("[Variant \"go\"]\n\n*"), PgnError::Variant("go".into()));
        assert_eq!(error("[Variant fangqi]\n\n*"), PgnError::Tag("[Variant fangqi]".into()));
        assert!(matches!(error("[FEN \"x w\"]\n\n*"), PgnError::Fen(_)));
        assert_eq!(read_games("1. d4 *", None).remove(0).1.map(|_| ()), Err(PgnError::NoVariant));
        let over = "[FEN \"7/7/7/7/7/7/p6[P] w - - 0 1\"]\n\n1. d4 a1 *";
        assert!(matches!(error(over), PgnError::AfterEnd { ply: 2, .. }));
    }

    #[test]
    fn results_are_compared() {
        let check = |tags: &str, end: &str| one(&format!("{tags}\n\n{end}\n"), Variant::Fangqi).unwrap().check_result();
        assert!(matches!(check("[Result \"1-0\"]", "1. d4 0-1"), Err(PgnError::ResultTag { .. })));
        assert_eq!(check("[Result \"0-1\"]\n[Termination \"time forfeit\"]", "1. d4 0-1"), Ok(()));
        let normal = |end: &str| check("[Termination \"normal\"]", end);
        assert!(matches!(normal("1. d4 {+0.10/3 0.1s, Black wins by stone count} 0-1"), Err(PgnError::Result { .. })));
        assert!(matches!(
            normal("1. d4 {White resigns} d5 {Draw by stone count} 1/2-1/2"),
            Err(PgnError::Result { .. })
        ));
        for end in ["1. d4 0-1", "1. d4 {+0.10/3 0.1s, White resigns} 0-1", "1. d4 {draw agreed} 1/2-1/2", "0-1"] {
            assert_eq!(normal(end), Ok(()), "{end}");
        }
        assert!(matches!(check("[FEN \"7/7/7/7/7/7/p6[P] w - - 0 1\"]", "1. d4 0-1"), Err(PgnError::Result { .. })));
    }

    #[test]
    fn nothing_is_no_game() {
        assert!(read_games("\n\n", None).is_empty());
        assert!(read_games("\u{feff}", Some(Variant::Fangqi)).is_empty());
        assert!(read_games("; nobody\n{has\nplayed} ; yet\n% ever\n", None).is_empty());
    }
}
