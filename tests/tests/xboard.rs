//! The CECP front against the built binaries: dialogues of the documentation, a peer like ChessV, two fronts in a match, two boards,
//! engines that fail, hostile input.
use sanqi::games::{Game, Move, Outcome, RankBase, Variant};
use sanqi_adapter::cecp::{MoveStyle, MoveWord};
use sanqi_tests::binary;
use sanqi_tests::dialogue;
use sanqi_tests::random::Random;
use sanqi_tests::session::Session;

fn front(arguments: &[&str]) -> Session {
    Session::start_front("xboard", arguments)
}

/// A front that has said what it can do and plays `variant` to a depth.
fn playing(variant: &str, depth: u32, arguments: &[&str]) -> Session {
    let mut session = front(arguments);
    session.send("xboard\nprotover 2");
    session.until("feature done=1");
    session.send(&format!("new\nrandom\nvariant {variant}\nsd {depth}\nping 1"));
    session.until("pong 1");
    session
}

/// What it says up to the answer to a ping.
fn said(session: &mut Session, text: &str) -> Vec<String> {
    session.send(&format!("{text}\nping 77"));
    let mut lines = session.until("pong 77");
    lines.pop();
    lines
}

/// The move in the next line that is one.
fn next_move(session: &mut Session) -> String {
    let lines = session.until("move");
    lines.last().and_then(|line| line.strip_prefix("move ")).unwrap_or_default().to_owned()
}

#[test]
fn the_documented_dialogues() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol-docs/xboard.md");
    let dialogues = dialogue::read_fenced(&std::fs::read_to_string(path).unwrap(), "cecp");
    assert!(dialogues.len() >= 8, "{} dialogues", dialogues.len());
    dialogues.iter().for_each(|dialogue| dialogue.play_to("xboard.md", front));
}

/// GUIs that allow no arguments: the first line says which protocol it is.
#[test]
fn without_arguments() {
    let mut session = Session::start_program(binary::adapter(), &[]);
    session.send("xboard\nprotover 2");
    let features = session.until("feature done=1");
    assert!(features.iter().any(|line| line.contains("variants=\"yangqi,fangqi,supply,xiangqi\"")), "{features:?}");
    assert_eq!(session.quit().1, Some(0));
    let output = std::process::Command::new(binary::adapter()).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: sanqi-adapter"));
}

/// Every option of the engine that has no command of its own, in a form that XBoard reads.
#[test]
fn features_name_every_option() {
    let mut engine = Session::start(&[]);
    let listed = engine.ask("uci", "uciok");
    let mut session = front(&["--variant", "supply"]);
    session.send("xboard\nprotover 2");
    let features = session.until("feature done=1");
    for line in listed.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let name = line.split(" type ").next().unwrap();
        let own = ["Hash", "Threads", "Ponder", "UCI_Variant", "Rank Base", "UCI_AnalyseMode"].contains(&name);
        let offered = features.iter().any(|feature| feature.starts_with(&format!("feature option=\"{name} -")));
        assert!(own != offered, "{name}");
    }
    assert!(features.iter().any(|line| line.contains("variants=\"supply,yangqi,fangqi,xiangqi\"")));
    assert_eq!(
        said(&mut session, "option MultiPV=2\noption UCI_ShowWDL=1\noption Clear Hash\nmemory 20\ncores 1"),
        [""; 0]
    );
    let wrong = said(
        &mut session,
        "option MultiPV=0\noption Nothing=1\noption UCI_Variant=fangqi\nmemory x\nmemory 0\nmemory -5\n\
         cores 0\nst 0\nlevel 0 -1 0",
    );
    assert_eq!(wrong.len(), 9, "{wrong:?}");
    assert!(wrong.iter().all(|line| line.starts_with("Error (bad argument): ")), "{wrong:?}");
}

