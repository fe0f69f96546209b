//! What lines are understood as, and a second opinion by `vampirc-uci`.
use super::*;
use crate::board::Color;
use vampirc_uci::{UciMessage, UciTimeControl, parse_strict};

fn uci(line: &str) -> Command {
    Command::parse(line, Dialect::Uci)
}

fn option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

#[test]
fn options_in_every_form() {
    assert_eq!(uci("setoption name Clear  Hash"), option("Clear Hash", None));
    assert_eq!(uci("setoption name UCI_Variant value fangqi "), option("UCI_Variant", Some("fangqi")));
    assert_eq!(uci("setoption name Debug Log File value C:\\a  b.txt"), option("Debug Log File", Some("C:\\a  b.txt")));
    assert_eq!(uci("setoption name Hash value"), option("Hash", Some("")));
    assert_eq!(uci("setoption name value"), option("", Some("")));
    assert_eq!(uci("setoption usemillisec true"), option("usemillisec", Some("true")));
    assert_eq!(uci("setoption newgame"), option("newgame", None));
    assert_eq!(uci("setoption"), option("", None));
}

#[test]
fn positions_in_every_form() {
    let read = |fen: Option<&str>, moves: &[&str]| {
        let moves = moves.iter().map(|m| (*m).to_owned()).collect();
        Ok(PositionWords { fen: fen.map(str::to_owned), moves, over: Vec::new() })
    };
    let words = |fen, moves| Command::Position(read(fen, moves));
    assert_eq!(uci("position startpos"), words(None, &[]));
    assert_eq!(uci("position startpos moves"), words(None, &[]));
    assert_eq!(uci("position  startpos  moves  a1a2\tP@d4 "), words(None, &["a1a2", "P@d4"]));
    assert_eq!(uci("position fen 4k4/9 w moves e1e2"), words(Some("4k4/9 w"), &["e1e2"]));
    assert_eq!(uci("fen 4k4/9 r -- 0 1"), Command::BarePosition(read(Some("4k4/9 r -- 0 1"), &[])));
    assert_eq!(uci("startpos moves h2e2"), Command::BarePosition(read(None, &["h2e2"])));
    for bad in ["position", "position fen", "position fen moves a1a2", "position startpos a1a2", "position x"] {
        assert!(matches!(uci(bad), Command::Position(Err(_))), "{bad}");
    }
}

#[test]
fn unknown_words_before_a_standard_one_are_skipped() {
    assert_eq!(uci("joho debug on"), Command::Debug(true));
    assert_eq!(uci("  a b  isready"), Command::IsReady);
    assert_eq!(uci("hello world"), Command::Unknown("hello world".to_owned()));
    assert_eq!(Command::parse("joho isready", Dialect::Ucci), Command::Unknown("joho isready".to_owned()));
    assert_eq!(uci("isreadyGARBAGE"), Command::Unknown("isreadyGARBAGE".to_owned()));
    assert_eq!(uci(""), Command::Nothing);
}

#[test]
fn ucci_words() {
    let ucci = |line: &str| Command::parse(line, Dialect::Ucci);
    assert_eq!(ucci("ponderhit draw"), Command::PonderHit { draw: true });
    assert_eq!(ucci("banmoves h2e2 b2e2"), Command::BanMoves(vec!["h2e2".to_owned(), "b2e2".to_owned()]));
    assert!(matches!(ucci("probe startpos"), Command::Probe(Ok(_))));
    assert_eq!(ucci("quit"), Command::Quit);
}

/// Plain 8×8 lines, on which `vampirc-uci` is right, mean the same to us.
#[test]
fn second_opinion_on_plain_lines() {
    let mut state = 1;
    let mut random = |below: u64| {
        let (next, value) = crate::board::zobrist::split_mix(state);
        state = next;
        value % below
    };
    for _ in 0..2000 {
        let mut square = || format!("{}{}", char::from(b'a' + random(8) as u8), 1 + random(8));
        let moves: Vec<String> = (0..4).map(|_| square() + &square()).collect();
        let listed = random(5) as usize;
        let mut line = "position startpos".to_owned();
        if listed > 0 {
            line += &format!(" moves {}", moves[..listed.min(4)].join(" "));
        }
        let theirs = parse_strict(&line).unwrap().remove(0);
        let (Command::Position(Ok(ours)), UciMessage::Position { startpos: true, fen: None, moves, .. }) =
            (uci(&line), theirs)
        else {
            unreachable!("{line}");
        };
        assert_eq!(ours.fen, None, "{line}");
        assert_eq!(ours.moves, moves.iter().map(ToString::to_string).collect::<Vec<_>>(), "{line}");

        let (wtime, btime, winc, binc) = (random(600_000) + 1, random(600_000) + 1, random(5000), random(5000));
        let togo = random(200) + 1;
        let line = format!("go wtime {wtime} btime {btime} winc {winc} binc {binc} movestogo {togo}");
        let UciMessage::Go {
            time_control: Some(UciTimeControl::TimeLeft { white_time, black_increment, moves_to_go, .. }),
            ..
        } = parse_strict(&line).unwrap().remove(0)
        else {
            unreachable!("{line}");
        };
        let Command::Go(go) = uci(&line) else { unreachable!("{line}") };
        let limits = go.limits(Color::White, Dialect::Uci, true);
        let millis = |d: Option<vampirc_uci::Duration>| d.map(|d| d.num_milliseconds() as u64);
        assert_eq!(limits.clock.map(|c| c.time), millis(white_time), "{line}");
        assert_eq!(limits.opponent.map(|c| c.increment), millis(black_increment), "{line}");
        assert_eq!(limits.moves_to_go, moves_to_go.map(u32::from), "{line}");

        let (depth, nodes) = (random(100) + 1, random(1_000_000) + 1);
        let listed: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let line =
            format!("go depth {depth} nodes {nodes} searchmoves a1b1 {}", listed.join(" ")).trim_end().to_owned();
        let UciMessage::Go { search_control: Some(control), .. } = parse_strict(&line).unwrap().remove(0) else {
            unreachable!("{line}");
        };
        let Command::Go(go) = uci(&line) else { unreachable!("{line}") };
        let limits = go.limits(Color::White, Dialect::Uci, true);
        assert_eq!(limits.depth, control.depth.map(u32::from), "{line}");
        assert_eq!(limits.nodes, control.nodes, "{line}");
        assert_eq!(go.search_moves, control.search_moves.iter().map(ToString::to_string).collect::<Vec<_>>(), "{line}");
    }
    for (line, name, value) in [
        ("setoption name Hash value 32", "Hash", Some("32")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name UCI_Elo value 1500", "UCI_Elo", Some("1500")),
    ] {
        let theirs = parse_strict(line).unwrap().remove(0);
        assert_eq!(theirs, UciMessage::SetOption { name: name.to_owned(), value: value.map(str::to_owned) });
        assert_eq!(uci(line), option(name, value));
    }
}
