//! The solver against plain minimax that knows nothing but the rules.
use super::*;
use crate::board::Color;
use crate::board::zobrist::split_mix;

/// The value's sign by minimax over the rules alone.
fn minimax(position: &Fangqi) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return sign_of(position);
    }
    let mut best = -1;
    for &mv in moves.iter() {
        best = best.max(-minimax(&position.after(mv)));
        if best == 1 {
            break;
        }
    }
    best
}

/// The difference of stones at the end, by minimax without pruning. Good only where no game ends early (FQ-6).
fn best_difference(position: &Fangqi) -> i32 {
    let (board, left) = parts(position);
    if left == 0 {
        return board.difference();
    }
    position.legal_moves().iter().map(|&mv| -best_difference(&position.after(mv))).max().unwrap_or(board.difference())
}

fn sign_of(position: &Fangqi) -> i32 {
    match position.result().outcome {
        Outcome::Win(side) if side == position.side() => 1,
        Outcome::Win(_) => -1,
        Outcome::Draw | Outcome::Ongoing => 0,
    }
}

/// A random position with few empty points, so that minimax is quick: `stones` on the board, hands as given.
fn crowded(state: &mut u64, empty: usize, hands: (usize, usize)) -> Fangqi {
    let mut board = [[' '; 7]; 7];
    let mut next = || {
        let (following, value) = split_mix(*state);
        *state = following;
        (value >> 16) as usize
    };
    let clumps = next() % 3;
    for (rank, row) in board.iter_mut().enumerate() {
        for (file, cell) in row.iter_mut().enumerate() {
            // Halves and stripes give both sides squares nearly complete; noise mixes them.
            let ordered = match clumps {
                0 => next() % 2 == 0,
                1 => file < 3,
                _ => rank % 4 < 2,
            };
            *cell = if ordered == (next() % 5 != 0) { 'P' } else { 'p' };
        }
    }
    let mut holes = 0;
    while holes < empty {
        let (rank, file) = (next() % 7, next() % 7);
        if board[rank][file] != '1' {
            board[rank][file] = '1';
            holes += 1;
        }
    }
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    let side = if next() % 2 == 0 { 'w' } else { 'b' };
    let fen = format!("{}[{}{}] {side}", rows.join("/"), "P".repeat(hands.0), "p".repeat(hands.1));
    Fangqi::from_fen(&fen).unwrap()
}

/// The table is that of other positions, too: what it knows is true of all.
fn check(position: &Fangqi, threads: usize, table: &mut ExactTable) {
    let control = Control::new(false);
    let resources = Resources { threads, hash_mib: 1, deadline: None, control: &control };
    let Some(solved) = solve_in(table, position, &resources, &mut |_| {}) else {
        assert!(!position.has_legal());
        return;
    };
    let fen = position.fen();
    let expected = minimax(position);
    assert_eq!(solved.sign, expected, "{fen}");
    assert_eq!(solved.pv.first(), Some(&solved.best));
    // The line is legal, ends with the game, and ends as promised.
    let mut end = *position;
    for &mv in &solved.pv {
        assert!(end.is_legal(mv), "{fen}");
        end.make(mv, &mut ());
    }
    assert!(!end.has_legal(), "{fen}");
    assert_eq!(end.result().outcome, solved.outcome, "{fen}");
    assert_eq!(minimax(&position.after(solved.best)), -expected, "{fen}");
    if let Some(difference) = solved.difference {
        assert_eq!(difference.signum(), expected, "{fen}");
        let left = placements_left(position);
        if left <= 4 && position.empty().count_ones() >= left {
            let value = best_difference(position);
            assert_eq!(difference, value, "{fen}");
            assert_eq!(-best_difference(&position.after(solved.best)), value, "{fen}");
        }
    }
}