/// A game against the engine in which everything is said as ChessV says it (`reference` of ChessV's habits: protocol-docs/xboard.md).
/// Its moves are its own generator's; an illegal or unreadable answer would lose the game there.
#[test]
fn a_peer_like_chessv() {
    let style = MoveStyle { vao: 'a', ..MoveStyle::of(Variant::Yangqi) };
    let (mut swaps, mut promotions) = (0, 0);
    for (seed, engine_is_white) in [(1, true), (2, false), (3, false)] {
        let mut random = Random::new(seed);
        let mut session = Session::start_program(binary::adapter(), &[]);
        session.send("xboard\nprotover 2");
        session.until("feature done=1");
        session.send(
            "accepted ping\naccepted setboard\naccepted usermove\nrejected sigint\nrejected sigterm\nrejected colors",
        );
        session.send("new\nvariant yangqi\nlevel 0 1:05 0.5\nsd 2\npost\neasy\nforce\ncomputer");
        let mut game = Game::new(Variant::Yangqi);
        let mut told = engine_is_white;
        for ply in 0..300 {
            if game.result().outcome != Outcome::Ongoing {
                break;
            }
            let engine_to_move = (ply % 2 == 0) == engine_is_white;
            let mv = if engine_to_move {
                if told {
                    session.send(&format!("ping {ply}\ntime 6500\notim 6500\ngo"));
                    told = false;
                }
                let lines = session.until("move");
                // Nothing but thinking lines, in the same squares.
                let text = lines.last().unwrap().strip_prefix("move ").unwrap();
                let bytes = text.as_bytes();
                assert!(
                    (4..=5).contains(&bytes.len()) && bytes[1].is_ascii_digit() && bytes[3].is_ascii_digit(),
                    "{text}"
                );
                assert!(bytes.len() == 4 || b"rnbca".contains(&bytes[4]), "{text}");
                let mv = style.read(&game, text).unwrap_or_else(|error| panic!("{error} in {}", game.fen()));
                assert_eq!(style.write(&game, mv), text, "squares in ChessV's order");
                mv
            } else {
                // Pawns first, so that there are promotions; swaps where there are none.
                let moves = game.legal_moves();
                let pawns: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|&mv| game.san(mv, Default::default()).starts_with(|c: char| c.is_lowercase()))
                    .collect();
                let promoting = pawns.iter().copied().find(|&mv| game.san(mv, Default::default()).contains('='));
                let mv = promoting
                    .or_else(|| random.pick(&pawns).copied())
                    .or_else(|| random.pick(&moves).copied())
                    .unwrap();
                if ply > 1 || engine_is_white {
                    session.send(&format!("ping {ply}\ntime 6500\notim 6500\nusermove {}", style.write(&game, mv)));
                } else {
                    session.send(&format!("usermove {}\nping 0\ntime 6500\notim 6500\ngo", style.write(&game, mv)));
                    told = false;
                }
                mv
            };
            swaps += usize::from(game.san(mv, Default::default()).contains(';'));
            promotions += usize::from(game.san(mv, Default::default()).contains('='));
            game.push(mv);
        }
        session.send("?\nforce\nresult * {over}\nping 999");
        assert!(!session.until("pong 999").iter().any(|line| line.starts_with("Illegal") || line.starts_with("Error")));
        assert_eq!(session.quit().1, Some(0));
    }
    assert!(promotions > 0, "{swaps} swaps, {promotions} promotions");
}

