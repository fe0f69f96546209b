//! Games as PGN.
use super::clock::describe;
use super::date;
use super::record::{GameRecord, PlayedMove};
use super::settings::{PgnSettings, SearchLimit, Settings};
use crate::pgn::{self, Movetext};
use sanqi::games::Game;
use std::fmt::Write;

/// A game as PGN, without the empty line that separates it from the next.
pub fn game_text(settings: &Settings, record: &GameRecord) -> String {
    let pgn = &settings.pgn;
    let mut text = tags(settings, record);
    text.push('\n');
    text.push_str(&movetext(pgn, record));
    text
}

fn tags(settings: &Settings, record: &GameRecord) -> String {
    let name = |engine: usize| settings.engines.get(engine).map_or("", |e| e.name.as_str());
    let (white, black) = (record.slot.white, record.slot.black);
    let [first, second] = &record.identities;
    let [began, ended] = record.times;
    let start = record.game.start_fen();
    let mut text = String::new();
    let mut tag = |key: &str, value: &str| text.push_str(&pgn::tag(key, value));
    tag("Event", &settings.pgn.event_name);
    tag("Site", &settings.pgn.site);
    tag("Date", &date::pgn_date(began));
    tag("Round", &record.slot.round.to_string());
    tag("White", name(white));
    tag("Black", name(black));
    tag("Result", &record.verdict.outcome.to_string());
    if !settings.pgn.min {
        for (key, value) in [
            ("EngineWhiteName", &first.name),
            ("EngineWhiteAuthor", &first.author),
            ("EngineBlackName", &second.name),
            ("EngineBlackAuthor", &second.author),
        ] {
            if !value.is_empty() {
                tag(key, value);
            }
        }
    }
    tag("Variant", record.game.variant().name());
    if start != Game::new(record.game.variant()).fen() {
        tag("SetUp", "1");
        tag("FEN", &start);
    }
    if !settings.pgn.min {
        tag("GameDuration", &date::hms(ended.saturating_sub(began) / 1000));
        tag("GameStartTime", &date::timestamp(began));
        tag("GameEndTime", &date::timestamp(ended));
        tag("PlyCount", &record.game.moves().len().to_string());
    }
    tag("Termination", &record.verdict.termination.to_string());
    if !settings.pgn.min {
        let limit = |engine: usize| settings.engines.get(engine).map(|e| time_control(&e.limit)).unwrap_or_default();
        if limit(white) == limit(black) {
            tag("TimeControl", &limit(white));
        } else {
            tag("WhiteTimeControl", &limit(white));
            tag("BlackTimeControl", &limit(black));
        }
    }
    text
}

/// The standard's word for games without a clock is a dash.
fn time_control(limit: &SearchLimit) -> String {
    let tc = &limit.tc;
    if tc.time + tc.increment + tc.fixed_time > 0 { describe(limit) } else { "-".to_owned() }
}

/// The moves with their numbers and comments, the reason of the end in the last comment, and the result.
fn movetext(pgn: &PgnSettings, record: &GameRecord) -> String {
    let start = record.game.start_fen();
    let variant = record.game.variant();
    let mut board = Game::from_fen(variant, &start).unwrap_or_else(|_| Game::new(variant));
    let mut text = Movetext::new(&start);
    let mut played = record.moves.iter();
    let total = record.game.moves().len();
    for (index, &mv) in record.game.moves().iter().enumerate() {
        text.mv(board.side(), &pgn.notation.write(&board, mv));
        // Moves of the opening were played by nobody.
        let own = if index < record.book_plies { None } else { played.next() };
        let mut comment = own.map_or_else(|| "book".to_owned(), |played| comment(pgn, played));
        if index + 1 == total {
            let _ = write!(comment, ", {}", reason(record));
        }
        if !pgn.min {
            text.comment(&comment);
        }
        board.push(mv);
    }
    if total == 0 && !pgn.min {
        text.comment(&reason(record));
    }
    text.finish(&record.verdict.outcome.to_string())
}