#[test]
fn agrees_with_minimax_with_up_to_six_stones_left() {
    let (mut state, mut table) = (7, ExactTable::new(1).unwrap());
    for round in 0..600usize {
        let left = round % 6 + 1;
        let empty = left + round / 6 % 4;
        // Equal hands, one more, or many more in the hand of one.
        let hands = match round % 3 {
            0 => (left.div_ceil(2), left / 2),
            1 => (left / 2, left.div_ceil(2)),
            _ => (left / 2 + 1, left / 2 + round / 7 % 3),
        };
        let position = crowded(&mut state, empty, hands);
        check(&position, round % 2 + 1, &mut table);
        // The same stones and as many placements left, with more in the hand that will not be emptied.
        let (own, enemy) = (position.hand(position.side()), position.hand(!position.side()));
        let (place, more) = if position.side() == Color::White { ("]", "p]") } else { ("[", "[P") };
        let fen = position.fen();
        let richer = if own <= enemy { fen.replacen(place, more, 1) } else { fen };
        check(&Fangqi::from_fen(&richer).unwrap(), 1, &mut table);
    }
}

/// What is known of stones with so many placements left is not taken for what they are worth with more or fewer.
#[test]
fn the_same_stones_with_other_numbers_of_placements_left() {
    let (mut state, mut table) = (21, ExactTable::new(1).unwrap());
    for round in 0..60 {
        let fen = crowded(&mut state, 6 + round % 2, (1, 1)).fen();
        let (board, rest) = (fen.split('[').next().unwrap(), fen.split(']').nth(1).unwrap());
        for (own, enemy) in [(2, 2), (3, 2), (2, 3), (3, 3), (2, 2)] {
            let fen = format!("{board}[{}{}]{rest}", "P".repeat(own), "p".repeat(enemy));
            check(&Fangqi::from_fen(&fen).unwrap(), 1, &mut table);
        }
    }
}

#[test]
fn agrees_with_minimax_when_the_board_may_fill_up() {
    let (mut state, mut table) = (99, ExactTable::new(1).unwrap());
    for round in 0..300 {
        let empty = round % 5 + 1;
        check(&crowded(&mut state, empty, (round % 4 + 2, round / 4 % 4 + 2)), 1, &mut table);
    }
}

#[test]
fn what_is_known_is_not_searched_again_and_late_is_too_late() {
    let position = Fangqi::from_fen("3p2P/ppPPPp1/PpppPPP/ppP1pPp/PpPpP2/2pppPp/1PPP3[PPPppp] w - - 0 18").unwrap();
    let control = Control::new(false);
    let mut resources = Resources { threads: 1, hash_mib: 1, deadline: Some(Instant::now()), control: &control };
    let mut table = ExactTable::new(1).unwrap();
    assert_eq!(solve_in(&mut table, &position, &resources, &mut |_| {}), None);
    assert_eq!(table.touched, 0, "memory is handed out in time, too");
    resources.deadline = None;
    let mut nodes = || solve_in(&mut table, &position, &resources, &mut |_| {}).unwrap().nodes;
    let (first, second) = (nodes(), nodes());
    assert!(second * 10 < first, "{first} {second}");
}

/// A process keeps its table: positions of long ago must not crowd out those that are asked for again.
#[test]
fn what_an_earlier_search_left_goes_first_and_then_the_least_work() {
    let mut table = ExactTable::new(1).unwrap();
    let known = |best| Known { low: 0, high: 3, best };
    let stored = |table: &ExactTable, left| (0..5).map(|own| table.probe(0, own, 0, left)).collect::<Vec<_>>();
    (0..4).for_each(|own| table.store(0, own, 0, 18, known(own as u8)));
    table.age();
    (0..2).for_each(|own| table.store(0, own, 0, 4, known(own as u8)));
    assert_eq!(stored(&table, 4), [Some(known(0)), Some(known(1)), None, None, None]);
    assert_eq!(stored(&table, 18).iter().flatten().count(), 2);
    (2..4).for_each(|own| table.store(0, own, 0, 5, known(own as u8)));
    assert_eq!(stored(&table, 18), [None; 5]);
    table.store(0, 4, 0, 6, known(4));
    assert_eq!(stored(&table, 5), [None, None, Some(known(2)), Some(known(3)), None]);
    assert_eq!(stored(&table, 4).iter().flatten().count(), 1);
}

#[test]
fn is_none_when_stopped_or_over() {
    let control = Control::new(false);
    assert_eq!(solve(&Fangqi::from_fen("7/7/7/7/7/7/P6[] w").unwrap(), 1, 1, &control, &mut |_| {}), None);
    control.stop();
    assert_eq!(solve(&Fangqi::start(), 2, 1, &control, &mut |_| {}), None);
}
