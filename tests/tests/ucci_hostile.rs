//! UCCI commands that are nearly right: whatever is wrong with them, the engine lives, answers `isready` and answers every `go`.
use sanqi_tests::random::Random;
use sanqi_tests::session::Session;

/// As clients send them, short ones and broken ones among them.
const POSITIONS: &[&str] = &[
    "",
    "startpos",
    "startpos startpos",
    "fen",
    "fen startpos",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w -- 0 1",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b 0 1",
    "fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
    "fen R2k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1",
    "fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 119 1",
    "fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 99999999999 -7",
    "fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1",
    "fen 3kk4/9/9/9/9/9/9/9/9/4KK3 w - - 0 1",
    "fen RRRRRRRRR/RRRRRRRRR/9/3k5/9/9/9/9/9/4K4 b - - 0 1",
    "fen 3k5/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "fen 3k5/9/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "fen 3k55/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "fen xxxxxxxxx/9/9 x x x x x",
    "fen 7/7/7/7/7/7/7[PPpp] w - - 0 1",
];
const MOVES: &[&str] = &[
    "h2e2", "h9g7", "b0c2", "H2E2", "h3e3", "a0a0", "a0a9", "j0j1", "a10a9", "a9a10", "0000", "h2", "h2e2q", "P@d3",
    "R@e3", "null", "moves", "(none)", "三", "",
];
const NUMBERS: &[&str] =
    &["0", "1", "3", "20", "-1", "-99999999999999999999", "99999999999999999999", "1e3", "0.05", "x", ""];
const MODES: &[&str] = &[
    "time",
    "increment",
    "movestogo",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "movetime",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
    "banmoves",
    "go",
    "mate",
    "wtime",
    "garbage",
];
/// Options of the standard, of its second version, of this engine, and of none.
const OPTIONS: &[&str] = &[
    "usemillisec",
    "debug",
    "ponder",
    "usebook",
    "useegtb",
    "bookfiles",
    "egtbpaths",
    "evalapi",
    "hashsize",
    "threads",
    "idle",
    "promotion",
    "pruning",
    "knowledge",
    "randomness",
    "style",
    "newgame",
    "clearhash",
    "repetition",
    "drawmoves",
    "selectivity",
    "multipv",
    "moveoverhead",
    "elo",
    "limitstrength",
    "offers",
    "concede",
    "seed",
    "Hash",
    "UCI_Variant",
    "variant",
    "name",
    "value",
];
const VALUES: &[&str] = &[
    "true",
    "false",
    "on",
    "off",
    "0",
    "1",
    "2",
    "-1",
    "99999999999999999999",
    "none",
    "small",
    "large",
    "huge",
    "xiangqi",
    "supply",
    "a;b;c",
    "",
    "name",
    "value value",
    "三",
];
/// What may stand at the beginning of a line the engine says.
const ANSWERS: &[&str] = &["id", "option", "ucciok", "readyok", "info", "bestmove", "nobestmove", "pophash"];

fn some<'a>(random: &mut Random, items: &[&'a str]) -> &'a str {
    random.pick(items).copied().unwrap_or_default()
}

fn moves(random: &mut Random, word: &str) -> String {
    (0..random.below(6)).fold(word.to_owned(), |line, _| line + " " + some(random, MOVES))
}

fn position(random: &mut Random, word: &str) -> String {
    let place = format!("{word} {}", some(random, POSITIONS));
    if random.below(2) == 0 { moves(random, &(place + " moves")) } else { place }
}

fn hostile_line(random: &mut Random) -> String {
    match random.below(12) {
        0..=2 => position(random, "position"),
        3 => position(random, "probe"),
        4 => moves(random, "banmoves"),
        5..=7 => (0..random.below(5)).fold("go".to_owned(), |line, _| {
            let mode = some(random, MODES);
            format!("{line} {mode} {}", some(random, if mode == "searchmoves" { MOVES } else { NUMBERS }))
        }),
        8 => format!("setoption {} {}", some(random, OPTIONS), some(random, VALUES)),
        9 => format!("setoption name {} value {}", some(random, OPTIONS), some(random, VALUES)),
        10 => some(
            random,
            &["ponderhit", "ponderhit draw", "stop", "ucci", "isready", "setoption", "newgame", "uccinewgame"],
        )
        .to_owned(),
        // A sound line with a changed letter.
        _ => {
            let mut line =
                b"position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2"
                    .to_vec();
            let at = random.below(line.len());
            line[at] = b' ' + random.below(95) as u8;
            String::from_utf8_lossy(&line).into_owned()
        }
    }
}

#[test]
fn five_hundred_hostile_lines() {
    let mut random = Random::new(3);
    let mut session = Session::start(&["--protocol", "ucci"]);
    session.ask("ucci", "ucciok");
    let mut searches = 0;
    for _ in 0..500 {
        let line = hostile_line(&mut random);
        session.send(&line);
        if line.starts_with("go") {
            searches += 1;
            session.send("stop");
            loop {
                let answer = session.line();
                if answer == "nobestmove" || answer.starts_with("bestmove ") {
                    break;
                }
            }
        }
        for said in session.ready() {
            let word = said.split(' ').next().unwrap_or_default();
            assert!(ANSWERS.contains(&word), "`{line}` is answered by `{said}`");
        }
    }
    assert!(searches > 100, "{searches} searches");
    // It still plays.
    session.send("setoption variant xiangqi\nposition startpos moves h2e2");
    session.ready();
    session.send("go depth 2");
    let lines = session.until("bestmove");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")));
    assert_eq!(session.quit().1, Some(0));
}