/// ChessV lets a king change places while it is in check; its front has to go on from there, and XBoard's may not.
#[test]
fn a_swap_in_check() {
    let opening = "force\nusermove b3b4\nusermove f9a4\nusermove e0d0";
    let mut session = playing("yangqi", 2, &["--dialect", "chessv"]);
    assert_eq!(said(&mut session, opening), [""; 0]);
    session.send("go");
    let after = "rnbvk1bnr/1c5c1/p1p1p1p1p/1p1p1p1p1/9/vP7/3P1P1P1/P1P1P1P1P/1C5C1/RNBKVVBNR b - - 2 2";
    let game = Game::from_fen(Variant::Yangqi, after).unwrap();
    let answer = next_move(&mut session);
    assert!(MoveStyle::of(Variant::Yangqi).read(&game, &answer).is_ok(), "{answer}");
    assert_eq!(said(&mut session, "force\nundo\nusermove a0a9"), ["Illegal move: a0a9"]);
    let mut session = playing("yangqi", 2, &[]);
    assert_eq!(said(&mut session, opening), ["Illegal move: e0d0"]);
    let mut session = playing("yangqi", 2, &["--dialect", "chessv"]);
    let wrong = said(&mut session, "force\nusermove b3b4\nusermove f9a4\nusermove d0e0\nusermove e0e2\nusermove e0a0");
    assert_eq!(wrong.len(), 3, "{wrong:?}");
}

/// XBoard's board in a match of Fangqi: it knows drops, passes and moves of two legs, and no captures.
#[derive(Default)]
struct StaleBoard(Vec<(usize, usize)>);

/// Two fronts play a match through something that knows of Fangqi what XBoard knows. Whenever one of them places a stone the board
/// must show the true position.
#[test]
fn two_fronts_shoot_the_captured_stones() {
    let mut captures = 0;
    for seed in ["1", "2"] {
        let variety = ["--option", "Variety=100", "--option", &format!("Seed={seed}")];
        let mut fronts = [playing("fangqi", 2, &variety), playing("fangqi", 2, &variety)];
        fronts.iter_mut().for_each(|front| front.send("accepted highlight\ncomputer"));
        fronts[0].send("go");
        let mut game = Game::new(Variant::Fangqi);
        let mut board = StaleBoard::default();
        for turn in 0.. {
            let text = next_move(&mut fronts[turn % 2]);
            let other = &mut fronts[(turn + 1) % 2];
            match MoveWord::of(&text, 7, 7, RankBase::One) {
                MoveWord::Null => other.send("setboard 7/7/7/7/7/7/7[] w - - 0 1"),
                MoveWord::Shot { from, target } => {
                    assert!(board.0.contains(&from) && board.0.contains(&target), "{text}");
                    board.0.retain(|&stone| stone != target);
                    captures += 1;
                    other.send(&format!("usermove {text}"));
                }
                MoveWord::Move(_) => {
                    let mv = game.parse_move(&text, RankBase::One).unwrap_or_else(|error| panic!("{error}"));
                    let stones =
                        game.fen().split('[').next().unwrap().chars().filter(char::is_ascii_alphabetic).count();
                    assert_eq!(board.0.len(), stones, "stones that have been captured are gone");
                    game.push(mv);
                    let point = usize::from(mv.to());
                    assert!(!board.0.contains(&(point % 7, point / 7)), "{text}");
                    board.0.push((point % 7, point / 7));
                    let result = game.result().outcome;
                    if result != Outcome::Ongoing {
                        let claim = fronts[turn % 2].line();
                        assert!(claim.starts_with(&format!("{result} {{")), "{claim}");
                        break;
                    }
                    other.send(&format!("usermove {text}"));
                }
            }
        }
        assert_eq!(game.moves().len(), 40);
    }
    assert!(captures > 0);
}

/// A human at Fangqi is given the position anew after a capture; what XBoard says about that does not end the game, and from then on he
/// is White.
#[test]
fn a_human_black_becomes_white() {
    let fen = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";
    let mut session = playing("fangqi", 3, &[]);
    session.send(&format!("accepted highlight\nforce\nsetboard {fen}\ngo"));
    assert_eq!(next_move(&mut session), "P@d5");
    let given = session.line();
    assert_eq!(given, "setboard 7/7/2pp3/2pp3/7/7/7[pppppppppppppPPPPPPPPPPPP] w - - 0 9");
    assert!(session.line().starts_with("telluser "));
    // XBoard's own lines after it.
    assert_eq!(said(&mut session, "result * {Engine aborts game}\nforce"), [""; 0]);
    session.send("time 30000\notim 30000\nusermove P@a1");
    next_move(&mut session);
    assert_eq!(said(&mut session, "result 1-0 {White resigns}"), [""; 0]);
}

