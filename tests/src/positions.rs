//! Positions to test on: the recorded ones, and those of seeded random games that begin there.
use crate::random::Random;
use sanqi::games::{Outcome, Position, Variant};
use std::path::PathBuf;

/// The folder with the recorded positions.
pub fn data_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The JSON lines of a file of [`data_dir`].
///
/// # Panics
/// The file cannot be read or a line is not JSON.
pub fn json_lines(name: &str) -> Vec<serde_json::Value> {
    let path = data_dir().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e}: {line}"))).collect()
}

/// The FENs of every recorded position of `variant`.
///
/// # Panics
/// As [`json_lines`].
pub fn recorded(variant: Variant) -> Vec<String> {
    // The reduced game has no records of its own; every yangqi position is one of its positions.
    let name = if variant == Variant::YangqiNoSwap { Variant::Yangqi.name() } else { variant.name() };
    let mut files: Vec<_> = std::fs::read_dir(data_dir())
        .expect("the data folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| file.ends_with(".jsonl") && file.starts_with(&format!("{name}_")))
        .collect();
    files.sort();
    let counted = json_lines("perft.jsonl").into_iter().filter(|line| line["variant"] == name);
    let lines = files.iter().flat_map(|file| json_lines(file)).chain(counted);
    lines.filter_map(|line| line["fen"].as_str().map(str::to_owned)).collect()
}

/// Random games: calls `visit` with `count` positions. Half of the games begin at the start position, the others at recorded ones, and every
/// fourth move is a noisy one where there is any, since purely random games hardly ever empty the board.
///
/// # Panics
/// A recorded position is refused.
pub fn random_games<P: Position>(seed: u64, count: usize, mut visit: impl FnMut(&P)) {
    /// Longer games only shuffle pieces about.
    const PLIES: usize = 160;
    let recorded = recorded(P::VARIANT);
    let mut random = Random::new(seed);
    let mut left = count;
    while left > 0 {
        let fen = random.pick(&recorded).filter(|_| random.clone().below(2) == 0);
        let mut position = fen.map_or_else(P::start, |fen| P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}")));
        random.next_u64();
        for _ in 0..PLIES.min(left) {
            visit(&position);
            left -= 1;
            if position.result().outcome != Outcome::Ongoing {
                break;
            }
            let moves = position.legal_moves();
            let noisy: Vec<_> = moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect();
            let mv = if random.below(4) == 0 { random.pick(&noisy) } else { None }.or_else(|| random.pick(&moves));
            position.make(*mv.expect("an ongoing game has a move"), &mut ());
        }
    }
}
