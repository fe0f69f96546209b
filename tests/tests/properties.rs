//! What holds for every game, on thousands of positions of seeded random games. A new game joins with one line at the end.
use sanqi::board::Color;
use sanqi::eval::{Evaluate, FULL_PHASE, Layer, MAX_EVALUATION};
use sanqi::games::moves::Count;
use sanqi::games::position::Repetition;
use sanqi::games::{Generate, Move, MoveList, Notation, Outcome, Position, RankBase, Reason, Variant, perft};
use sanqi_tests::positions::random_games;
use sanqi_tests::symmetry::{self, View};
use std::collections::{BTreeSet, HashMap};

const BASES: [RankBase; 2] = [RankBase::Zero, RankBase::One];
const NOTATIONS: [Notation; 3] = [Notation::Native, Notation::Iccs, Notation::CannonC];

fn generated<P: Position>(position: &P, which: Generate) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(which, &mut list);
    list.to_vec()
}

fn set(moves: &[Move]) -> BTreeSet<Move> {
    moves.iter().copied().collect()
}

/// Pieces on the board, White's and Black's.
fn men<P: Evaluate>(position: &P) -> [usize; 2] {
    let (files, ranks) = P::dimensions();
    let mut men = [0; 2];
    for piece in (0..files * ranks).filter_map(|square| position.piece_at(square as u8)) {
        men[P::color_of(piece).index()] += 1;
    }
    men
}

/// Every legal move, made: nothing that is kept incrementally goes astray, the observer saw it all, and what the move says of itself
/// beforehand comes true.
fn moves_are_made_right<P: Evaluate>() {
    let (mut moves, mut foreseen) = (0, 0);
    random_games::<P>(1, 4000, |before| {
        let fen = before.fen();
        before.verify().unwrap_or_else(|e| panic!("{fen}: {e}"));
        let sums = before.accumulate();
        for &mv in before.legal_moves().iter() {
            let text = before.move_text(mv, RankBase::One);
            let (mut after, mut kept) = (before.clone(), sums.clone());
            after.make(mv, &mut kept);
            after.verify().unwrap_or_else(|e| panic!("{fen} {text}: {e}"));
            assert_eq!(after.fen(), before.after(mv).fen(), "{fen} {text}: an observer changes the move");
            assert!(kept == after.accumulate(), "{fen} {text}: sums kept {kept:?}, counted {:?}", after.accumulate());
            assert_ne!(after.side(), before.side(), "{fen} {text}");
            moves += 1;
            foreseen += usize::from(before.key_after(mv) == after.key());

            assert!(before.history_index(mv) < P::HISTORY, "{fen} {text}");
            assert!(before.piece_to(mv) < P::PIECE_TO, "{fen} {text}");
            assert!(before.captured(mv) < P::CAPTURED, "{fen} {text}");
            let enemy = (!before.side()).index();
            let (had, has) = (men(before), men(&after));
            assert_eq!(
                before.captured(mv) > 0,
                has[enemy] < had[enemy],
                "{fen} {text}: captured {}",
                before.captured(mv)
            );
            assert!(before.captured(mv) == 0 || before.is_noisy(mv), "{fen} {text}: a quiet capture");

            let counted = after.halfmove();
            assert!(counted == 0 || counted == before.halfmove() + 1, "{fen} {text}: half-move counter {counted}");
            if before.captured(mv) > 0 {
                assert_eq!(counted, 0, "{fen} {text}: a capture is counted");
            }
        }
        assert_eq!(before.fen(), fen);
    });
    // Xiangqi's keys are all foreseen, drops too; elsewhere a few kinds of moves may be left out.
    let most = if matches!(P::VARIANT, Variant::Xiangqi | Variant::Supply) { moves } else { moves * 8 / 10 };
    assert!(foreseen >= most, "{foreseen} of {moves} keys are foreseen");
}