/// Whoever shows no marks knows the rules: moves are all that goes either way, as before a capture so after it.
#[test]
fn a_program_that_knows_fangqi_gets_moves_only() {
    let fen = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";
    for opponent in ["", "computer\n"] {
        let mut session = playing("fangqi", 1, &[]);
        session.send(&format!("{opponent}force\nsetboard {fen}\nusermove P@d5\ngo"));
        let after = "7/7/2pp3/2pp3/7/7/7[PPPPPPPPPPPPPppppppppppppp] b - - 0 9";
        assert!(next_move(&mut session).starts_with("P@"), "{opponent}after the capture of the opponent, {after}");
        session.send(&format!("force\nsetboard {fen}\nsd 3\ngo"));
        assert_eq!(next_move(&mut session), "P@d5", "{opponent}");
        assert_eq!(said(&mut session, "force"), [""; 0], "{opponent}");
    }
}

/// CECP, Analyze Mode: `new` and the variant behind it change the position and leave the engine analysing; so does what else changes it.
#[test]
fn analysis_follows_the_board() {
    let mut session = playing("yangqi", 1, &[]);
    session.send("post\nanalyze");
    let fen = "4k4/9/9/9/9/9/9/9/r8/R1K6 w - - 0 1";
    for change in [
        "new".to_owned(),
        "new\nvariant xiangqi".to_owned(),
        "usermove b0c2".to_owned(),
        "usermove b9c7".to_owned(),
        "undo".to_owned(),
        "new\nvariant yangqi\nusermove e2e4".to_owned(),
        "usermove e7e5".to_owned(),
        "remove".to_owned(),
        format!("setboard {fen}"),
        "usermove a0e9".to_owned(),
        "setboard nonsense".to_owned(),
        "hard".to_owned(),
        "partner bob".to_owned(),
        "partner".to_owned(),
    ] {
        said(&mut session, &change);
        session.send(".");
        let lines = session.until("stat01:");
        assert!(!lines.iter().any(|line| line.starts_with("move ")), "{change}: {lines:?}");
    }
    // Whatever leads out of it, the engine plays as in any game then.
    for way in ["exit\ngo", "go", "playother\nusermove e2e4"] {
        session.send(&format!("new\nvariant yangqi\nsd 1\n{way}"));
        assert!(!next_move(&mut session).is_empty(), "{way}");
        said(&mut session, "analyze");
    }
}

/// Draws, results and the rest that a game at XBoard may need.
#[test]
fn games_end() {
    let mut session = playing("xiangqi", 2, &[]);
    session.send("setboard 3k5/9/9/9/9/8R/9/9/9/4K4 w - - 0 1\nsd 4\ngo");
    next_move(&mut session);
    assert_eq!(session.line(), "1-0 {White mates}");
    // The result stands until something is taken back.
    assert_eq!(said(&mut session, "usermove d9e9"), ["Illegal move: d9e9"]);
    session.send("force\nundo\ngo");
    next_move(&mut session);
    assert_eq!(session.line(), "1-0 {White mates}");
    let mut session = playing("yangqi", 1, &[]);
    session.send("setboard 4k4/9/9/9/9/9/9/9/r8/1K7 w - - 0 1\nusermove b0a1");
    assert_eq!(session.line(), "1/2-1/2 {King against king}");
}

