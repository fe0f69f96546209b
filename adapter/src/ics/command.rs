//! The words of the command language: names, abbreviations, help.

/// A command: its name, its arguments, what it does.
struct Entry {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
}

const fn entry(name: &'static str, arguments: &'static str, help: &'static str) -> Entry {
    Entry { name, arguments, help }
}

/// All commands, in alphabetical order.
const COMMANDS: &[Entry] = &[
    entry("abort", "", "break the match off for good; the other persons have to say it too"),
    entry("accept", "[NAME]", "accept what you were offered"),
    entry("adjourn", "", "break the match off and go on later; the other persons have to say it too"),
    entry("alias", "…", "taken without effect"),
    entry("date", "", "the server's time"),
    entry("decline", "[NAME]", "decline what you were offered"),
    entry("draw", "", "offer a draw of your board, or accept one"),
    entry("fen", "[GAME]", "the position as FEN, of both boards if there are two"),
    entry("flag", "", "flags fall by themselves here"),
    entry("follow", "[NAME]", "watch the games of somebody as they begin; alone: no longer"),
    entry("games", "", "games in progress"),
    entry("help", "[COMMAND]", "commands, or one of them"),
    entry(
        "iset",
        "ms|startpos|seekremove 0|1",
        "times in milliseconds; the first position with lists of moves; seeks that are over",
    ),
    entry("kibitz", "TEXT", "say something to all at the board you play or watch"),
    entry("match", "NAME [MINUTES INCREMENT] [GAME] [white|black]", "challenge somebody, or `engine`"),
    entry("moves", "[GAME]", "the moves of a game"),
    entry("observe", "GAME|NAME", "watch a game"),
    entry("partner", "[NAME]", "become partners for supply2; alone: part"),
    entry("pending", "", "offers from you and to you"),
    entry("pfollow", "[NAME]", "the same with the board of his partner in supply2"),
    entry("play", "NUMBER|NAME", "answer a seek"),
    entry("pobserve", "", "watch the board of your partner"),
    entry("ptell", "TEXT", "say something to your partner; an engine understands need R, avoid C, go, sit"),
    entry("quit", "", "leave; your game is adjourned"),
    entry("refresh", "[GAME]", "show the board again"),
    entry("rematch", "", "challenge the last opponent to the same game, colours changed"),
    entry("resign", "", "give your board up"),
    entry("resume", "[NUMBER]", "go on with a stored match; it begins when all persons in it have said so"),
    entry("say", "TEXT", "say something to your opponent"),
    entry("seek", "[MINUTES INCREMENT] [GAME] [white|black]", "look for an opponent"),
    entry("set", "open|seek 0|1", "take challenges; be told of seeks"),
    entry("shout", "TEXT", "say something to everybody"),
    entry("sought", "", "who looks for an opponent"),
    entry("stored", "", "your unfinished matches"),
    entry("style", "12", "taken without effect: boards always have style 12"),
    entry("takeback", "[HALFMOVES]", "take moves back; your opponent has to agree"),
    entry("tell", "NAME TEXT", "say something to somebody"),
    entry("unobserve", "[GAME]", "watch a game, or all, no more"),
    entry("unseek", "[NUMBER]", "look for opponents no more"),
    entry("variants", "", "the games, and how moves are written"),
    entry("whisper", "TEXT", "say something to those who watch"),
    entry("who", "", "who is here"),
    entry("withdraw", "", "take your offers back"),
];

/// Short forms, and other names of the same.
const ALIASES: &[(&str, &str)] = &[
    ("t", "tell"),
    ("m", "match"),
    ("k", "kibitz"),
    ("p", "partner"),
    ("pt", "ptell"),
    ("d", "draw"),
    ("w", "who"),
    ("s", "say"),
    ("+", "partner"),
    ("?", "help"),
    ("bye", "quit"),
    ("exit", "quit"),
    ("logout", "quit"),
    ("commands", "help"),
    ("sold", "stored"),
    ("time", "date"),
    ("uptime", "date"),
];

/// What a word means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The command of this name.
    Command(&'static str),
    /// The beginning of several.
    Ambiguous(String),
    /// Nothing.
    Unknown,
}

/// Finds a command by its name, another name of it, or its beginning.
pub(super) fn find(word: &str) -> Lookup {
    let word = word.to_ascii_lowercase();
    if let Some(&(_, name)) = ALIASES.iter().find(|(alias, _)| *alias == word) {
        return Lookup::Command(name);
    }
    if let Some(entry) = COMMANDS.iter().find(|entry| entry.name == word) {
        return Lookup::Command(entry.name);
    }
    let found: Vec<&'static str> =
        COMMANDS.iter().map(|entry| entry.name).filter(|name| name.starts_with(&word)).collect();
    match found.as_slice() {
        [] => Lookup::Unknown,
        [name] => Lookup::Command(name),
        names => Lookup::Ambiguous(names.join(", ")),
    }
}

/// What `help` answers.
pub(super) fn help(topic: &str) -> String {
    if topic.is_empty() {
        let names: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
        let rows: Vec<String> =
            names.chunks(8).map(|row| row.iter().map(|name| format!("{name:<10}")).collect::<String>()).collect();
        let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        return format!(
            "Commands; beginnings that are clear will do. A move is typed as it is: e2e4, P@d4, a8a9=R.\n{}\n`help COMMAND` tells more.",
            rows.join("\n")
        );
    }
    match find(topic) {
        Lookup::Command(name) => COMMANDS
            .iter()
            .find(|entry| entry.name == name)
            .map_or_else(String::new, |e| format!("{} {}: {}", e.name, e.arguments, e.help).replace(" :", ":")),
        Lookup::Ambiguous(names) => format!("There are {names}."),
        Lookup::Unknown => format!("There is no command {topic}."),
    }
}

/// Whether a line is a move: it begins with a point, or with a letter and `@`.
pub(super) fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_file = |b: &u8| matches!(b.to_ascii_lowercase(), b'a'..=b'i');
    match bytes {
        [letter, b'@', ..] => letter.is_ascii_alphabetic(),
        [file, rank, ..] => is_file(file) && rank.is_ascii_digit() && !text.contains(' '),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_every_one_has_help() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for entry in COMMANDS {
            assert_eq!(find(entry.name), Lookup::Command(entry.name));
            assert!(help(entry.name).starts_with(entry.name));
        }
        for (_, name) in ALIASES {
            assert_eq!(find(name), Lookup::Command(name));
        }
    }

    #[test]
    fn abbreviations() {
        assert_eq!(find("obs"), Lookup::Command("observe"));
        assert_eq!(find("OBS"), Lookup::Command("observe"));
        assert_eq!(find("mo"), Lookup::Command("moves"));
        assert_eq!(find("ma"), Lookup::Command("match"));
        assert_eq!(find("res"), Lookup::Ambiguous("resign, resume".to_owned()));
        assert_eq!(find("xyz"), Lookup::Unknown);
        assert_eq!(find("exit"), Lookup::Command("quit"));
    }

    #[test]
    fn moves() {
        for text in ["e2e4", "P@d4", "d4", "a8a9=R", "p@d4", "i9i8"] {
            assert!(is_move(text), "{text}");
        }
        for text in ["draw", "abort", "e", "", "@", "d4 d5", "j3j4", "help"] {
            assert!(!is_move(text), "{text}");
        }
    }
}