/// All = Noisy + Quiet, nothing twice, counting agrees with listing, and the judge of single moves with the generator.
fn generators_agree<P: Position>() {
    random_games::<P>(2, 12_000, |position| {
        let fen = position.fen();
        let all = generated(position, Generate::All);
        let noisy = generated(position, Generate::Noisy);
        let quiet = generated(position, Generate::Quiet);
        assert_eq!(set(&all).len(), all.len(), "{fen}: a move is listed twice");
        assert_eq!(noisy.len() + quiet.len(), all.len(), "{fen}: noisy {noisy:?} quiet {quiet:?}");
        assert_eq!(&set(&noisy) | &set(&quiet), set(&all), "{fen}");
        assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{fen}");
        assert!(!quiet.iter().any(|&mv| position.is_noisy(mv)), "{fen}");
        assert!(!all.contains(&Move::NONE), "{fen}: no move is a move");
        for (which, moves) in [(Generate::All, &all), (Generate::Noisy, &noisy), (Generate::Quiet, &quiet)] {
            let mut count = Count::default();
            position.generate(which, &mut count);
            assert_eq!(count.0, moves.len(), "{fen}: {which:?}");
        }
        assert_eq!(position.count_legal(), all.len(), "{fen}");
        assert_eq!(position.has_legal(), !all.is_empty(), "{fen}");
        assert!(all.iter().all(|&mv| position.is_legal(mv)), "{fen}");
    });
}

/// Of all 65,536 words exactly the generated ones are legal.
fn no_other_word_is_legal<P: Position>() {
    let mut turn = 0;
    random_games::<P>(3, 12_000, |position| {
        turn += 1;
        if turn % 40 == 0 {
            let legal: BTreeSet<Move> = (0..=u16::MAX).map(Move).filter(|&mv| position.is_legal(mv)).collect();
            assert_eq!(legal, set(&position.legal_moves()), "{}", position.fen());
        }
    });
}

/// A FEN and a move mean the same when they are read back.
fn text_round_trips<P: Position>() {
    random_games::<P>(4, 8000, |position| {
        let fen = position.fen();
        let read = P::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(read.fen(), fen);
        assert_eq!(read.key(), position.key(), "{fen}");
        assert_eq!(read.halfmove(), position.halfmove(), "{fen}");
        assert_eq!(read.reserves(), position.reserves(), "{fen}");
        assert_eq!(read.legal_moves().as_slice(), position.legal_moves().as_slice(), "{fen}");
        read.verify().unwrap_or_else(|e| panic!("{fen}: {e}"));
        for base in BASES {
            for &mv in position.legal_moves().iter() {
                let text = position.move_text(mv, base);
                for spelled in [text.to_ascii_lowercase(), text.to_ascii_uppercase(), text] {
                    assert_eq!(position.parse_move(&spelled, base), Ok(mv), "{fen} {spelled}");
                }
            }
        }
    });
}

/// Every text that has the form of a move: from square to square, with and without promotion, and drops.
fn every_move_text<P: Position>(base: RankBase) -> Vec<String> {
    const LETTERS: [char; 11] = ['K', 'R', 'N', 'B', 'V', 'C', 'A', 'P', 'E', 'H', 'Q'];
    let (files, ranks) = P::dimensions();
    let squares: Vec<String> = (0..ranks)
        .flat_map(|rank| (0..files).map(move |file| sanqi::games::text::square_name(file, rank, base)))
        .collect();
    let drops = LETTERS.iter().flat_map(|letter| squares.iter().map(move |square| format!("{letter}@{square}")));
    let mut texts: Vec<String> = drops.collect();
    for from in &squares {
        for to in &squares {
            texts.push(format!("{from}{to}"));
            // Promotions happen on the first and last rank; two more ranks stand for those where they do not.
            let rank = to.get(1..).and_then(|rank| rank.parse::<usize>().ok()).expect("a square") - base.offset();
            if [0, 4, ranks - 2, ranks - 1].contains(&rank) {
                let promotions = LETTERS.iter().map(|letter| format!("{from}{to}{}", letter.to_ascii_lowercase()));
                texts.extend(promotions);
            }
        }
    }
    texts
}

