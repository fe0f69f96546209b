//! Random matches of the two-board game (WHW-SXQ-001, 002, 007, 008, SX-2, SX-4, SX-6, SX-8): what holds at every turn of every match.
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove, team_of};
use sanqi::games::xiangqi::piece::PieceType;
use sanqi::games::{Outcome, Position, RankBase};
use sanqi_tests::random::Random;
use std::collections::HashMap;

/// Letters of a FEN's board and of its reserves, counted apart.
fn letters(fen: &str) -> (HashMap<char, i32>, HashMap<char, i32>) {
    let place = fen.split_whitespace().next().expect("a board");
    let (board, reserves) = place.split_once('[').expect("reserves");
    let count = |text: &str| {
        let mut letters = HashMap::new();
        text.chars().filter(char::is_ascii_alphabetic).for_each(|letter| *letters.entry(letter).or_default() += 1);
        letters
    };
    (count(board), count(reserves))
}

/// A random turn on a random running board (SX-8: either may be next, whatever happened on the other); captures are preferred, so
/// that reserves fill. `None` when both boards have ended.
fn turn(game: &TeamGame, random: &mut Random) -> Option<TeamMove> {
    let running = game.first_running()?;
    let other_runs = !game.has_ended(running.other());
    let board = if other_runs && random.below(2) == 0 { running.other() } else { running };
    let moves = game.legal_moves(board);
    let captures: Vec<_> = moves.iter().copied().filter(|&mv| game.position(board).captured(mv) > 0).collect();
    let mv = if random.below(3) > 0 { random.pick(&captures) } else { None }.or_else(|| random.pick(&moves));
    Some(TeamMove { board, mv: *mv.expect("a running board has a move") })
}

/// Turns after which a match is left unfinished.
const TURNS: usize = 400;

/// Plays one random match and checks every turn, texts included.
fn play(seed: u64) -> TeamGame {
    let mut random = Random::new(seed);
    let mut game = TeamGame::new();
    for _ in 0..TURNS {
        let Some(played) = turn(&game, &mut random) else { break };
        let board = played.board;
        let text = game.move_text(played, RankBase::One);
        assert_eq!(game.parse_move(&text, RankBase::One), Ok(played), "{} {text}", game.fen());

        let (before, fen) = (game.clone(), game.fen());
        let sent = game.push(played).unwrap_or_else(|e| panic!("{fen} {text}: {e}"));
        assert_eq!(game.pieces(), 64, "{fen} {text} (SX-2)");
        for board in BoardId::ALL {
            game.position(board).verify().unwrap_or_else(|e| panic!("{fen} {text}: {e}"));
        }
        let (old_board, old_reserves) = letters(&before.position(board.other()).fen());
        let (new_board, new_reserves) = letters(&game.position(board.other()).fen());
        assert_eq!(old_board, new_board, "{fen} {text}: the other board stands still");
        // WHW-SXQ-002: what is captured here is there for the team-mate, in his colour: the same letter.
        let (here_before, _) = letters(&before.position(board).fen());
        let (here_after, _) = letters(&game.position(board).fen());
        let mover_is_white = before.position(board).side() == Color::White;
        for letter in "KRNBACPkrnbacp".chars() {
            let at = |letters: &HashMap<char, i32>| letters.get(&letter).copied().unwrap_or(0);
            let lost =
                if letter.is_ascii_lowercase() == mover_is_white { at(&here_before) - at(&here_after) } else { 0 };
            assert_eq!(at(&new_reserves) - at(&old_reserves), lost, "{fen} {text}: {letter}");
            assert_eq!(sent.is_some_and(|kind| kind.letter() == letter.to_ascii_uppercase()) && lost > 0, lost > 0);
        }
        assert_eq!(game.result(board.other()), before.result(board.other()), "{fen} {text}: the other result stands");
        let read = TeamGame::from_fen(&game.fen()).unwrap_or_else(|e| panic!("{}: {e}", game.fen()));
        assert_eq!(read.fen(), game.fen());
    }
    game
}

/// Points and the match result follow from the boards (WHW-SXQ-008, SX-6).
fn score_is_right(game: &TeamGame) {
    let mut score = [0; 2];
    for board in BoardId::ALL {
        if let Outcome::Win(color) = game.result(board).outcome {
            // WHW-SXQ-001: team 1 has Red on board 1 and Black on board 2.
            let team = if (board == BoardId::One) == (color == Color::White) { 1 } else { 2 };
            assert_eq!(team_of(board, color), team);
            score[team - 1] += 1;
        }
    }
    assert_eq!(game.score(), score);
    let ended = BoardId::ALL.iter().all(|&board| game.has_ended(board));
    let expected = match score[0].cmp(&score[1]) {
        _ if !ended => Outcome::Ongoing,
        std::cmp::Ordering::Greater => Outcome::Win(Color::White),
        std::cmp::Ordering::Less => Outcome::Win(Color::Black),
        std::cmp::Ordering::Equal => Outcome::Draw,
    };
    assert_eq!(game.match_outcome(), expected);
}

