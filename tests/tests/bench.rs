//! The benchmark's node count is the fingerprint of the search: the same on every run and machine, and the one that the last commit
//! which changed the search has put on record as `Bench: N`.
use sanqi_tests::binary;
use std::path::Path;
use std::process::Command;

/// The node count of `sanqi bench`.
fn bench(arguments: &[&str]) -> u64 {
    let output = Command::new(binary::sanqi()).arg("bench").args(arguments).output().expect("sanqi runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    let words: Vec<&str> = stdout.lines().last().unwrap_or_default().split_whitespace().collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("the last line is not `N nodes M nps`: {stdout}") };
    assert!(speed.parse::<u64>().is_ok_and(|speed| speed > 0), "{stdout}");
    let told = |name: &str| stderr.lines().find(|line| line.starts_with(name)).map(str::to_owned);
    let searched = told("Nodes searched").and_then(|line| line.rsplit(' ').next()?.parse().ok());
    assert!(told("Total time (ms)").is_some() && told("Nodes/second").is_some(), "{stderr}");
    let nodes = nodes.parse().expect("a number");
    assert_eq!(searched, Some(nodes), "{stderr}");
    nodes
}

#[test]
fn the_same_every_time() {
    let small = ["16", "1", "5"];
    assert_eq!(bench(&small), bench(&small));
}

#[test]
fn as_the_log_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let log = Command::new("git").args(["log", "--format=%B"]).current_dir(root).output();
    let log = log.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let recorded = log.lines().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse::<u64>().ok());
    match recorded {
        Some(recorded) => {
            assert_eq!(bench(&[]), recorded, "the search has changed: end the commit message with `Bench: N`")
        }
        None => println!("skipped: no `Bench: N` in the history at hand"),
    }
}