/// The mark of a Soldier that stays one on the last rank is for XBoard with a board of its own. A referee of two boards took it for an
/// illegal promotion.
#[test]
fn only_xboard_is_told_that_a_soldier_stays_one() {
    for (variant, before, shown) in [
        ("supply", "accepted highlight", "i8i9p"),
        ("supply", "name somebody", "i8i9"),
        ("supply", "accepted highlight\npartner bob", "i8i9"),
        ("supply", "accepted highlight\nics freechess.org", "i8i9"),
        ("xiangqi", "name somebody", "i8i9"),
    ] {
        let mut session = playing(variant, 2, &[]);
        session.send(&format!("{before}\nforce\nsetboard 3k4r/8P/9/9/9/9/9/9/9/4K4 w - - 0 1\ngo"));
        assert_eq!(next_move(&mut session), shown, "{variant} after {before}");
        // XBoard adds what the pawn of its own rules would become; the Soldier stays one.
        let words: &[&str] = if shown == "i8i9p" { &["i8i9", "i8i9p", "i8i9q"] } else { &["i8i9"] };
        for word in words {
            let lines = said(&mut session, &format!("force\nundo\nusermove {word}"));
            assert!(lines.is_empty(), "{word} after {before}: {lines:?}");
        }
    }
}

/// A wish, a piece that arrives while the engine thinks, and results that are the server's business.
#[test]
fn two_boards() {
    let mut session = front(&["--variant", "supply"]);
    session.send("xboard\nprotover 2");
    session.until("feature done=1");
    session.send("partner bob\nnew\nvariant supply\nics freechess.org\nforce\nsetboard 3k5/9/9/9/9/9/9/9/9/4K4[-] w - - 0 1\nst 3600\nping 1");
    let greeting = session.until("pong 1");
    assert_eq!(greeting[0], "tellics ptell partner Sanqi is an engine. Ask it 'help' for what it understands.");
    session
        .send("ptell help\nptell need r\nptell what do you want\ngo\nholding [R] [] WR\nping 2\nholding [RC] [] WC\n?");
    assert!(session.line().starts_with("tellics ptell I understand: need R"));
    let lines = session.until("pong 2");
    let moves: Vec<&String> = lines.iter().filter(|line| line.starts_with("move ")).collect();
    assert_eq!(moves.len(), 1, "{lines:?}");
    // What is in hand now can be dropped.
    assert_eq!(
        said(&mut session, "force\nundo\nusermove R@a0\nusermove d9d8\nusermove C@b0\nundo\nundo\nundo"),
        [""; 0]
    );
    // A mate is found by the server itself.
    session.send("force\nsetboard 3k5/9/9/9/9/8R/9/9/9/4K4[-] w - - 0 1\nst 1\nsd 4\ngo");
    assert_eq!(next_move(&mut session), "i4d4");
    assert!(!said(&mut session, "holding [] [] ").iter().any(|line| line.starts_with("1-0")));
    // Nobody has won as long as a piece may arrive that helps.
    session.send("force\nsetboard 3rk4/9/9/9/9/9/9/9/4r4/3K5[] w - - 0 1\ngo");
    assert_eq!(said(&mut session, "hint"), [""; 0]);
    session.send("holding [R] [] WR");
    assert!(next_move(&mut session).starts_with("R@d"));
    assert_eq!(said(&mut session, "holding nonsense"), ["Error (bad argument): holding nonsense"]);
    assert_eq!(session.quit().1, Some(0));
}

