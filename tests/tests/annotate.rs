//! `sanqi-adapter annotate`: games of every one-board variant with the real engine, and mistakes that anybody would see.
use sanqi::games::Variant;
use sanqi_adapter::pgn::read_games;
use sanqi_tests::binary::{adapter, sanqi};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn annotate(pgn: &str, arguments: &[&str]) -> Output {
    let mut child = Command::new(adapter())
        .args(["annotate", "-", "--engine"])
        .arg(sanqi())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the adapter runs");
    // It may have refused its arguments without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(pgn.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn annotated(pgn: &str, arguments: &[&str]) -> (String, String) {
    let output = annotate(pgn, arguments);
    let [text, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(output.status.success(), "{errors}");
    (text, errors)
}

const GAMES: [(Variant, &str); 5] = [
    (Variant::Xiangqi, "1. h3e3 h10g8 2. h1g3 {keep this} i10h10"),
    (Variant::Supply, "1. h3e3 h10g8 2. h1g3 {keep this} i10h10"),
    (Variant::Yangqi, "1. e3e5 e8e7 2. e1f1 {keep this} e10d10"),
    (Variant::YangqiNoSwap, "1. e3e5 e8e7 2. b1d2 {keep this} b10d9"),
    (Variant::Fangqi, "1. d4 c3 2. d3 {keep this} e4"),
];

#[test]
fn every_game_stays_what_it_was_and_gets_evaluations() {
    for (variant, moves) in GAMES {
        let pgn = format!("[White \"A\"]\n[Black \"B\"]\n[Variant \"{variant}\"]\n\n{moves} *\n");
        let (text, errors) = annotated(&pgn, &["--nodes", "500"]);
        let read = |text: &str| read_games(text, None).remove(0).1.unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (before, after) = (read(&pgn), read(&text));
        assert_eq!(before.game.moves(), after.game.moves(), "{text}");
        assert_eq!(after.comments.iter().filter(|c| c.contains("[%eval ")).count(), 4, "{text}");
        assert!(after.comments[2].starts_with("keep this [%eval"), "{text}");
        assert!(after.tag("Annotator").is_some_and(|name| name.starts_with("Sanqi")), "{text}");
        assert_eq!(errors.lines().count(), 2, "{errors}");
        // Annotated again it is the same: nothing piles up, and nodes decide.
        assert_eq!(annotated(&text, &["--nodes", "500"]).0, text);
    }
}

/// Red could take a chariot for nothing, and walks away from it.
#[test]
fn a_blunder_is_one() {
    let fen = "3k5/9/9/9/9/9/9/r8/R8/4K4 w - - 0 1";
    let pgn = format!("[Variant \"xiangqi\"]\n[FEN \"{fen}\"]\n\n1. a2b2 a3a1 *\n");
    let folder = adapter().parent().expect("a folder").join("annotate-tests");
    std::fs::create_dir_all(&folder).unwrap();
    let graph = folder.join("graph.svg");
    let (text, errors) = annotated(&pgn, &["--depth", "6", "--notation", "uci", "--svg", &graph.to_string_lossy()]);
    assert!(text.contains("1. a2b2 $") && text.contains("best a2") && text.contains("(1. a2"), "{text}");
    assert!(
        errors.lines().next().is_some_and(|line| !line.contains(" 0 inaccuracies, 0 mistakes, 0 blunders")),
        "{errors}"
    );
    let graph = std::fs::read_to_string(graph).unwrap();
    assert!(graph.starts_with("<svg") && graph.contains("<title>1. a2b2 "), "{graph}");
}

#[test]
fn what_is_wrong_is_named_and_nothing_written() {
    let good = "[Variant \"fangqi\"]\n\n1. d4 *\n";
    let two = format!("{good}\n{good}");
    let folder = adapter().parent().expect("a folder").join("annotate-faults");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (out, svg) = (folder.join("out.pgn"), folder.join("out.svg"));
    for (pgn, arguments, fault) in [
        ("[Variant \"fangqi\"]\n\n1. d4 d4 *\n", "--nodes 9", "ply 2"),
        ("1. d4 *\n", "--nodes 9", "no Variant tag"),
        ("", "--nodes 9", "no such game"),
        (good, "--nodes 9 --game 2", "the file has 1"),
        (&two, "--nodes 9", "--game"),
        (good, "--nodes 9 --option NoSuch=1", "NoSuch"),
        (good, "--nodes 9 --notation runes", "runes"),
    ] {
        let files = [out.to_string_lossy(), svg.to_string_lossy()];
        let mut words: Vec<&str> = arguments.split(' ').collect();
        words.extend(["--output", &files[0], "--svg", &files[1]]);
        let output = annotate(pgn, &words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(fault), "{arguments}: {errors}");
        assert!(!out.exists() && !svg.exists(), "{arguments}");
    }
}
