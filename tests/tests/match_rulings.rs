//! What the match runner rules when an engine misbehaves, shown with an engine that does so on demand.
use sanqi_tests::matches::{self, Match};

/// One game of the faulty engine (first player) against a well-behaved one.
fn game(name: &str, fault: &str, more: &str) -> matches::Finished {
    Match::new(name)
        .engines(fault, "")
        .options("-variant fangqi -rounds 1 -games 1 -recover -each tc=5 timemargin=50")
        .options(more)
        .run()
}

#[track_caller]
fn ruled(finished: &matches::Finished, result: &str, text: &str, termination: &str) {
    assert_eq!(finished.status, 0, "{}", finished.output);
    let [game] = finished.games.as_slice() else { panic!("one game: {}", finished.output) };
    assert_eq!((game["result"].as_str(), game["termination"].as_str()), (Some(result), Some(termination)));
    assert!(game["reason"].as_str().unwrap().starts_with(text), "{game}");
    // The way OpenBench reads it.
    let line = finished.output.lines().find(|l| l.contains("Finished game")).expect("the line of the game");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((words[2], words[6]), ("1", result), "{line}");
    assert!(line.split_once(':').unwrap().1.contains(text), "{line}");
    assert!(finished.pgn.contains(&format!("[Termination \"{termination}\"]")), "{}", finished.pgn);
}

#[test]
fn anything_but_a_legal_move_loses() {
    for fault in ["illegal=2", "none=1", "null=3", "empty=2", "resign=2"] {
        let finished = game(&format!("illegal-{fault}"), fault, "");
        ruled(&finished, "0-1", "White makes an illegal move", "illegal move");
        assert!(finished.output.contains("Warning; Illegal move"), "{}", finished.output);
    }
}

#[test]
fn a_late_move_loses() {
    let finished = game("late", "late=2", "-each tc=0.2");
    ruled(&finished, "0-1", "White loses on time (", "time forfeit");
}

#[test]
fn a_flood_of_output_stops_no_clock() {
    let finished = game("flood", "flood=2", "-each tc=0.3");
    ruled(&finished, "0-1", "White loses on time (", "time forfeit");
}

#[test]
fn an_engine_that_does_not_answer_stalls() {
    ruled(&game("hang", "hang=2", "-each tc=0.2 -stop-ms 300"), "0-1", "White's connection stalls", "abandoned");
    ruled(&game("unready", "unready=2", "-ping-ms 300"), "0-1", "White's connection stalls", "abandoned");
    // Without a clock silence is what counts.
    let finished = game("silent", "hang=2", "-each tc=inf depth=1 -ping-ms 300");
    ruled(&finished, "0-1", "White's connection stalls", "abandoned");
}

#[test]
fn an_engine_that_ends_disconnects_and_its_last_words_are_shown() {
    let finished = game("exit", "exit=2", "");
    ruled(&finished, "0-1", "White disconnects", "abandoned");
    assert!(finished.errors.contains("! mock engine: leaving"), "{}", finished.errors);
    assert!(finished.errors.contains("> go "), "{}", finished.errors);
}

#[test]
fn what_does_not_matter_is_not_punished() {
    for fault in ["crlf", "garbage", "twice=2"] {
        let finished = game(&format!("harmless-{fault}"), fault, "");
        assert_eq!(finished.games[0]["termination"], "normal", "{fault}: {}", finished.output);
        let stray = finished.output.contains("Warning; Unexpected move");
        assert_eq!(stray, fault == "twice=2", "{}", finished.output);
    }
}

#[test]
fn after_a_crash_a_new_process_plays_on() {
    let finished = Match::new("recover")
        .engines("exit=2", "")
        .options("-variant fangqi -rounds 2 -games 2 -recover -each tc=5")
        .run();
    assert_eq!((finished.status, finished.games.len()), (0, 4), "{}", finished.output);
    assert!(finished.games.iter().all(|g| g["reason"].as_str().unwrap().ends_with("disconnects")));
    assert!(finished.output.contains("Ptnml(0-2): [2, 0, 0, 0, 0]"), "{}", finished.output);
}

#[test]
fn without_recover_a_crash_ends_the_match() {
    let finished =
        Match::new("no-recover").engines("exit=2", "").options("-variant fangqi -rounds 2 -games 2 -each tc=5").run();
    assert_eq!((finished.status, finished.games.len()), (1, 1), "{}", finished.output);
    assert!(finished.output.contains("To resume the tournament, run: "), "{}", finished.output);
    let reason = "Game 1 stalled / disconnected and no recover option set for engine, stopping tournament.";
    assert!(finished.output.contains(reason), "{}", finished.output);
}

#[test]
fn an_engine_that_never_speaks_ends_the_match() {
    let finished = game("mute", "mute", "-startup-ms 300");
    assert_eq!((finished.status, finished.games.len()), (1, 0), "{}", finished.output);
    assert!(finished.output.contains("Error; engine A: no answer to `uci` within 300 ms"), "{}", finished.output);
}

#[test]
fn strict_makes_a_warning_fatal() {
    let finished = game("strict", "twice=2", "-strict -rounds 5");
    assert_eq!((finished.status, finished.games.len()), (1, 1), "{}", finished.output);
    assert!(finished.output.contains("Tournament was interrupted"), "{}", finished.output);
}

#[test]
fn forfeits_are_summed_up() {
    let finished = game("summed-up", "exit=2", "-recover -rounds 2 -games 2");
    assert!(finished.output.contains("\nPlayer: A\n  Timeouts: 0\n  Crashed: 4\n"), "{}", finished.output);
}

#[test]
fn both_cannot_mate() {
    let finished = Match::new("sign")
        .engines("mate=1", "mate=1")
        .options("-variant fangqi -rounds 1 -games 1 -each nodes=1")
        .run();
    let text = "Warning; Sign mismatch in mate scores 3 and 3 from A (White) and B (Black)\n";
    assert!(finished.output.contains(text), "{}", finished.output);
}
