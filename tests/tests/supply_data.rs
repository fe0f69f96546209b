//! Supply Xiangqi, one board, against the positions in `data/`.
use sanqi::games::supply::Supply;
use sanqi::games::{Position, RankBase, Record, perft};
use sanqi_tests::positions::json_lines;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    why: String,
    fen: String,
    #[serde(default)]
    after: Vec<String>,
    end_fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    perft: Vec<u64>,
    result: Option<String>,
    check: Option<bool>,
}

fn cases(file: &str) -> Vec<Case> {
    json_lines(file).into_iter().map(|line| serde_json::from_value(line).expect("a case")).collect()
}

fn check_case(case: &Case) {
    let start = Supply::from_fen(&case.fen).expect(&case.fen);
    let mut game = Record::new(start);
    for word in &case.after {
        game.push_text(word, RankBase::One).expect(word);
        assert_eq!(game.position().verify(), Ok(()));
    }
    let position = game.position();
    assert_eq!(&position.fen(), case.end_fen.as_ref().unwrap_or(&case.fen), "{}", case.why);
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect();
    moves.sort();
    let mut expected = case.moves.clone();
    expected.sort();
    assert_eq!(moves, expected, "{} {}", case.why, case.fen);
    let result = game.result().outcome.to_string();
    assert_eq!(result, case.result.as_deref().unwrap_or("*"), "{} {}", case.why, case.fen);
    if let Some(check) = case.check {
        assert_eq!(position.in_check(), check, "{}", case.fen);
    }
    for (depth, &nodes) in (1..).zip(&case.perft) {
        assert_eq!(perft(position, depth), nodes, "depth {depth} of {}", case.fen);
    }
}

/// Every case of the edge file names its rule in words: drop points (WHW-SXQ-003, 004), no check by a drop (WHW-SXQ-005, SX-3), loss
/// (WHW-SXQ-006, SX-4), the hundred turns (WHW-SXQ-007, SX-5), moves (SX-1).
#[test]
fn edge_positions() {
    let cases = cases("supply_edge.jsonl");
    assert!(cases.len() >= 18);
    cases.iter().for_each(check_case);
}

#[test]
fn random_positions() {
    let cases = cases("supply_random.jsonl");
    assert!(cases.len() >= 40);
    cases.iter().for_each(check_case);
}

#[test]
fn perft_counts() {
    let lines = json_lines("perft.jsonl").into_iter().filter(|line| line["variant"] == "supply");
    let cases: Vec<Case> = lines.map(|line| serde_json::from_value(line).expect("a case")).collect();
    assert!(cases.len() >= 4);
    for case in cases {
        let position = Supply::from_fen(&case.fen).expect(&case.fen);
        for (depth, &nodes) in (1..).zip(&case.perft) {
            assert_eq!(perft(&position, depth), nodes, "depth {depth} of {}", case.fen);
        }
    }
}
