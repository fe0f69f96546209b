//! Broken text: recorded positions and moves with letters changed, lost, doubled and exchanged. Reading it never panics; what is
//! accepted all the same is a position that holds together, is written and read back alike, and can be played on.
use sanqi::games::fangqi::Fangqi;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::yangqi::Yangqi;
use sanqi::games::{Outcome, Position, RankBase};
use sanqi_tests::positions::recorded;
use sanqi_tests::random::Random;

const LETTERS: &[u8] = b"KRNBAVCPEHQkrnbavcpehqwbr0123456789/[]-- |+@x.~'\\\0\xc3\xa9\t";

/// One to three small accidents.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
        let letter = *random.pick(LETTERS).expect("letters");
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = letter,
            1 => bytes.insert(at, letter),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() && other < bytes.len() => bytes.swap(at, other),
            4 => bytes.truncate(at.max(1)),
            _ => {
                let part = bytes[at.min(other)..at.max(other)].to_vec();
                bytes.splice(at.min(other)..at.min(other), part);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn withstands<P: Position>() {
    const TEXTS: usize = 60_000;
    let recorded = recorded(P::VARIANT);
    let mut random = Random::new(77);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..TEXTS {
        let source = random.pick(&recorded).expect("recorded positions").clone();
        let text = mutated(&source, &mut random);
        let Ok(mut position) = P::from_fen(&text) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        position.verify().unwrap_or_else(|e| panic!("`{text}`: {e}"));
        let again = P::from_fen(&position.fen()).unwrap_or_else(|e| panic!("`{text}` became {}: {e}", position.fen()));
        assert_eq!(again.fen(), position.fen(), "`{text}`");
        assert_eq!(again.key(), position.key(), "`{text}`");
        for _ in 0..4 {
            if position.result().outcome != Outcome::Ongoing {
                break;
            }
            let moves = position.legal_moves();
            let mv = *random.pick(&moves).expect("an ongoing game has a move");
            let written = position.move_text(mv, RankBase::One);
            let broken = mutated(&written, &mut random);
            if let Ok(read) = position.parse_move(&broken, RankBase::One) {
                assert!(position.is_legal(read), "`{text}` `{broken}`");
            }
            position.make(mv, &mut ());
            position.verify().unwrap_or_else(|e| panic!("`{text}` and on: {e}"));
        }
    }
    // Most accidents must be noticed, and some leave a sound position behind: else this test tries nothing.
    assert!(accepted > TEXTS / 50 && refused > TEXTS / 10, "{accepted} accepted, {refused} refused");
}

#[test]
fn xiangqi() {
    withstands::<Xiangqi>();
}

#[test]
fn supply() {
    withstands::<Supply>();
}

#[test]
fn yangqi() {
    withstands::<Yangqi>();
}

#[test]
fn fangqi() {
    withstands::<Fangqi>();
}
