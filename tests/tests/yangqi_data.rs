//! Yáng Qí against recorded positions: legal moves, checks, positions after moves, numbers of leaves.
use sanqi::games::yangqi::{Yangqi, YangqiNoSwap};
use sanqi::games::{Generate, Move, MoveList, Position, RankBase, perft};
use sanqi_tests::positions::{json_lines, random_games};
use serde_json::Value;
use std::collections::BTreeSet;

/// Deeper counts are left to release runs.
const MAX_LEAVES: u64 = 10_000_000;

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().map_or(Vec::new(), |items| items.iter().filter_map(Value::as_str).collect())
}

fn check_record(line: &Value) {
    let fen = line["fen"].as_str().expect("a FEN");
    let mut position = Yangqi::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(position.verify(), Ok(()), "{fen}");
    for text in strings(&line["after"]) {
        let mv = position.parse_move(text, RankBase::One).unwrap_or_else(|error| panic!("{fen}: {error}"));
        position.make(mv, &mut ());
        assert_eq!(position.verify(), Ok(()), "{fen} after {text}");
    }
    if let Some(end) = line["end_fen"].as_str() {
        assert_eq!(position.fen(), end, "from {fen}");
    }
    if let Some(check) = line["check"].as_bool() {
        assert_eq!(position.in_check(), check, "{fen}");
        assert_eq!(position.checkers().is_empty(), !check, "{fen}");
    }
    if line["moves"].is_array() {
        let expected: BTreeSet<String> = strings(&line["moves"]).into_iter().map(str::to_owned).collect();
        let found: BTreeSet<String> =
            position.legal_moves().iter().map(|&mv| position.move_text(mv, RankBase::One)).collect();
        assert_eq!(found, expected, "{fen}");
        assert_eq!(position.count_legal(), expected.len(), "{fen}");
    }
    for (depth, leaves) in (1..).zip(line["perft"].as_array().map_or(&[][..], Vec::as_slice)) {
        let leaves = leaves.as_u64().expect("a count");
        if leaves <= MAX_LEAVES {
            assert_eq!(perft(&position, depth), leaves, "{fen} depth {depth}");
        }
    }
}

#[test]
fn random_records() {
    json_lines("yangqi_random.jsonl").iter().for_each(check_record);
}

#[test]
fn edge_records() {
    json_lines("yangqi_edge.jsonl").iter().for_each(check_record);
}

#[test]
fn perft_records() {
    let lines = json_lines("perft.jsonl");
    let of_game: Vec<&Value> = lines.iter().filter(|line| line["variant"] == "yangqi").collect();
    assert!(!of_game.is_empty());
    of_game.into_iter().for_each(check_record);
}

/// The legality of every word, the two halves of the moves and the kept values, against the full generator.
fn check_consistency<P: Position>(position: &P) {
    let fen = position.fen();
    assert_eq!(position.verify(), Ok(()), "{fen}");
    let all: BTreeSet<Move> = position.legal_moves().iter().copied().collect();
    assert_eq!(all.len(), position.count_legal(), "{fen}");
    let halves = [Generate::Noisy, Generate::Quiet].map(|which| {
        let mut list = MoveList::new();
        position.generate(which, &mut list);
        list
    });
    assert!(halves[0].iter().all(|&mv| position.is_noisy(mv)), "{fen}");
    assert!(halves[1].iter().all(|&mv| !position.is_noisy(mv)), "{fen}");
    assert_eq!(halves[0].len() + halves[1].len(), all.len(), "{fen}");
    assert_eq!(halves.iter().flat_map(|half| half.iter().copied()).collect::<BTreeSet<_>>(), all, "{fen}");
    for word in 0..=u16::MAX {
        assert_eq!(position.is_legal(Move(word)), all.contains(&Move(word)), "{fen}: word {word}");
    }
    for &mv in &all {
        let text = position.move_text(mv, RankBase::Zero);
        assert_eq!(position.parse_move(&text.to_ascii_uppercase(), RankBase::Zero), Ok(mv), "{fen}: {text}");
        assert!(position.history_index(mv) < P::HISTORY && position.piece_to(mv) < P::PIECE_TO);
        assert!(position.captured(mv) < P::CAPTURED);
        let mut next = position.clone();
        next.make(mv, &mut ());
        assert_eq!(next.verify(), Ok(()), "{fen}: {text}");
        let reread = P::from_fen(&next.fen()).unwrap_or_else(|error| panic!("{}: {error}", next.fen()));
        assert_eq!((reread.key(), reread.fen()), (next.key(), next.fen()), "{fen}: {text}");
    }
}

#[test]
fn every_word_is_judged_like_the_generator_judges() {
    random_games(11, 1500, check_consistency::<Yangqi>);
    random_games(12, 500, check_consistency::<YangqiNoSwap>);
}
