//! The words of the command language: names, abbreviations, help.

/// A command: its name, its arguments, how many words it takes, what it does.
struct Entry {
    name: &'static str,
    arguments: &'static str,
    most: usize,
    help: &'static str,
}

const fn entry(name: &'static str, arguments: &'static str, most: usize, help: &'static str) -> Entry {
    Entry { name, arguments, most, help }
}

/// As many words as there are: text, what the command itself looks through, or what clients send for other servers.
const ANY: usize = usize::MAX;

/// All commands, in alphabetical order.
const COMMANDS: &[Entry] = &[
    entry("abort", "", 0, "break the match off for good; the other persons have to say it too"),
    entry("accept", "[NAME]", 1, "accept what you were offered"),
    entry("adjourn", "", 0, "break the match off and go on later; the other persons have to say it too"),
    entry("alias", "…", ANY, "taken without effect"),
    entry("date", "", 0, "the server's time"),
    entry("decline", "[NAME]", 1, "decline what you were offered"),
    entry("draw", "[MOVE]", 1, "offer a draw of your board, with a move or without, or accept one"),
    entry("fen", "[GAME|NAME]", 1, "the position as FEN, of both boards if there are two"),
    entry("flag", "", 0, "flags fall by themselves here"),
    entry("follow", "[NAME]", 1, "watch the games of somebody as they begin; alone: no longer"),
    entry("games", "", 0, "games in progress"),
    entry("help", "[COMMAND]", 1, "commands, or one of them"),
    entry(
        "iset",
        "ms|startpos|seekremove 0|1",
        ANY,
        "times in milliseconds; the first position with lists of moves; seeks that are over",
    ),
    entry("kibitz", "TEXT", ANY, "say something to all at the board you play or watch"),
    entry(
        "match",
        "NAME [MINUTES INCREMENT] [GAME] [white|black]",
        ANY,
        "challenge somebody, or `engine`; without a game it is fangqi",
    ),
    entry("moves", "[GAME|NAME]", 1, "the moves of a game"),
    entry("observe", "GAME|NAME", 1, "watch a game"),
    entry("partner", "[NAME]", 1, "become partners for supply2; alone: part"),
    entry("pending", "", 0, "offers from you and to you"),
    entry("pfollow", "[NAME]", 1, "the same with the board of his partner in supply2"),
    entry("play", "NUMBER|NAME", 1, "answer a seek"),
    entry("pobserve", "[GAME|NAME]", 1, "watch the board of your partner, or the other board of a game"),
    entry("ptell", "TEXT", ANY, "say something to your partner; an engine understands need R, avoid C, go, sit"),
    entry("quit", "", 0, "leave; your game is adjourned"),
    entry("refresh", "[GAME|NAME]", 1, "show the board again"),
    entry("rematch", "", 0, "challenge the last opponent to the same game, colours changed"),
    entry("resign", "", 0, "give your board up"),
    entry("resume", "[NUMBER]", 1, "go on with a stored match; it begins when all persons in it have said so"),
    entry("say", "TEXT", ANY, "say something to your opponent"),
    entry("seek", "[MINUTES INCREMENT] [GAME] [white|black]", ANY, "look for an opponent; without a game it is fangqi"),
    entry("set", "open|seek 0|1", ANY, "take challenges; be told of seeks"),
    entry("shout", "TEXT", ANY, "say something to everybody"),
    entry("sought", "[all]", 1, "who looks for an opponent"),
    entry("stored", "", 0, "your unfinished matches"),
    entry("style", "12", 1, "taken without effect: boards always have style 12"),
    entry("takeback", "[HALFMOVES]", 1, "take moves back; your opponent has to agree"),
    entry("tell", "NAME TEXT", ANY, "say something to somebody"),
    entry("unobserve", "[GAME|NAME]", 1, "watch a game, or all, no more"),
    entry("unseek", "[NUMBER]", 1, "look for opponents no more"),
    entry("variants", "", 0, "the games, and how moves are written"),
    entry("whisper", "TEXT", ANY, "say something to those who watch"),
    entry("who", "", 0, "who is here"),
    entry("withdraw", "", 0, "take your offers back"),
];

/// Short forms, and other names of the same.
const ALIASES: &[(&str, &str)] = &[
    ("t", "tell"),
    // What XBoard's chat boxes send.
    ("xtell", "tell"),
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

/// What is wrong with the words after a command, when they are more than it takes. It would pass over them in silence.
pub(super) fn excess(name: &str, rest: &str) -> Option<String> {
    let most = COMMANDS.iter().find(|entry| entry.name == name).map_or(ANY, |entry| entry.most);
    let word = rest.split_whitespace().nth(most)?;
    Some(match most {
        0 => format!("{word}: `{name}` stands alone."),
        _ => format!("{word}: `{name}` takes one word."),
    })
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

/// Whether a word is a move: it begins with a point, or with a letter and `@`.
pub(super) fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_file = |b: &u8| matches!(b.to_ascii_lowercase(), b'a'..=b'i');
    match bytes {
        [letter, b'@', ..] => letter.is_ascii_alphabetic(),
        [file, rank, ..] => is_file(file) && rank.is_ascii_digit(),
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

    /// What `help` shows is what is taken; none takes two words, which [`excess`] has no answer for.
    #[test]
    fn words_are_as_many_as_help_shows() {
        for entry in COMMANDS.iter().filter(|entry| entry.most != ANY) {
            assert_eq!(entry.arguments.split_whitespace().count(), entry.most, "{}", entry.name);
            assert!(entry.most < 2, "{}", entry.name);
            assert!(excess(entry.name, ["", "one"][entry.most]).is_none());
        }
        assert_eq!(excess("resign", "nonsense now").as_deref(), Some("nonsense: `resign` stands alone."));
        assert_eq!(excess("observe", "1 2").as_deref(), Some("2: `observe` takes one word."));
        for (name, rest) in
            [("tell", "bob a b c"), ("set", "interface xboard 4.9.1"), ("alias", "$ @ x"), ("match", "a 5 0")]
        {
            assert_eq!(excess(name, rest), None);
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
        for text in ["draw", "abort", "e", "", "@", "j3j4", "help"] {
            assert!(!is_move(text), "{text}");
        }
    }
}
