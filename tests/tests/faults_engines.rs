//! Engines that do what no engine should to those who drive them: a gigabyte of output, and no reading of input.
use sanqi_tests::binary::mock_engine;
use sanqi_tests::gtp::Gtp;
use sanqi_tests::matches::Match;
use std::process::Child;

/// A game of a faulty engine, the first player, with a good one.
fn game(name: &str, fault: &str, more: &str) -> Match {
    Match::new(name).engines(fault, "").options("-variant fangqi -rounds 1 -games 1 -recover").options(more)
}

/// The most memory that a process has held until its end, in KiB.
#[cfg(target_os = "linux")]
fn peak(child: &mut Child) -> u64 {
    let mut most = 0;
    while child.try_wait().expect("its state").is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        // A process that is just ending has none any more.
        most = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(most);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    most
}

/// The runner keeps nothing of a gigabyte, on both outputs, and the game goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_gigabyte_of_output_takes_no_memory() {
    let options = "-each tc=600 -ping-ms 600000";
    let quiet = game("quiet", "", options);
    let usual = peak(&mut quiet.start());
    let loud = game("gigabyte", "gigabyte=2", options);
    let mut child = loud.start();
    // The warnings go there, and are few.
    let most = peak(&mut child);
    assert!(child.wait().expect("it ends").success());
    let games = loud.journal();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0]["termination"], "normal", "{games:?}");
    assert!(usual > 0 && most < usual + 16 * 1024, "{most} KiB, with a good engine {usual} KiB");
}

/// An engine that never reads is ruled, by its silence or because its pipe is full; nobody waits for it for ever.
#[test]
fn an_engine_that_never_reads_is_given_up() {
    let stalled = game("deaf", "deaf", "-each tc=0.2 timemargin=50 -stop-ms 300").run();
    assert_eq!((stalled.status, stalled.games.len()), (0, 1), "{}", stalled.output);
    assert_eq!(stalled.games[0]["reason"], "White's connection stalls", "{}", stalled.output);
    let text = format!("-each tc=5 option.Text={}", "x".repeat(100_000));
    let full = game("deaf-full", "deaf", &text).run();
    assert_eq!((full.status, full.games.len()), (1, 0), "{}", full.output);
    assert!(full.output.contains("engine A: no answer to `write` within"), "{}", full.output);
    let mock = mock_engine().to_string_lossy();
    let mut gtp = Gtp::start(&["--engine", &mock, "--engine-arg", "deaf", "--movetime", "100", "--margin", "300"]);
    assert_eq!(gtp.ask("genmove b"), "? engine hangs: no move within 400 ms");
    assert_eq!(gtp.ok("gogui-rules_side_to_move"), "black");
}