/// The other spellings of a move that the protocol states, upper and lower case apart: the partner of a king swap named first, `A` for the
/// vao, and `E` and `H` for elephant and horse.
fn other_spellings<P: Position>(position: &P, mv: Move, base: RankBase) -> Vec<String> {
    let (files, ranks) = P::dimensions();
    let text = position.move_text(mv, base);
    let read = |text: &'_ str| {
        sanqi::games::text::read_square(text, files, ranks, base).map(|(f, r, rest)| (f, r, rest.len()))
    };
    match (P::VARIANT, text.split_at(1)) {
        (Variant::Supply, ("B", rest)) => vec![format!("E{rest}")],
        (Variant::Supply, ("N", rest)) => vec![format!("H{rest}")],
        (Variant::Yangqi | Variant::YangqiNoSwap, _) if text.ends_with('v') => {
            vec![format!("{}a", text.trim_end_matches('v'))]
        }
        (Variant::Yangqi, _) => {
            let (file, rank, left) = read(&text).expect("a square");
            let (from, to) = text.split_at(text.len() - left);
            let piece = |file: usize, rank: usize| position.piece_at((rank * files + file) as u8).map(P::piece_letter);
            let (moved, met) = (piece(file, rank), read(to).and_then(|(file, rank, _)| piece(file, rank)));
            let own = |met: char| moved.is_some_and(|moved| moved.is_ascii_uppercase() == met.is_ascii_uppercase());
            if moved.is_some_and(|moved| moved.eq_ignore_ascii_case(&'k')) && met.is_some_and(own) {
                vec![format!("{to}{from}")]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}

/// Whatever looks like a move and is none is refused; whatever is read is the move that it says.
fn no_other_text_is_a_move<P: Position>() {
    let texts = BASES.map(|base| (base, every_move_text::<P>(base)));
    let mut turn = 0;
    random_games::<P>(5, 6000, |position| {
        turn += 1;
        if turn % 100 != 0 {
            return;
        }
        let fen = position.fen();
        for (base, texts) in &texts {
            let mut expected = HashMap::new();
            for &mv in position.legal_moves().iter() {
                expected.insert(position.move_text(mv, *base), mv);
                expected.extend(other_spellings(position, mv, *base).into_iter().map(|text| (text, mv)));
            }
            let canonical = position.legal_moves().len();
            let mut read = 0;
            for text in texts {
                let found = position.parse_move(text, *base).ok();
                assert_eq!(found, expected.get(text).copied(), "{fen} {text} {base:?}");
                read += usize::from(found.is_some());
            }
            assert_eq!(read, expected.len(), "{fen}: the texts tried miss a legal move");
            assert!(read >= canonical, "{fen}: two moves have one text");
        }
        for text in [
            "", " ", "0000", "e2", "e2e", "e2e4e6", "a1a2qq", "P@", "@e4", "P@e4e5", "PP@e4", "z1a1", "a99a1", "é1a1",
            "a1é1", "P@é1",
        ] {
            for base in BASES {
                assert!(position.parse_move(text, base).is_err(), "{fen} `{text}`");
            }
        }
    });
}

/// Seen from the other side, or in a mirror, a position has the same moves, tree and value.
fn symmetric<P: Evaluate>() {
    let mut turn = 0;
    random_games::<P>(6, 10_000, |position| {
        turn += 1;
        let fen = position.fen();
        let value = position.evaluate(&position.accumulate());
        let texts = |p: &P| p.legal_moves().iter().map(|&mv| p.move_text(mv, RankBase::One)).collect::<BTreeSet<_>>();
        for view in [View::OtherSide, View::Mirror] {
            let seen = symmetry::fen(&fen, view, P::dimensions());
            let other = P::from_fen(&seen).unwrap_or_else(|e| panic!("{view:?} of {fen}: {e}"));
            let moves = texts(position).iter().map(|text| symmetry::move_text(text, view, P::dimensions())).collect();
            // A swap is written king first on both sides, so no move changes its spelling.
            assert_eq!(texts(&other), moves, "{fen} and {seen}");
            assert_eq!(other.in_check(), position.in_check(), "{fen} and {seen}");
            // A network is trained on mirrored positions as well, but is not exactly symmetric.
            if view == View::OtherSide || <P::Layer as Layer>::NAME != "network" {
                assert_eq!(other.evaluate(&other.accumulate()), value, "{fen} and {seen}");
            }
            let outcome = match (position.result().outcome, view) {
                (Outcome::Win(color), View::OtherSide) => Outcome::Win(!color),
                (outcome, _) => outcome,
            };
            assert_eq!(other.result().outcome, outcome, "{fen} and {seen}");
            assert_eq!(other.result().reason, position.result().reason, "{fen} and {seen}");
            if turn % 20 == 0 {
                assert_eq!(perft(&other, 2), perft(position, 2), "{fen} and {seen}");
            }
        }
    });
}

/// The value is what the counted features say, and within bounds.
fn evaluation_is_its_features<P: Evaluate>() {
    random_games::<P>(7, 10_000, |position| {
        let fen = position.fen();
        let phase = position.phase();
        assert!((0..=FULL_PHASE).contains(&phase), "{fen}: phase {phase}");
        let mut sums = [0; 2];
        for (index, count) in position.trace().0 {
            sums[0] += P::WEIGHTS[index].opening() * count;
            sums[1] += P::WEIGHTS[index].end() * count;
        }
        let linear = (sums[0] * phase + sums[1] * (FULL_PHASE - phase)) / FULL_PHASE;
        let layer: i32 = position.terms().iter().filter(|t| t.name == <P::Layer as Layer>::NAME).map(|t| t.value).sum();
        let white = position.adjust(linear + layer);
        let mover = if position.side() == Color::White { white } else { -white };
        let value = position.evaluate(&position.accumulate());
        assert_eq!(value, mover.clamp(-MAX_EVALUATION, MAX_EVALUATION), "{fen}");
        // Rounding costs each group less than a centipawn.
        let terms: i32 = position.terms().iter().map(|term| term.value).sum();
        let apart = (terms - linear - layer).unsigned_abs() as usize;
        assert!(apart <= P::GROUPS.len(), "{fen}: terms {terms}, whole {linear} + {layer}");
    });
    assert_eq!(P::GROUPS.last().map(|&(_, end)| end), Some(P::WEIGHTS.len()), "the groups leave weights out");
    assert!(P::GROUPS.is_sorted_by(|a, b| a.1 < b.1), "the groups are not in order");
}

/// Two positions have the same key exactly when they are the same but for the counters.
fn key_is_the_position<P: Position>() {
    let (mut by_key, mut by_text) = (HashMap::new(), HashMap::new());
    random_games::<P>(8, 20_000, |position| {
        let fen = position.fen();
        let mut fields = fen.split_whitespace();
        let text =
            [fields.next(), fields.next(), fields.next(), fields.next()].map(Option::unwrap_or_default).join(" ");
        let key = position.key();
        if let Some(earlier) = by_key.insert(key, text.clone()) {
            assert_eq!(earlier, text, "one key, {key:x}");
        }
        if let Some(earlier) = by_text.insert(text, key) {
            assert_eq!(earlier, key, "{fen} has two keys");
        }
    });
}

/// A pass changes whose turn it is and nothing that is kept goes astray.
fn null_move_is_sound<P: Position>() {
    random_games::<P>(9, 10_000, |position| {
        let fen = position.fen();
        let _ = position.null_move_is_sound();
        if P::NULL_MOVE && !position.in_check() {
            let mut passed = position.clone();
            passed.make_null();
            passed.verify().unwrap_or_else(|e| panic!("{fen} passed: {e}"));
            assert_ne!(passed.side(), position.side(), "{fen}");
            assert_ne!(passed.key(), position.key(), "{fen}");
            assert_eq!(passed.reserves(), position.reserves(), "{fen}");
            passed.make_null();
            passed.verify().unwrap_or_else(|e| panic!("{fen} passed twice: {e}"));
            // An en passant right is gone with the first pass; all else is back.
            assert_eq!(passed.fen().split_whitespace().next(), fen.split_whitespace().next());
            assert_eq!(passed.side(), position.side(), "{fen}");
        }
    });
}

/// Checks, their givers and the result by one position tell one story.
fn results_are_consistent<P: Position>() {
    random_games::<P>(10, 20_000, |position| {
        let fen = position.fen();
        assert_eq!(position.in_check(), !position.checkers().is_empty(), "{fen}");
        let (files, ranks) = P::dimensions();
        for square in position.checkers() {
            assert!(usize::from(square) < files * ranks && position.piece_at(square).is_some(), "{fen}: {square}");
        }
        let result = position.result();
        if position.has_legal() {
            let drawn = position.rule_draw();
            assert_eq!(result.outcome == Outcome::Draw, drawn.is_some(), "{fen}");
            assert_eq!(result.reason, drawn.unwrap_or(Reason::Ongoing), "{fen}");
        } else {
            assert_ne!(result.outcome, Outcome::Ongoing, "{fen}: no move and no result");
            assert_eq!(result, position.no_moves(), "{fen}");
            assert_eq!(result.reason == Reason::Checkmate, position.in_check(), "{fen}");
        }
        assert!(P::REPETITION != Repetition::Never || position.halfmove() == 0, "{fen}");
    });
}

/// No two moves of a position are written alike, and none is written as nothing.
fn notation_tells_moves_apart<P: Position>() {
    random_games::<P>(11, 10_000, |position| {
        for notation in NOTATIONS {
            let mut seen = HashMap::new();
            for &mv in position.legal_moves().iter() {
                let text = position.san(mv, notation);
                assert!(!text.trim().is_empty(), "{} {mv:?}", position.fen());
                if let Some(other) = seen.insert(text.clone(), mv) {
                    let [a, b] = [mv, other].map(|mv| position.move_text(mv, RankBase::One));
                    panic!("{}: {a} and {b} are both {text} in {notation:?}", position.fen());
                }
            }
        }
    });
}

/// Whatever is worth more than a threshold is worth more than any lower one.
fn exchanges_are_ordered<P: Position>() {
    const THRESHOLDS: [i32; 9] = [-20_000, -900, -300, -100, 0, 100, 300, 900, 20_000];
    random_games::<P>(12, 3000, |position| {
        for &mv in position.legal_moves().iter() {
            let verdicts = THRESHOLDS.map(|threshold| position.see(mv, threshold));
            let text = position.move_text(mv, RankBase::One);
            assert!(verdicts.is_sorted_by(|low, high| low >= high), "{} {text}: {verdicts:?}", position.fen());
            assert!(position.gain(mv) >= 0 || position.captured(mv) == 0, "{} {text}", position.fen());
        }
    });
}

macro_rules! games {
    ($($name:ident: $position:ty;)*) => {$(
        mod $name {
            type Game = $position;
            games!(@tests moves_are_made_right generators_agree no_other_word_is_legal text_round_trips
                no_other_text_is_a_move symmetric evaluation_is_its_features key_is_the_position null_move_is_sound
                results_are_consistent notation_tells_moves_apart exchanges_are_ordered);
        }
    )*};
    (@tests $($property:ident)*) => {$(
        #[test]
        fn $property() {
            super::$property::<Game>();
        }
    )*};
}

games! {
    xiangqi: sanqi::games::xiangqi::Xiangqi;
    supply: sanqi::games::supply::Supply;
    yangqi: sanqi::games::yangqi::Yangqi;
    yangqi_no_swap: sanqi::games::yangqi::YangqiNoSwap;
    fangqi: sanqi::games::fangqi::Fangqi;
}
