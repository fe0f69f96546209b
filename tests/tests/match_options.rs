//! Options of matches that need a match to be seen.
use sanqi_tests::binary;
use sanqi_tests::matches::{Match, folder};
use std::process::Command;

#[test]
fn lines_of_output_are_kept_in_comments() {
    let run = |name: &str, pattern: &str| {
        let options = format!("-variant fangqi -each nodes=1 -rounds 1 -games 1 -pgnout match_line={pattern}");
        Match::new(name).engines("", "").options(&options).run()
    };
    let kept = run("match-line", "^info.depth.1.nodes");
    // Comments are broken into lines at blanks.
    let pgn = kept.pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    let plies = kept.games[0]["plies"].as_u64().unwrap() as usize;
    assert_eq!(pgn.matches(", line=\"info depth 1 nodes 1 score cp 0 time 0 pv P@").count(), plies, "{pgn}");
    assert!(!run("match-no-line", "^bestmove").pgn.contains("line="));
    let wrong = run("match-wrong-line", "(");
    assert!(wrong.status == 1 && wrong.output.contains("-pgnout match_line"), "{}", wrong.output);
}

#[test]
fn warnings_are_switched_off_by_kind() {
    let run = |name: &str, options: &str| {
        let options = format!("-game fangqi -rounds 1 -games 1 -each tc=20 option.Frob=1 -strict {options}");
        Match::new(name).engines("twice=2", "").options(&options).run()
    };
    let all = run("warnings", "");
    assert!(
        all.output.contains("doesn't have option Frob") && all.output.contains("Unexpected move"),
        "{}",
        all.output
    );
    assert_eq!(all.status, 1);
    let some = run("fewer-warnings", "-nowarn option");
    assert!(!some.output.contains("Frob") && some.output.contains("Unexpected move"), "{}", some.output);
    let none = run("no-warnings", "-nowarn option move");
    assert!(!none.output.contains("Warning;"), "{}", none.output);
    assert_eq!(none.status, 0);
}

/// Tables for which nothing but what the engine takes is claimed.
#[test]
fn a_value_that_an_engine_does_not_take_is_not_reported() {
    let engine = |name: &str| format!("-engine cmd={} name={name}", binary::sanqi().display());
    let options = "-variant fangqi -rounds 1 -each nodes=1 option.Threads=1 -maxmoves 2";
    let (first, second) = (engine("A") + " option.Hash=abc", engine("B") + " option.Hash=0");
    let done = Match::new("not-taken").options(&format!("{first} {second} {options}")).run();
    assert!(done.output.contains("Warning; Invalid value for option Hash; abc"), "{}", done.output);
    assert!(done.output.contains("Results of A vs B (1 nodes, 1t, 16MB):"), "{}", done.output);
}

#[test]
fn the_game_is_known_from_the_book() {
    let path = folder().join("some.Yangqi-book.epd");
    std::fs::create_dir_all(folder()).unwrap();
    std::fs::write(&path, "rnbvkvbnr/1c5c1/p1p1p1p1p/1p1p1p1p1/9/9/1P1P1P1P1/P1P1P1P1P/1C5C1/RNBVKVBNR w - - 0 1\n")
        .unwrap();
    let options = format!("-variant standard -rounds 1 -games 1 -each nodes=1 -openings file={}", path.display());
    let finished = Match::new("game-of-book").engines("", "").options(&options).run();
    assert!(finished.pgn.contains("[Variant \"yangqi\"]"), "{}", finished.output);
}

#[test]
fn mate_scores_are_looked_at_when_asked() {
    let run = |name: &str, options: &str| {
        let options = format!("-variant fangqi -rounds 1 -games 1 -each nodes=1 {options}");
        Match::new(name).engines("mate=1", "").options(&options).run().output
    };
    assert!(run("mate-pv", "-check-mate-pvs").contains("Warning; Incomplete mating PV - from A"));
    assert!(!run("mate-pv-off", "").contains("mating"));
}