/// The verdict, and for an illegal move the move.
fn reason(record: &GameRecord) -> String {
    match &record.illegal {
        // A brace would end the comment.
        Some(word) => format!("{}: {}", record.verdict.text, word.replace(['{', '}'], "")),
        None => record.verdict.text.clone(),
    }
}

/// `+0.35/12 0.100s, n=1465`.
fn comment(pgn: &PgnSettings, played: &PlayedMove) -> String {
    let seconds = |d: std::time::Duration| format!("{:.3}s", d.as_secs_f64());
    let info = played.info.as_deref();
    let score = info.and_then(|i| i.score);
    let mut text = match (score, info.and_then(|i| i.depth)) {
        (Some(score), depth) => format!("{score}/{} {}", depth.unwrap_or_default(), seconds(played.elapsed)),
        (None, _) => seconds(played.elapsed),
    };
    // Writing into a string cannot fail.
    let mut add = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(text, ", {key}={value}");
        }
    };
    if pgn.track_timeleft {
        add("tl", played.left.map(seconds));
    }
    if pgn.track_latency {
        let measured = played.elapsed.as_secs_f64();
        add("latency", info.and_then(|i| i.time).map(|t| format!("{:.3}s", measured - t as f64 / 1000.0)));
    }
    let number = |wanted: bool, value: Option<u64>| value.filter(|_| wanted).map(|n| n.to_string());
    add("n", number(pgn.track_nodes, info.and_then(|i| i.nodes)));
    add("sd", number(pgn.track_seldepth, info.and_then(|i| i.seldepth).map(u64::from)));
    add("nps", number(pgn.track_nps, info.and_then(|i| i.nps)));
    add("hashfull", number(pgn.track_hashfull, info.and_then(|i| i.hashfull).map(u64::from)));
    add("tbhits", number(pgn.track_tbhits, info.and_then(|i| i.tbhits)));
    if pgn.track_pv {
        add("pv", info.map(|i| format!("\"{}\"", i.pv.join(" ").replace(['{', '}', '"'], ""))));
    }
    for line in &played.lines {
        add("line", Some(format!("\"{}\"", line.replace(['{', '}', '"'], ""))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::record::Identity;
    use super::super::referee::{Termination, Verdict};
    use super::super::schedule::Slot;
    use super::super::settings::{EngineSettings, TimeControl};
    use super::*;
    use crate::engine::Info;
    use crate::pgn::MoveNotation;
    use sanqi::board::Color;
    use sanqi::games::{Outcome, RankBase, Variant};
    use std::time::Duration;

    fn settings() -> Settings {
        let tc = TimeControl { time: 500, increment: 5, ..TimeControl::default() };
        let engine = |name: &str| EngineSettings {
            name: name.to_owned(),
            limit: SearchLimit { tc, ..SearchLimit::default() },
            ..EngineSettings::default()
        };
        let mut settings = Settings { engines: vec![engine("A"), engine("B \"b\"")], ..Settings::default() };
        settings.pgn.notation = MoveNotation::Uci;
        settings
    }

    fn record(fen: &str, moves: &[&str]) -> GameRecord {
        let mut game = Game::from_fen(Variant::Fangqi, fen).unwrap();
        let mut played = Vec::new();
        for text in moves {
            game.push_text(text, RankBase::One).unwrap();
            played.push(PlayedMove {
                side: Color::White,
                info: Some(Box::new(Info::parse(
                    "depth 6 seldepth 9 time 5 nodes 1465 nps 293000 score cp -59 pv c3 d4",
                ))),
                elapsed: Duration::from_millis(6),
                left: Some(Duration::from_millis(499)),
                lines: Vec::new(),
            });
        }
        GameRecord {
            slot: Slot { number: 2, round: 1, pair: 0, engines: [0, 1], white: 1, black: 0, opening: 0 },
            game,
            book_plies: 0,
            moves: played,
            verdict: Verdict {
                outcome: Outcome::Draw,
                text: "Draw by adjudication".to_owned(),
                termination: Termination::Adjudication,
            },
            illegal: None,
            times: [951_827_696_000, 951_827_699_000],
            identities: [("b 2", ""), ("a 1", "me")].map(|(name, author)| Identity {
                name: name.to_owned(),
                author: author.to_owned(),
                ..Identity::default()
            }),
            warnings: Vec::new(),
            post_mortem: Vec::new(),
        }
    }

    const START: &str = "7/7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 1";

    #[test]
    fn a_whole_game() {
        let mut settings = settings();
        settings.pgn.track_nodes = true;
        settings.pgn.track_timeleft = true;
        settings.pgn.track_latency = true;
        let text = game_text(&settings, &record(START, &["P@d4", "P@a1"]));
        assert_eq!(
            text,
            "[Event \"Sanqi match\"]\n[Site \"?\"]\n[Date \"2000.02.29\"]\n[Round \"1\"]\n[White \"B \\\"b\\\"\"]\n\
             [Black \"A\"]\n[Result \"1/2-1/2\"]\n[EngineWhiteName \"b 2\"]\n[EngineBlackName \"a 1\"]\n\
             [EngineBlackAuthor \"me\"]\n[Variant \"fangqi\"]\n[GameDuration \"00:00:03\"]\n\
             [GameStartTime \"2000-02-29T12:34:56 +0000\"]\n[GameEndTime \"2000-02-29T12:34:59 +0000\"]\n[PlyCount \"2\"]\n\
             [Termination \"adjudication\"]\n[TimeControl \"0.5+0.005\"]\n\n\
             1. P@d4 {-0.59/6 0.006s, tl=0.499s, latency=0.001s, n=1465} 1... P@a1 {-0.59/6\n\
             0.006s, tl=0.499s, latency=0.001s, n=1465, Draw by adjudication} 1/2-1/2\n"
        );
    }

    #[test]
    fn a_set_up_position_with_black_to_move_and_no_comments() {
        let mut settings = settings();
        settings.pgn.min = true;
        let text = game_text(&settings, &record("7/7/7/7/3P3/7/7[PPpp] b - - 0 5", &["P@a1", "P@a2", "P@a3"]));
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"7/7/7/7/3P3/7/7[PPpp] b - - 0 5\"]\n"), "{text}");
        assert!(text.ends_with("\n\n5... P@a1 6. P@a2 P@a3 1/2-1/2\n"), "{text}");
    }

    #[test]
    fn moves_of_the_opening_are_marked() {
        let mut record = record(START, &["P@d4", "P@a1"]);
        record.moves.remove(0);
        record.book_plies = 1;
        let text = game_text(&settings(), &record);
        assert!(
            text.ends_with("\n\n1. P@d4 {book} 1... P@a1 {-0.59/6 0.006s, Draw by adjudication} 1/2-1/2\n"),
            "{text}"
        );
    }

    #[test]
    fn tags_hold_printing_characters() {
        let mut record = record(START, &[]);
        "b\t2\u{1b}".clone_into(&mut record.identities[0].name);
        let mut settings = settings();
        "one\ntwo".clone_into(&mut settings.pgn.site);
        let text = game_text(&settings, &record);
        assert!(text.contains("[EngineWhiteName \"b 2 \"]\n") && text.contains("[Site \"one two\"]\n"), "{text}");
    }

    #[test]
    fn an_illegal_move_is_quoted_without_closing_the_comment() {
        let mut record = record(START, &[]);
        record.verdict = Verdict::illegal_move(Color::White);
        record.illegal = Some("e}2".to_owned());
        let text = game_text(&settings(), &record);
        assert!(text.ends_with("\n\n{White makes an illegal move: e2} 0-1\n"), "{text}");
    }
}
