//! The files of matches: what is lost is noticed, and nothing is written over that somebody may want.
use sanqi_tests::binary;
use sanqi_tests::matches::{Finished, Match, folder};
use std::fs;

const GAMES: &str = "-variant fangqi -each nodes=1 -openings random plies=4 -srand 2 -games 2";

fn pgn_check(name: &str) -> String {
    let mut command = std::process::Command::new(binary::adapter());
    let done = command.args(["pgn", "check", "games.pgn"]).current_dir(folder().join(name)).output();
    String::from_utf8_lossy(&done.expect("the adapter runs").stdout).into_owned()
}

/// A match of four games in which the first one crashes an engine, which ends it: unfinished, with one game.
fn unfinished(name: &str) -> Finished {
    let done = Match::new(name).engines("", "exit=9").options(&format!("{GAMES} -rounds 2 -epdout file=end.epd")).run();
    assert_eq!((done.status, done.games.len()), (1, 1), "{}", done.output);
    done
}

/// Another match in the same folder.
fn next(name: &str, options: &str) -> Finished {
    let options = format!("{GAMES} -rounds 1 -pgnout file=games.pgn {options}");
    Match::again(name).engines("", "").options(&options).run()
}

#[test]
fn a_match_does_not_go_on_with_an_output_that_has_lost_games() {
    let name = "lost";
    let options = format!("{GAMES} -rounds 1 -epdout file=end.epd");
    let first = Match::new(name).engines("", "").options(&options).run();
    assert_eq!((first.status, first.games.len()), (0, 2), "{}", first.output);
    let resume = || Match::again(name).options("-config file=config.json -rounds 2").run();
    for file in ["games.pgn", "end.epd"] {
        let path = folder().join(name).join(file);
        let whole = fs::read(&path).unwrap();
        let expected = format!("should have at least {}", whole.len());
        for cut in [Some(whole.len() / 2), None] {
            match cut {
                Some(cut) => fs::write(&path, &whole[..cut]).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let refused = resume();
            assert!(refused.status == 1 && refused.output.contains(file), "{}", refused.output);
            assert!(refused.output.contains(&expected), "{}", refused.output);
            assert_eq!(fs::read(&path).ok().map(|bytes| bytes.len()), cut, "it is left as it was");
        }
        fs::write(&path, &whole).unwrap();
    }
    // What is longer has a game that the journal does not know.
    fs::write(folder().join(name).join("games.pgn"), format!("{}\n[Event \"half", first.pgn)).unwrap();
    let done = resume();
    assert_eq!((done.status, done.games.len()), (0, 4), "{}", done.output);
    assert_eq!(pgn_check(name), "games.pgn: 4 games, 0 faulty\n");
}

#[test]
fn an_unfinished_match_is_set_aside_and_can_be_resumed() {
    let name = "aside";
    unfinished(name);
    let at = |file: &str| folder().join(name).join(file);
    // Half a game, as a kill may leave it: behind it other games are to come.
    fs::write(at("games.pgn"), format!("{}\n[Event \"half", fs::read_to_string(at("games.pgn")).unwrap())).unwrap();
    let second = next(name, "");
    assert_eq!((second.status, second.games.len()), (0, 2), "{}", second.output);
    assert!(second.output.contains("match -config file=config.1.json\n"), "{}", second.output);
    assert_eq!(pgn_check(name), "games.pgn: 3 games, 0 faulty\n");
    let third = Match::again(name).options("-config file=config.1.json -recover").run();
    assert_eq!(third.status, 0, "{}", third.output);
    assert_eq!(pgn_check(name), "games.pgn: 6 games, 0 faulty\n");
    let journal = fs::read_to_string(at("config.1.games.jsonl")).unwrap();
    assert_eq!(journal.matches("\"entry\":\"game\"").count(), 4, "{journal}");
    // The games of one match, though those of the other stand among them in the PGN file.
    for (config, games) in [("config.1.json", "<p>4 games"), ("config.json", "<p>2 games")] {
        let mut command = std::process::Command::new(binary::adapter());
        let done =
            command.args(["report", config]).current_dir(folder().join(name)).output().expect("the adapter runs");
        let page = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success() && page.contains(games), "{config}: {page}");
    }
    // A finished match makes room for the next.
    let fourth = next(name, "");
    assert!(fourth.status == 0 && !fourth.output.contains("unfinished"), "{}", fourth.output);
    assert!(!at("config.2.json").exists());
}

#[test]
fn an_unfinished_match_is_not_kept_for_workers() {
    let name = "worker";
    unfinished(name);
    let done = next(name, "-testEnv");
    assert!(done.status == 0 && !folder().join(name).join("config.1.json").exists(), "{}", done.output);
}

#[test]
fn games_of_an_unfinished_match_are_not_removed() {
    let name = "emptied";
    let first = unfinished(name);
    let refused = next(name, "-pgnout append=false");
    assert!(refused.status == 1 && refused.output.contains("`games.pgn` has the games of the unfinished match"));
    assert_eq!((refused.pgn, refused.config), (first.pgn, first.config));
}

#[test]
fn outputs_are_refused_that_would_destroy_something() {
    let name = "outputs";
    let at = |file: &str| folder().join(name).join(file);
    let run = |options: &str| {
        let done = Match::again(name).engines("", "").options(&format!("{GAMES} -rounds 1 {options}")).run();
        (done.status, done.output)
    };
    let first = Match::new(name).engines("", "").options(&format!("{GAMES} -rounds 1")).run();
    fs::write(at("notes"), "my notes").unwrap();
    for (options, part) in [
        ("-config outname=notes", "`notes` is no configuration"),
        ("-config outname=games.pgn", "`games.pgn` is no configuration"),
        ("-config file=config.json outname=notes", "`notes` is no configuration"),
        ("-config file=config.games.jsonl", "`config.games.jsonl` is the journal of a match"),
        ("-pgnout file=z -config outname=z", "-config outname and -pgnout name one file"),
        ("-pgnout file=z -epdout file=./z", "-pgnout and -epdout name one file"),
        ("-epdout file=z -log file=z", "-epdout and -log name one file"),
        ("-pgnout file=config.games.jsonl", "the journal of -config outname and -pgnout"),
        ("-pgnout file=none/z", "`none/z`"),
        ("-epdout file=none/z", "`none/z`"),
        ("-config outname=none/z", "`none/z.games.jsonl`"),
    ] {
        // Beside a configuration to be resumed stand no engines.
        let (status, output) = if options.starts_with("-config file") {
            let done = Match::again(name).options(options).run();
            (done.status, done.output)
        } else {
            run(options)
        };
        assert!(status == 1 && output.contains(part), "{options}: {output}");
        assert!(!at("z").exists() && !at("none").exists(), "{options}");
    }
    assert_eq!(fs::read_to_string(at("notes")).unwrap(), "my notes");
    assert_eq!(fs::read_to_string(at("games.pgn")).unwrap(), first.pgn);
    // What holds nothing is no file of anybody.
    fs::write(at("empty"), "").unwrap();
    assert_eq!(run("-config outname=empty -pgnout file=/dev/null").0, 0);
}
