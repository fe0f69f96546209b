//! Perft once more, with the keys under test: counts gathered under a position's key are the counts of plain perft, and at every inner
//! node all that is kept incrementally is counted afresh.
use sanqi::games::fangqi::Fangqi;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::yangqi::Yangqi;
use sanqi::games::{Position, Variant};
use sanqi_tests::positions::json_lines;
use std::collections::HashMap;

fn hashed<P: Position>(position: &P, depth: u32, seen: &mut HashMap<(u64, u32), u64>) -> u64 {
    position.verify().unwrap_or_else(|e| panic!("{}: {e}", position.fen()));
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let place = (position.key(), depth);
            if let Some(&count) = seen.get(&place) {
                return count;
            }
            let moves = position.legal_moves();
            let count = moves.iter().map(|&mv| hashed(&position.after(mv), depth - 1, seen)).sum();
            seen.insert(place, count);
            count
        }
    }
}

/// Recorded counts of more leaves than this are left to plain perft.
const LEAVES: u64 = 6_000_000;

fn agrees<P: Position>(variant: Variant) {
    let (mut counted, mut hits) = (0, 0);
    for line in json_lines("perft.jsonl").iter().filter(|line| line["variant"] == variant.name()) {
        let fen = line["fen"].as_str().expect("a FEN");
        let position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let counts = line["perft"].as_array().expect("counts").iter().map(|count| count.as_u64().expect("a count"));
        for (depth, expected) in (1..).zip(counts).filter(|&(_, count)| count <= LEAVES) {
            let mut seen = HashMap::new();
            assert_eq!(hashed(&position, depth, &mut seen), expected, "{fen} depth {depth}");
            counted += 1;
            hits += usize::from(depth > 2);
        }
    }
    assert!(counted > 2 && hits > 0, "{variant}: hardly any recorded counts");
}

#[test]
fn xiangqi() {
    agrees::<Xiangqi>(Variant::Xiangqi);
}

#[test]
fn supply() {
    agrees::<Supply>(Variant::Supply);
}

#[test]
fn yangqi() {
    agrees::<Yangqi>(Variant::Yangqi);
}

#[test]
fn fangqi() {
    agrees::<Fangqi>(Variant::Fangqi);
}
