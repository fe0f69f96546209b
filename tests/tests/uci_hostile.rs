//! Nothing typed at the engine ends it but `quit` and the end of input.
use sanqi_tests::random::Random;
use sanqi_tests::session::Session;

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "uci",
    "ucci",
    "ucicyclone",
    "isready",
    "setoption",
    "name",
    "value",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "3",
    "0",
    "-1",
    "99999999999999999999",
    "1.5",
    "0x10",
    "movetime",
    "1",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "nodes",
    "mate",
    "searchmoves",
    "perft",
    "2",
    "ponder",
    "ponderhit",
    "stop",
    "infinite",
    "draw",
    "time",
    "increment",
    "opptime",
    "banmoves",
    "probe",
    "h2e2",
    "h3e3",
    "a0a1",
    "a1a2",
    "P@d4",
    "R@e3",
    "a9a10r",
    "e1d1",
    "0000",
    "(none)",
    "d",
    "eval",
    "legal",
    "result",
    "preview",
    "san",
    "Hash",
    "Threads",
    "MultiPV",
    "UCI_Variant",
    "fangqi",
    "supply",
    "yangqi",
    "xiangqi",
    "Rank",
    "Base",
    "UCI_Elo",
    "true",
    "false",
    "register",
    "later",
    "debug",
    "on",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "7/7/7/7/7/7/7[PPpp]",
    "[",
    "]",
    "w",
    "b",
    "-",
    "--",
    "+",
    "|",
    "é",
    "三棋",
    "\u{feff}",
    "\0",
    "\t",
    "newgame",
    "usemillisec",
    "batch",
    "k8/9/9/9/9/9/9/9/9/8K[RRRRRRRRRRRRRRRRRRRRRRR]",
    "9999999999",
    "team",
    "board",
    "over",
];

fn hostile_line(random: &mut Random) -> Vec<u8> {
    let mut line = Vec::new();
    match random.below(5) {
        // Bytes.
        0 => (0..random.below(200)).for_each(|_| line.push(random.next_u64() as u8)),
        // A word, repeated.
        1 => {
            let word = random.pick(WORDS).copied().unwrap_or_default();
            (0..random.below(3000)).for_each(|_| line.extend_from_slice(format!("{word} ").as_bytes()));
        }
        // A position with a changed letter.
        2 => {
            line.extend_from_slice(
                b"position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2",
            );
            let at = random.below(line.len());
            line[at] = b' ' + random.below(95) as u8;
        }
        // Words in any order.
        _ => {
            for _ in 0..random.below(14) {
                line.extend_from_slice(random.pick(WORDS).copied().unwrap_or_default().as_bytes());
                line.extend_from_slice(if random.below(6) == 0 { b"  " } else { b" " });
            }
        }
    }
    line.retain(|byte| *byte != b'\n');
    // `quit` ends it by right, a log file would be written, and `bench` only takes time.
    let text = String::from_utf8_lossy(&line).to_lowercase();
    if ["quit", "log", "bench"].iter().any(|word| text.contains(word)) {
        line.clear();
    }
    line.extend_from_slice(if random.below(4) == 0 { b"\r\n" } else { b"\n" });
    line
}

/// Sends `count` hostile lines, and after each of them asks whether the engine is still there.
fn survive(hello: &str, seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let mut session = Session::greeted(hello);
    for _ in 0..count {
        session.send_bytes(&hostile_line(&mut random));
        // A line may have begun a search without end; the words may have been those of another protocol.
        session.send("stop");
        session.ready();
    }
    session.send("setoption batch false\nstop");
    session.ready();
    session.send("uci");
    session.until("uciok");
    session.send("setoption name UCI_Variant value fangqi\nposition startpos\nstop\nstop");
    assert!(session.ready().iter().all(|line| line.starts_with("info ") || line.starts_with("bestmove")));
    assert!(session.go("go depth 1").bestmove().starts_with("P@"));
    assert_eq!(session.close().1, Some(0));
}

#[test]
fn uci_survives_hostile_lines() {
    survive("uci", 1, 700);
}

#[test]
fn ucci_survives_hostile_lines() {
    survive("ucci", 2, 700);
}

#[test]
fn a_very_long_line_is_read_or_passed_over() {
    let mut session = Session::greeted("uci");
    let mut game = b"position startpos moves".to_vec();
    for _ in 0..20_000 {
        game.extend_from_slice(b" a0a1 a9a8 a1a0 a8a9");
    }
    game.push(b'\n');
    session.send_bytes(&game);
    assert_eq!(session.ready(), [""; 0]);
    assert_ne!(session.go("go depth 1").bestmove(), "(none)");
    let mut endless = vec![b'x'; 70 << 20];
    endless.push(b'\n');
    session.send_bytes(&endless);
    let said = session.ready();
    assert!(said.len() == 1 && said[0].contains("too long"), "{said:?}");
}

#[test]
fn broken_text_and_line_ends() {
    let mut session = Session::start(&[]);
    session.send_bytes(b"\xef\xbb\xbfuci\r\n");
    session.until("uciok");
    session.send_bytes(b"\r\n\n   \n\0\n\xff\xfe\nis\0ready\r\n");
    session.until("readyok");
    session.send_bytes(b"  position \t startpos   moves  h2e2  \r\n go   depth\t2 \r\n");
    assert_ne!(session.answer().bestmove(), "(none)");
}

#[test]
fn unknown_commands_are_told_and_unknown_words_before_a_command_passed_over() {
    let mut session = Session::greeted("uci");
    session.send("xyzzy plugh");
    assert_eq!(session.ready(), ["info string unknown command xyzzy plugh"]);
    session.send("joho isready");
    session.until("readyok");
    session.send("debug on\ndebug off\nregister later\nregister name a code b");
    assert_eq!(session.ready(), [""; 0]);
}