/// The moves of a match in another order that keeps each board's own; `None` when a board ends early in it. (Who has won may depend on
/// the order: a piece that arrives before the mating move may be dropped against it, one that arrives after may not, SX-4.)
fn shuffled(game: &TeamGame, random: &mut Random) -> Option<TeamGame> {
    let mut queues = BoardId::ALL.map(|board| {
        game.moves().iter().copied().filter(|played| played.board == board).collect::<std::collections::VecDeque<_>>()
    });
    let mut again = TeamGame::new();
    while queues.iter().any(|queue| !queue.is_empty()) {
        let first = random.below(2);
        let pushed = [first, 1 - first]
            .into_iter()
            .find(|&index| queues[index].front().is_some_and(|&played| again.push(played).is_ok()))?;
        queues[pushed].pop_front();
    }
    Some(again)
}

#[test]
fn matches_keep_their_rules() {
    let (mut ended, mut drops, mut reordered) = (0, 0, 0);
    let mut random = Random::new(5);
    for seed in 0..150 {
        let game = play(seed);
        score_is_right(&game);
        ended += usize::from(game.match_outcome() != Outcome::Ongoing);
        let texts = game.moves().iter().map(|&played| game.move_text(played, RankBase::One));
        drops += texts.filter(|text| text.contains('@')).count();
        if let Some(again) = shuffled(&game, &mut random) {
            assert_eq!(again.fen(), game.fen(), "the order of the boards changes what stands on them");
            reordered += 1;
        }
    }
    assert!(ended > 20 && drops > 1000 && reordered > 100, "{ended} ended, {drops} drops, {reordered} reordered");
}

/// Pieces of a colour and type on a board and in its reserve.
fn count(game: &TeamGame, board: BoardId, color: Color, kind: PieceType) -> (u32, u8) {
    let position = game.position(board);
    (position.pieces(color, kind).count_ones(), position.reserve(color, kind))
}

/// Plays one random match and counts after every turn what there is of each colour and type on both boards and in both reserves.
/// Gives whether the match ended.
fn play_counting(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let mut game = TeamGame::new();
    for _ in 0..TURNS {
        let Some(played) = turn(&game, &mut random) else { return true };
        let before = game.clone();
        let (mover, captured) = (game.position(played.board).side(), game.position(played.board).captured(played.mv));
        let sent = game.push(played).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(sent.map_or(0, |kind| kind.index() + 1), captured, "seed {seed}: {}", before.fen());
        assert_eq!(game.pieces(), 64, "seed {seed}: {} (SX-2)", game.fen());
        let other = played.board.other();
        game.position(played.board).verify().unwrap_or_else(|e| panic!("seed {seed}: {}: {e}", game.fen()));
        game.position(other).verify().unwrap_or_else(|e| panic!("seed {seed}: {}: {e}", game.fen()));
        for color in Color::ALL {
            for kind in PieceType::ALL {
                // WHW-SXQ-002: a captured piece keeps its colour and goes to the other board's reserve of that colour.
                let (mut squares, mut held) = count(&before, other, color, kind);
                held += u8::from(color != mover && sent == Some(kind));
                assert_eq!(count(&game, other, color, kind), (squares, held), "seed {seed}: {}", game.fen());
                (squares, held) = count(&before, played.board, color, kind);
                squares -= u32::from(color != mover && sent == Some(kind));
                let (now, held_now) = count(&game, played.board, color, kind);
                assert_eq!(now + u32::from(held_now), squares + u32::from(held), "seed {seed}: {}", game.fen());
                assert!(held_now == held || color == mover, "seed {seed}: {}", game.fen());
            }
        }
        for board in BoardId::ALL.into_iter().filter(|&board| before.has_ended(board)) {
            // SX-6: an ended board is frozen: nobody moves there, and only its reserves still fill (SX-2).
            assert!(board != played.board && game.has_ended(board) && game.legal_moves(board).is_empty());
            assert_eq!(game.result(board), before.result(board), "seed {seed}");
        }
    }
    false
}

/// No piece is lost, doubled or changes its colour in 5,000 matches.
#[test]
fn pieces_are_kept() {
    const MATCHES: u64 = 5000;
    let ended: usize = std::thread::scope(|scope| {
        let parts = [0, 1].map(|part| {
            scope.spawn(move || (part..MATCHES).step_by(2).filter(|&seed| play_counting(10_000 + seed)).count())
        });
        parts.into_iter().map(|part| part.join().expect("no assertion fails")).sum()
    });
    assert!(ended > 500, "only {ended} matches came to their end");
}

/// SX-6: a board ended from outside is over, and only that one.
#[test]
fn a_board_ends_alone() {
    let mut game = TeamGame::new();
    game.end(BoardId::One, Outcome::Win(Color::Black)).expect("a running board");
    assert!(game.end(BoardId::One, Outcome::Draw).is_err());
    assert!(game.legal_moves(BoardId::One).is_empty());
    assert!(game.parse_move("1h3e3", RankBase::One).is_err());
    assert_eq!(game.first_running(), Some(BoardId::Two));
    assert_eq!((game.score(), game.match_outcome()), ([0, 1], Outcome::Ongoing));
    let reply = game.parse_move("2h3h10", RankBase::One).expect("board 2 plays on");
    game.push(reply).expect("a legal move");
    // SX-2: also into the reserve of a board that has ended.
    assert!(game.position(BoardId::One).fen().contains("[n]"), "{}", game.fen());
    assert_eq!(game.pieces(), 64);
}
