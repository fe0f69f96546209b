//! Xiangqi against the positions in `data/`, which were counted by other programs.
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::{Position, RankBase, perft};
use sanqi_tests::positions::json_lines;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    fen: String,
    #[serde(default)]
    moves: Option<Vec<String>>,
    #[serde(default)]
    perft: Vec<u64>,
    check: Option<bool>,
}

fn cases(file: &str) -> Vec<Case> {
    json_lines(file).into_iter().map(|line| serde_json::from_value(line).expect("a case")).collect()
}

fn moves_of(position: &Xiangqi) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect();
    moves.sort();
    moves
}

#[test]
fn start_position_is_read_and_written() {
    let start = Xiangqi::start();
    assert_eq!(start.fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    assert_eq!(start.verify(), Ok(()));
}

/// SX-1: moves, checks and counts of random positions.
#[test]
fn random_positions() {
    let cases = cases("xiangqi_random.jsonl");
    assert_eq!(cases.len(), 40);
    for case in cases {
        let position = Xiangqi::from_fen(&case.fen).expect(&case.fen);
        assert_eq!(position.fen(), case.fen);
        let mut expected = case.moves.expect("moves");
        expected.sort();
        assert_eq!(moves_of(&position), expected, "{}", case.fen);
        assert_eq!(Some(position.in_check()), case.check, "{}", case.fen);
        for (depth, &nodes) in (1..).zip(&case.perft) {
            assert_eq!(perft(&position, depth), nodes, "depth {depth} of {}", case.fen);
        }
    }
}

#[test]
fn perft_counts() {
    let lines = json_lines("perft.jsonl").into_iter().filter(|line| line["variant"] == "xiangqi");
    let cases: Vec<Case> = lines.map(|line| serde_json::from_value(line).expect("a case")).collect();
    assert!(!cases.is_empty());
    for case in cases {
        let position = Xiangqi::from_fen(&case.fen).expect(&case.fen);
        for (depth, &nodes) in (1..).zip(&case.perft) {
            assert_eq!(perft(&position, depth), nodes, "depth {depth} of {}", case.fen);
        }
    }
}
