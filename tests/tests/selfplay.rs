//! Complete games of the engine against itself, two processes over UCI, refereed by the library: every move legal, every `go`
//! answered once, the ends agreed on, nothing on the standard error.
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::{Game, Outcome, RankBase, Variant};
use sanqi_tests::random::Random;
use sanqi_tests::session::{Session, pv};

/// Some games would go on for hundreds of moves; what is tested shows earlier.
const PLIES: usize = 250;

/// An engine on a variant, with little memory and some variety.
fn seat(variant: &str, seed: u64) -> Session {
    let mut engine = Session::playing(variant);
    engine.send(&format!(
        "setoption name Hash value 4\nsetoption name Seed value {seed}\nsetoption name Variety value 30"
    ));
    assert_eq!(engine.ready(), Vec::<String>::new(), "{variant}: an option is refused");
    engine
}

/// The move that the engine answers with, after checking what it says on the way.
fn answer(engine: &mut Session, position: &str, go: &str) -> String {
    engine.send(position);
    let search = engine.go(go);
    let (_, infos) = search.0.split_last().expect("a bestmove");
    assert!(infos.iter().all(|line| line.starts_with("info ") && !line.contains("error")), "{position}: {infos:?}");
    let line = infos.iter().rev().map(|line| pv(line)).find(|line| !line.is_empty()).unwrap_or_default();
    assert_eq!(line.first(), Some(&search.bestmove()), "{position}: the last line begins otherwise");
    assert!(engine.ready().is_empty(), "{position}: more than one answer");
    search.bestmove().to_owned()
}

/// The engine leaves without complaint.
fn leaves(engine: Session) {
    assert_eq!(engine.quit(), (Vec::new(), Some(0)));
}

fn result_text(outcome: Outcome) -> String {
    format!("info string result {outcome}")
}

/// Plays `games` games; gives how many came to an end.
fn play(variant: Variant, games: u64) -> usize {
    let mut random = Random::new(31);
    let mut seats = [seat(variant.name(), 1), seat(variant.name(), 2)];
    let mut ended = 0;
    for number in 0..games {
        let mut game = Game::new(variant);
        let mut moves: Vec<String> = Vec::new();
        seats.iter_mut().for_each(|engine| engine.send("ucinewgame"));
        while game.result().outcome == Outcome::Ongoing && moves.len() < PLIES {
            let position = match moves.len() {
                0 => "position startpos".to_owned(),
                _ => format!("position startpos moves {}", moves.join(" ")),
            };
            let engine = &mut seats[(moves.len() + number as usize) % 2];
            // Mostly a fixed number of nodes, so that a failure comes back; now and then the clock.
            let go = match random.below(8) {
                0 => "go wtime 400 btime 400 winc 5 binc 5".to_owned(),
                1 => "go movetime 10".to_owned(),
                _ => format!("go nodes {}", 200 + random.below(1500)),
            };
            let best = answer(engine, &position, &go);
            game.push_text(&best, RankBase::One).unwrap_or_else(|e| panic!("{variant}: {position}: {e}"));
            moves.push(best);
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            let told = engine.ask("result", "info string result").pop().unwrap_or_default();
            let outcome = result_text(game.result().outcome);
            assert!(told.starts_with(&outcome), "{variant}: {position}: `{told}`, refereed {outcome}");
        }
        ended += usize::from(game.result().outcome != Outcome::Ongoing);
    }
    seats.into_iter().for_each(leaves);
    ended
}

#[test]
fn xiangqi() {
    play(Variant::Xiangqi, 3);
}

#[test]
fn supply() {
    play(Variant::Supply, 3);
}

#[test]
fn yangqi() {
    play(Variant::Yangqi, 3);
}

#[test]
fn fangqi() {
    assert_eq!(play(Variant::Fangqi, 4), 4, "a game of fangqi has 40 placements (FQ-7)");
}

/// Matches on two boards, a process per seat, moves sent as they come.
#[test]
fn two_boards() {
    let mut seats = [1, 2, 3, 4].map(|seed| seat("supply2", seed));
    let mut random = Random::new(32);
    for _ in 0..2 {
        let mut game = TeamGame::new();
        let mut moves: Vec<String> = Vec::new();
        seats.iter_mut().for_each(|engine| engine.send("ucinewgame"));
        while let Some(running) = game.first_running().filter(|_| moves.len() < PLIES) {
            let other = running.other();
            let board = if !game.has_ended(other) && random.below(2) == 0 { other } else { running };
            let position = match moves.len() {
                0 => "position startpos".to_owned(),
                _ => format!("position startpos moves {}", moves.join(" ")),
            };
            let color = game.position(board);
            let index = usize::from(board == BoardId::Two) * 2 + sanqi::games::Position::side(color).index();
            let go = format!("go board {board} nodes {}", 200 + random.below(800));
            let best = answer(&mut seats[index], &position, &go);
            let played =
                game.parse_move(&best, RankBase::One).unwrap_or_else(|e| panic!("{position} {go}: {best}: {e}"));
            assert_eq!(played.board, board, "{position} {go}: {best}");
            game.push(played).unwrap_or_else(|e| panic!("{position}: {best}: {e}"));
            moves.push(best);
            let engine = &mut seats[index];
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            let told = engine.ask("result", "info string result").pop().unwrap_or_default();
            let [one, two] = BoardId::ALL.map(|board| game.result(board).outcome);
            let expected = format!("info string result board1 {one} board2 {two} match {}", game.match_outcome());
            assert_eq!(told, expected, "{position} {}", moves.last().map_or("", String::as_str));
        }
    }
    seats.into_iter().for_each(leaves);
}