#[test]
fn a_variant_that_is_not_listed_is_sent_with_a_warning() {
    let finished = Match::new("unlisted")
        .mock("-engine", "A", "ucci", "")
        .mock("-engine", "B", "uci", "")
        .options("-variant yangqi -rounds 1 -games 1 -maxmoves 1 -each nodes=1")
        .run();
    let warnings: Vec<&str> = finished.output.lines().filter(|line| line.starts_with("Warning;")).collect();
    assert_eq!(warnings, ["Warning; Invalid value for option UCI_Variant; yangqi"], "{}", finished.output);
}

#[test]
fn scores_of_a_draw_count_from_the_beginning() {
    let plies = |name: &str, draw: &str| {
        let options = format!("-variant xiangqi -rounds 1 -games 1 -each nodes=1 -draw {draw}");
        Match::new(name).engines("", "").options(&options).run().games[0]["plies"].as_u64()
    };
    // As in fastchess: drawn once the fifth move is complete, though four plies of such scores would do.
    assert_eq!(plies("draw-late", "movenumber=5 movecount=2 score=5"), Some(10));
}

fn compliance(engine: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let done = Command::new(binary::adapter()).args(["match", "--compliance"]).arg(engine).args(arguments).output();
    let done = done.expect("the adapter runs");
    (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
}

#[test]
fn the_engine_complies() {
    let (status, said) = compliance(binary::sanqi(), &[]);
    let expected = [
        "xiangqi: go wtime 1... passed",
        "fangqi: fen, isready in a search, stop... passed",
        "yangqi: go nodes 1... passed",
    ];
    assert!(expected.into_iter().all(|text| said.contains(text)), "{said}");
    assert_eq!((status, said.contains("FAILED")), (Some(0), false), "{said}");
}

#[test]
fn faults_are_found() {
    let (status, said) = compliance(binary::mock_engine(), &["illegal=2"]);
    assert!(said.contains("xiangqi: go wtime 1... FAILED: bestmove: "), "{said}");
    assert_eq!(status, Some(1), "{said}");
    // It answers `go infinite` at once. That is told for what it is, and the games behind it are tried as well.
    let (status, said) = compliance(binary::mock_engine(), &[]);
    for variant in ["xiangqi", "supply", "yangqi", "fangqi"] {
        let expected = format!("{variant}: fen, isready in a search, stop... FAILED: bestmove before stop");
        assert!(said.contains(&expected), "{said}");
    }
    assert!(status == Some(1) && said.contains("quit within a second... passed"), "{said}");
    let (status, said) = compliance(std::path::Path::new("/nonexistent"), &[]);
    assert!(status == Some(1) && said.contains("cannot start"), "{said}");
}

/// What an engine has started goes with it, also when it is a script that runs the engine proper.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_engine_takes_its_children_along() {
    use std::os::unix::fs::PermissionsExt;
    let name = "group";
    let to_run = Match::new(name);
    let (engine, script) = (to_run.folder().join("mock-in-a-group"), to_run.folder().join("engine.sh"));
    std::fs::copy(binary::mock_engine(), &engine).unwrap();
    std::fs::write(&script, format!("#!/bin/sh\n{} hang=2\necho ended\n", engine.display())).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let finished = to_run
        .options(&format!("-engine cmd={} name=A", script.display()))
        .mock("-engine", "B", "uci", "")
        .options("-variant fangqi -rounds 1 -games 1 -recover -each tc=0.3 -stop-ms 200")
        .run();
    assert!(finished.output.contains("White's connection stalls"), "{}", finished.output);
    let runs = |entry: std::io::Result<std::fs::DirEntry>| {
        let line = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        String::from_utf8_lossy(&line).contains("mock-in-a-group").then_some(())
    };
    assert_eq!(std::fs::read_dir("/proc").unwrap().filter_map(runs).count(), 0);
}