/// An engine that fails once is replaced and plays on; one that always fails loses.
#[test]
fn engines_that_fail() {
    let mock = binary::mock_engine().to_string_lossy();
    let start = |fault: &str| {
        let mut session =
            Session::start_program(binary::adapter(), &["xboard", "--engine", &mock, "--engine-arg", fault]);
        session.send("xboard\nprotover 2");
        session.until("feature done=1");
        session.send("new\nvariant yangqi\nst 1\nforce");
        session
    };
    for fault in ["exit=2", "illegal=2", "empty=2"] {
        let mut session = start(fault);
        session.send("go");
        let first = next_move(&mut session);
        let mut game = Game::new(Variant::Yangqi);
        let style = MoveStyle::of(Variant::Yangqi);
        game.push(style.read(&game, &first).unwrap());
        let reply = game.legal_moves()[0];
        session.send(&format!("usermove {}", style.write(&game, reply)));
        game.push(reply);
        // The mock makes its first move of a game well, and a new process has none behind it.
        let lines = session.until("move");
        assert!(lines.iter().any(|line| line.starts_with("# engine ")), "{fault}: {lines:?}");
        assert!(style.read(&game, lines.last().unwrap().strip_prefix("move ").unwrap()).is_ok(), "{fault}: {lines:?}");
    }
    let mut session = start("exit=0");
    session.send("go");
    let lines = session.until("resign");
    assert!(lines.iter().any(|line| line.starts_with("tellusererror engine failed")), "{lines:?}");
    let output =
        std::process::Command::new(binary::adapter()).args(["xboard", "--engine", "/nonexistent"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("tellusererror engine failed: cannot start"));
}

/// Words that mean something to an engine, and some that do not.
const WORDS: &[&str] = &[
    "xboard",
    "protover",
    "2",
    "accepted",
    "rejected",
    "colors",
    "new",
    "variant",
    "yangqi",
    "fangqi",
    "supply",
    "xiangqi",
    "9x10+7_bughouse",
    "_",
    "force",
    "go",
    "playother",
    "white",
    "black",
    "level",
    "0",
    "40",
    "-1",
    "1:x",
    "nan",
    "1e400",
    "st",
    "sd",
    "1",
    "nps",
    "time",
    "otim",
    "post",
    "nopost",
    "hard",
    "easy",
    "usermove",
    "e2e4",
    "e1e2",
    "e0d0",
    "P@d4",
    "p@e5",
    "P@",
    "@@@@",
    "d7c6,c6d7",
    ",",
    "h9h9",
    "\u{e9}8f9.",
    "O-O",
    "?",
    "result",
    "1-0",
    "{x}",
    "setboard",
    "7/7/7/7/7/7/7[Pp]",
    "w",
    "b",
    "-",
    "undo",
    "remove",
    "hint",
    "bk",
    "draw",
    "computer",
    "ics",
    "analyze",
    "exit",
    ".",
    "exclude",
    "include",
    "all",
    "memory",
    "cores",
    "99999999999999999999",
    "option",
    "MultiPV=3",
    "MultiPV=",
    "=",
    "Clear Hash",
    "lift",
    "put",
    "hover",
    "i1",
    "`7",
    "a1",
    "z",
    "partner",
    "bob",
    "ptell",
    "need",
    "R",
    "sit",
    "move",
    "holding",
    "[RP]",
    "[n]",
    "[]",
    "[",
    "WR",
    "Bp",
    "name",
    "rating",
    "\u{0}",
    "\t",
    "random",
    "pause",
    "resume",
];

/// 500 lines that are nearly right, some that are not text, one that is too long: the front lives and plays on.
#[test]
fn hostile_lines() {
    let mut random = Random::new(20_261_130);
    let mut session = playing("yangqi", 2, &[]);
    for count in 0..500u32 {
        if count % 50 == 7 {
            session.send_bytes(b"usermove \xff\xfe\xfd\n\n\r\n");
        }
        if count == 250 {
            session.send_bytes(&[b'x'; 300_000]);
            session.send("");
        }
        let words: Vec<&str> = (0..1 + random.below(5)).filter_map(|_| random.pick(WORDS).copied()).collect();
        session.send(&words.join(" "));
        // No search of a level of minutes is waited for.
        if count % 10 == 9 {
            session.send(&format!("force\nforce\nping {count}"));
            session.until(&format!("pong {count}"));
        }
    }
    let lines =
        said(&mut session, "force\npartner\nnew\nics -\nnopost\nvariant yangqi\nforce\nsd 2\nst 1\nusermove e2e4");
    assert!(!lines.iter().any(|line| line.starts_with("Illegal")), "{lines:?}");
    session.send("go");
    let answer = next_move(&mut session);
    assert!(answer.len() >= 4, "{answer}");
    assert_eq!(session.quit().1, Some(0));
}
