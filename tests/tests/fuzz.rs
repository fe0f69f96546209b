//! What reads text from outside withstands the shared inputs, and seeded mutations of them. `tests/fuzz` does the same without end.
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use sanqi_tests::targets;

/// One accident that happens to an input.
#[derive(Debug, Clone)]
enum Accident {
    Replace(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// A part of it once more, somewhere else.
    Repeat(Index, Index, usize),
    /// A part of another input.
    Cross(Index, Index, Index, usize),
    Truncate(Index),
}

fn accident() -> impl Strategy<Value = Accident> {
    const WORDS: &[&str] =
        &["\n", " ", "\0", "\u{feff}", "[", "]", "\"", "{", "}", "9999999999999999999999", "-1", "1e309", "é", "|"];
    let letter = prop_oneof![select(&b"KRNBAVCPEHQkrnbavcpwb0123456789/[]- |+@=.;(){}\"\\:,\n"[..]), any::<u8>()];
    let length = 1..40usize;
    prop_oneof![
        4 => (any::<Index>(), letter).prop_map(|(at, byte)| Accident::Replace(at, byte)),
        2 => (any::<Index>(), select(WORDS)).prop_map(|(at, word)| Accident::Insert(at, word.as_bytes().to_vec())),
        1 => (any::<Index>(), vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Accident::Insert(at, bytes)),
        3 => (any::<Index>(), length.clone()).prop_map(|(at, length)| Accident::Remove(at, length)),
        3 => (any::<Index>(), any::<Index>(), length.clone()).prop_map(|(at, to, n)| Accident::Repeat(at, to, n)),
        3 => (any::<Index>(), any::<Index>(), any::<Index>(), length).prop_map(|(o, a, t, n)| Accident::Cross(o, a, t, n)),
        1 => any::<Index>().prop_map(Accident::Truncate),
    ]
}

fn happen(data: &mut Vec<u8>, accident: &Accident, corpus: &[Vec<u8>]) {
    let place = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
    let part = |bytes: &[u8], at: usize, length: usize| bytes[at..bytes.len().min(at + length)].to_vec();
    match accident {
        Accident::Replace(at, byte) if !data.is_empty() => {
            let at = at.index(data.len());
            data[at] = *byte;
        }
        Accident::Insert(at, bytes) => {
            let at = place(at, data);
            data.splice(at..at, bytes.iter().copied());
        }
        Accident::Remove(at, length) => {
            let at = place(at, data);
            data.drain(at..data.len().min(at + length));
        }
        Accident::Repeat(at, to, length) => {
            let bytes = part(data, place(at, data), *length);
            let to = place(to, data);
            data.splice(to..to, bytes);
        }
        Accident::Cross(other, at, to, length) => {
            let other = other.get(corpus);
            let bytes = part(other, place(at, other), *length);
            let to = place(to, data);
            data.splice(to..to, bytes);
        }
        Accident::Truncate(at) => data.truncate(place(at, data)),
        Accident::Replace(..) => {}
    }
}

/// Tries the shared inputs as they are, and then `count` of them to which accidents have happened.
fn withstands(name: &str, count: u32) {
    let target = targets::find(name);
    let corpus = target.corpus();
    corpus.iter().for_each(|data| (target.run)(data));
    let config = Config { cases: count, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let inputs = (select(corpus.clone()), vec(accident(), 1..8)).prop_map(move |(mut data, accidents)| {
        accidents.iter().for_each(|accident| happen(&mut data, accident, &corpus));
        data
    });
    match runner.run(&inputs, |data| {
        (target.run)(&data);
        Ok(())
    }) {
        Ok(()) => {}
        Err(TestError::Fail(why, data)) => {
            panic!("{why}\nthe input, for tests/corpus/{name}: b\"{}\"", data.escape_ascii())
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

macro_rules! targets {
    ($($name:ident $count:expr;)*) => {
        $(#[test]
        fn $name() {
            withstands(stringify!($name), $count);
        })*

        #[test]
        fn no_target_is_left_out() {
            assert_eq!([$(stringify!($name)),*], targets::ALL.map(|target| target.name));
        }
    };
}

// So many that each takes some seconds, two minutes together.
targets! {
    fen 240_000;
    moves 24_000;
    team 80_000;
    pgn 32_000;
    bpgn 24_000;
    replay 24_000;
    sgf 240_000;
    positions 12_000;
    uci 6_000;
    ucci 6_000;
    engine_output 240_000;
    gtp 800;
    xboard 400;
    ics 240;
}
