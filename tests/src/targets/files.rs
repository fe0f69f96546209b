//! Records of games, and positions for analysis.
use super::text;
use sanqi::games::Variant;
use sanqi_adapter::analysis::input::Input;
use sanqi_adapter::analysis::{AnyVariant, Task, rules};
use sanqi_adapter::pgn::read_games;
use sanqi_adapter::replay::values::Moment;
use sanqi_adapter::replay::{Replay, bpgn, check};
use std::sync::Arc;

/// PGN of any game.
pub(super) fn pgn(data: &[u8]) {
    let text = text(data);
    for variant in [None, Some(Variant::Yangqi), Some(Variant::Fangqi)] {
        for (line, game) in read_games(&text, variant) {
            assert!(line <= text.lines().count(), "line {line}");
            if let Ok(game) = game {
                // Whether the tag agrees is not the point here.
                let _ = game.check_result();
            }
        }
    }
}

fn moment() -> Moment {
    Moment::try_from("2026-11-29T12:00:00Z".to_owned()).expect("a time")
}

/// A replay that was accepted survives JSON, and BPGN where that has words for all of it.
fn sound(replay: &Replay) {
    let json = replay.to_json();
    let again = Replay::from_json(&json).unwrap_or_else(|e| panic!("{json}: {e}"));
    assert_eq!(&again, replay, "{json}");
    if let Ok(text) = bpgn::write(replay) {
        let back = bpgn::read(&text, moment()).unwrap_or_else(|e| panic!("{text}: {e}"));
        check(&back.replay).unwrap_or_else(|e| panic!("{text}: {e}"));
        let losses = bpgn::losses(replay, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!(&back.replay == replay || !losses.is_empty(), "{json}\n{text}");
    }
}

/// A replay as JSON.
pub(super) fn replay(data: &[u8]) {
    if let Ok(replay) = Replay::from_json(&text(data))
        && check(&replay).is_ok()
    {
        sound(&replay);
    }
}

/// A match on two boards as BPGN.
pub(super) fn bpgn(data: &[u8]) {
    if let Ok(bpgn::Reading { replay, .. }) = bpgn::read(&text(data), moment()) {
        check(&replay).unwrap_or_else(|e| panic!("read, and refused: {e}"));
        sound(&replay);
    }
}

/// A game of fangqi as SGF.
pub(super) fn sgf(data: &[u8]) {
    if let Ok(written) = sanqi_adapter::gtp::rewrite_sgf(&text(data)) {
        let again = sanqi_adapter::gtp::rewrite_sgf(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
        assert_eq!(again, written);
    }
}

/// Positions for analysis: JSON lines, FENs, `position` commands, PGN, a replay.
pub(super) fn positions(data: &[u8]) {
    const MOST_ROWS: u64 = 60;
    let input =
        Input { files: Vec::new(), variant: AnyVariant::One(Variant::Xiangqi), every: 7, bytes: Arc::default() };
    let mut number = 0;
    let mut sink = |id, source| {
        let row = rules::rules_row(&Task { number, id, source });
        assert_eq!(row.error.is_none(), row.fen.is_some(), "{row:?}");
        serde_json::to_string(&row).expect("a row is JSON");
        number += 1;
        number < MOST_ROWS
    };
    input.read_one("input".to_owned(), data, false, &mut sink).expect("memory can be read");
}
