//! `sanqi-adapter report` on matches that were really played, and the Makefile and the name that OpenBench goes by.
use sanqi_tests::binary::adapter;
use sanqi_tests::matches::Match;
use std::path::Path;
use std::process::{Command, Output};

fn report(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(adapter());
    command.arg("report").args(arguments.split_whitespace()).current_dir(folder);
    command.output().expect("the adapter runs")
}

/// The cells of the table row that begins with `name`.
fn row<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("<tr><td>{name}</td>");
    let line = page.lines().find(|line| line.starts_with(&begin)).unwrap_or_else(|| panic!("no row {name}\n{page}"));
    line.split("<td>").skip(1).map(|cell| cell.split("</td>").next().unwrap_or_default()).collect()
}

#[test]
fn a_match_with_a_test() {
    let played = Match::new("report")
        .engines("", "")
        .options("-variant fangqi -rounds 3 -games 2 -openings random plies=4 -srand 5 -each nodes=1")
        .options("-sprt elo0=0 elo1=5 -pgnout nodes=true");
    let folder = played.folder().to_owned();
    // Games of an earlier match in the same file must not count.
    std::fs::write(folder.join("games.pgn"), "[White \"X\"]\n[Black \"Y\"]\n[Variant \"fangqi\"]\n\n1. d4 1-0\n")
        .unwrap();
    let finished = played.run();
    assert_eq!((finished.status, finished.games.len(), finished.errors.as_str()), (0, 6, ""), "{}", finished.output);
    let done = report(&folder, "config.json --output page.html");
    assert!(done.status.success() && done.stdout.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for part in [
        "<p>6 games of 2 engines: fangqi, 1 nodes, 20",
        "Sequential test",
        "Log-likelihood ratio",
        "Mean time per move",
        "3 openings",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    // Elo, ±, nElo, LOS, games: all that the runner counted.
    assert_eq!(row(&page, "A").get(5), Some(&"6"));
    let won: u64 = row(&page, "A")[6].parse().unwrap();
    assert_eq!(finished.config["stats"]["A vs B"]["wins"], won);
    // The page needs nothing else.
    for foreign in ["src=", "http-equiv", "<link", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // The same from the PGN alone, which has the other match's game too and knows of no test.
    let done = report(&folder, "games.pgn");
    let page = String::from_utf8(done.stdout).unwrap();
    assert!(page.contains("<p>7 games of 4 engines: fangqi, 20") && !page.contains("Sequential test"), "{page}");
    let page = String::from_utf8(report(&folder, "games.pgn --sprt 0 10 --model logistic").stdout).unwrap();
    assert!(page.contains("Sequential test"));
    // A PGN file that has lost games is no whole report.
    let whole = std::fs::read(folder.join("games.pgn")).unwrap();
    std::fs::write(folder.join("games.pgn"), &whole[..whole.len() / 3]).unwrap();
    let done = report(&folder, "config.json");
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!done.status.success() && errors.contains("games, but the journal has 6"), "{errors}");
    // Without its PGN the journal tells who won.
    std::fs::remove_file(folder.join("games.pgn")).unwrap();
    let page = String::from_utf8(report(&folder, "config.json").stdout).unwrap();
    assert!(
        page.contains("<p>6 games of 2 engines: fangqi, 1 nodes (config.json).</p>")
            && page.contains("The games say nothing of it."),
        "{page}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Match::new("report-faults").folder().to_owned();
    let good = "[White \"A<b>\"]\n[Black \"B\"]\n[Variant \"fangqi\"]\n\n1. d4 1-0\n";
    std::fs::write(folder.join("mixed.pgn"), format!("{good}\n[Variant \"fangqi\"]\n\n1. z9 *\n")).unwrap();
    let done = report(&folder, "mixed.pgn --output page.html");
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!done.status.success() && errors.contains("mixed.pgn:7: ply 1"), "{errors}");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("A&lt;b&gt;") && page.contains("1 games could not be read"), "{page}");
    std::fs::write(folder.join("open.pgn"), "[Variant \"fangqi\"]\n\n1. d4 *\n").unwrap();
    std::fs::write(folder.join("broken.json"), "{\"engines\": 3}").unwrap();
    std::fs::write(folder.join("some.games.jsonl"), "{\"entry\":\"start\",\"run\":\"x\",\"pgn\":0,\"epd\":0}\n")
        .unwrap();
    for (arguments, fault) in [
        ("none.pgn", "none.pgn"),
        ("open.pgn", "no finished game"),
        ("broken.json", "broken.json"),
        ("some.games.jsonl", "is the journal of a match"),
        ("mixed.pgn --sprt 5 0", "--sprt"),
        ("mixed.pgn --model other", "other"),
    ] {
        let done = report(&folder, &format!("{arguments} --output no.html"));
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && errors.contains(fault), "{arguments}: {errors}");
        assert!(!folder.join("no.html").exists(), "{arguments}");
    }
}

/// OpenBench names its runner so and gives it no subcommand; `protocol-docs/openbench.md`.
#[cfg(unix)]
#[test]
fn under_the_name_of_fastchess_it_is_the_runner() {
    let folder = Match::new("openbench").folder().to_owned();
    let link = folder.join("fastchess-ob");
    std::os::unix::fs::symlink(adapter(), &link).unwrap();
    let said = |arguments: &[&str]| {
        let done = Command::new(&link).args(arguments).output().expect("it runs");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    assert_eq!(said(&["--version"]), format!("sanqi-adapter match {}\n", env!("CARGO_PKG_VERSION")));
    assert!(said(&["-recover", "-variant", "standard"]).contains("engines"));
}

#[cfg(unix)]
#[test]
fn make_builds_what_openbench_asks_for() {
    let plan = |arguments: &[&str]| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let done = Command::new("make").arg("--dry-run").args(arguments).current_dir(root).output();
        // Who has no make does not build with it.
        done.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()).unwrap_or_default()
    };
    let engine = plan(&["-j", "EXE=Sanqi-1234", "CXX=g++", "EVALFILE=/x"]);
    let both = plan(&["-j", "CXX=g++"]);
    if both.is_empty() {
        return;
    }
    assert!(engine.contains("release/sanqi Sanqi-1234") && !engine.contains("fastchess"), "{engine}");
    assert!(both.contains("release/sanqi sanqi") && both.contains("release/sanqi-adapter fastchess"), "{both}");
}
