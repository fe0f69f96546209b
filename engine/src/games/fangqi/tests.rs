//! What can only be seen from inside, and properties of random games.
use super::*;
use crate::board::bits::Squares;
use crate::games::perft;

/// A random game from the start position; calls `visit` with every position of it.
fn random_game(seed: u64, mut visit: impl FnMut(&Fangqi)) {
    let mut position = Fangqi::start();
    let mut state = seed;
    loop {
        visit(&position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let (next, value) = zobrist::split_mix(state);
        state = next;
        // Half of the time towards the first moves in the list, so that stones crowd and squares arise.
        let range = if value & 1 == 0 { moves.len() } else { moves.len().min(4) };
        let mv = moves[(value >> 8) as usize % range];
        position.make(mv, &mut ());
    }
}

/// FQ-3 as the text has it, point by point.
fn captures_by_definition(own: u64, enemy: u64, point: u8) -> u64 {
    let own = own | 1 << point;
    let on = |set: u64, file: i32, rank: i32| {
        (0..7).contains(&file) && (0..7).contains(&rank) && set >> (rank * 7 + file) & 1 == 1
    };
    let (file, rank) = (i32::from(point) % 7, i32::from(point) / 7);
    let mut captures = 0;
    for (left, below) in [(file - 1, rank - 1), (file, rank - 1), (file - 1, rank), (file, rank)] {
        let inside = [(left, below), (left + 1, below), (left, below + 1), (left + 1, below + 1)];
        if inside.iter().all(|&(f, r)| on(own, f, r)) {
            for (f, r) in inside.iter().flat_map(|&(f, r)| [(f - 1, r), (f + 1, r), (f, r - 1), (f, r + 1)]) {
                if on(enemy, f, r) {
                    captures |= 1 << (r * 7 + f);
                }
            }
        }
    }
    captures
}

#[test]
fn the_position_is_small() {
    assert!(size_of::<Fangqi>() <= 40, "{}", size_of::<Fangqi>());
}

#[test]
fn fq_3_captures_agree_with_the_definition_and_noisy_moves_are_those_that_capture() {
    let mut captured = 0;
    for seed in 0..60 {
        random_game(seed, |position| {
            let (own, enemy) = (position.stones(position.side()), position.stones(!position.side()));
            let mut noisy = MoveListPair::default();
            position.generate(Generate::Noisy, &mut noisy.0);
            position.generate(Generate::Quiet, &mut noisy.1);
            assert_eq!(noisy.0.len() + noisy.1.len(), position.count_legal());
            for &mv in position.legal_moves().iter() {
                let expected = captures_by_definition(own, enemy, mv.to());
                assert_eq!(position.effect(mv.to()).captures, expected, "{position:?} {mv:?}");
                assert_eq!(position.is_noisy(mv), expected != 0);
                assert_eq!(noisy.0.contains(&mv), expected != 0, "{} {mv:?}", position.fen());
                assert_eq!(noisy.1.contains(&mv), expected == 0);
                captured += expected.count_ones();
            }
        });
    }
    assert!(captured > 100, "the games must contain captures: {captured}");
}

#[derive(Default)]
struct MoveListPair(crate::games::MoveList, crate::games::MoveList);

#[test]
fn random_games_keep_every_invariant() {
    for seed in 0..200 {
        let mut plies = 0;
        random_game(seed, |position| {
            plies += 1;
            assert_eq!(position.verify(), Ok(()));
            let fen = position.fen();
            assert_eq!(Fangqi::from_fen(&fen).as_ref(), Ok(position), "{fen}");
            for word in 0..=u16::MAX {
                let mv = Move(word);
                if position.is_legal(mv) {
                    assert!(position.legal_moves().contains(&mv));
                    let text = position.move_text(mv, RankBase::One);
                    assert_eq!(position.parse_move(&text, RankBase::One), Ok(mv));
                }
            }
        });
        // FQ-7: forty placements, so forty-one positions.
        assert_eq!(plies, 41);
    }
}

#[test]
fn the_observer_sees_what_happens() {
    #[derive(Default)]
    struct Board([u64; 2], [i32; 2]);
    impl Observer for Board {
        fn add(&mut self, piece: usize, square: u8) {
            assert_eq!(self.0[piece] >> square & 1, 0);
            self.0[piece] |= 1 << square;
        }
        fn remove(&mut self, piece: usize, square: u8) {
            assert_eq!(self.0[piece] >> square & 1, 1);
            self.0[piece] &= !(1 << square);
        }
        fn reserve(&mut self, piece: usize, before: u8, count: u8) {
            self.1[piece] += i32::from(count) - i32::from(before);
        }
    }
    let mut board = Board::default();
    let mut position = Fangqi::from_fen("7/2pp3/1pP1p2/1pPPp2/2pp3/7/7 w - - 0 9").unwrap();
    for color in Color::ALL {
        Squares(position.stones(color)).for_each(|point| board.add(color.index(), point));
        board.1[color.index()] = i32::from(position.hand(color));
    }
    let mv = position.parse_move("P@d5", RankBase::One).unwrap();
    position.make(mv, &mut board);
    assert_eq!(board.0, position.stones);
    assert_eq!(board.1, position.hand.map(i32::from));
}

#[test]
fn keys_tell_hands_and_sides_apart() {
    let fens = ["7/7/7/7/7/7/7[Pp] w", "7/7/7/7/7/7/7[Pp] b", "7/7/7/7/7/7/7[Ppp] w", "7/7/7/7/7/7/7[PPp] w"];
    let keys = fens.map(|fen| Fangqi::from_fen(fen).unwrap().key());
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{}", fens[i]);
    }
    // Different orders of the same quiet placements meet.
    let line = |moves: [&str; 3]| {
        let mut position = Fangqi::start();
        moves.iter().for_each(|m| position.make(position.parse_move(m, RankBase::One).unwrap(), &mut ()));
        position.key()
    };
    assert_eq!(line(["P@a1", "P@d4", "P@g7"]), line(["P@g7", "P@d4", "P@a1"]));
}

#[test]
fn order_hints_prefer_threats_and_denials() {
    let position = Fangqi::from_fen("7/7/7/1PPp3/1p5/4pp1/4p1P w - - 0 9").unwrap();
    let hint = |text: &str| position.order_hint(position.parse_move(text, RankBase::One).unwrap());
    assert!(hint("P@f1") > hint("P@a7"), "spoils a square of three");
    assert!(hint("P@b5") > hint("P@a7"), "makes a square of three");
    assert!(hint("P@d1") < hint("P@a7"), "stands beside an enemy square of three");
}

#[test]
fn perft_of_the_start_position_by_symmetry() {
    // FQ-1, FQ-2: with no capture possible yet the counts are falling factorials.
    assert_eq!(perft(&Fangqi::start(), 3), 49 * 48 * 47);
}
