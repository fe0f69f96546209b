//! What stands after `-engine` and `-each`.
use super::ArgumentError;
use super::value::{flag, line, number, real, seconds, split_quoted, wrong};
use crate::engine::Protocol;
use crate::runner::settings::{EngineSettings, TimeControl};

/// Sets one key of an engine.
pub(super) fn set(engine: &mut EngineSettings, key: &str, value: &str) -> Result<(), ArgumentError> {
    let name = format!("-engine {key}");
    match key {
        "cmd" => engine.cmd = value.to_owned(),
        "name" => engine.name = line(&name, value)?,
        "dir" => engine.dir = value.to_owned(),
        "args" => engine.args = split_quoted(value),
        // One argument at a time, as cutechess has it.
        "arg" => engine.args.push(value.to_owned()),
        "stderr" => engine.stderr = value.to_owned(),
        "initstr" => engine.init.extend(value.split("\\n").map(str::to_owned)),
        "restart" => engine.restart = value != "auto" && flag(&name, value)?,
        "dialect" => {
            engine.dialect = value.parse().map_err(|_| wrong(&name, value, "auto, uci1, uci0, cyclone or chessv"))?;
        }
        "proto" => engine.proto = value.parse().map_err(|_| wrong(&name, value, "uci, ucci or xboard"))?,
        "tc" => time_control(&mut engine.limit.tc, &name, value)?,
        "st" => {
            engine.limit.tc.fixed_time = seconds(&name, value)?;
            if engine.limit.tc.fixed_time == 0 {
                return Err(wrong(&name, value, "more than 0"));
            }
        }
        "timemargin" => engine.limit.tc.timemargin = number(&name, value)?,
        "nodes" => engine.limit.nodes = number(&name, value)?,
        "plies" | "depth" => engine.limit.plies = number(&name, value)?,
        "ponder" | "tscale" | "book" | "bookdepth" | "whitepov" | "trust" | "conf" => {
            let option = format!("-engine {key}");
            return Err(ArgumentError::Unsupported { option, why: "not a key of this runner" });
        }
        _ => match key.strip_prefix("option.") {
            Some(option) if !option.is_empty() => {
                match engine.options.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(option)) {
                    Some(entry) => value.clone_into(&mut entry.1),
                    None => engine.options.push((option.to_owned(), value.to_owned())),
                }
            }
            _ => {
                let (option, key, value) = ("engine".to_owned(), key.to_owned(), value.to_owned());
                return Err(ArgumentError::Key { option, key, value });
            }
        },
    }
    Ok(())
}

/// `[moves/][minutes:]seconds[+increment]`, or `inf`.
fn time_control(tc: &mut TimeControl, name: &str, text: &str) -> Result<(), ArgumentError> {
    const FORM: &str = "moves/minutes:seconds+increment";
    (tc.time, tc.increment, tc.moves) = (0, 0, 0);
    if matches!(text, "inf" | "infinite") {
        return Ok(());
    }
    if text.starts_with("hg") {
        let option = format!("tc={text}");
        return Err(ArgumentError::Unsupported { option, why: "there is no hourglass clock" });
    }
    let (moves, rest) = match text.split_once('/') {
        Some(("inf" | "infinite", rest)) => (0, rest),
        Some((moves, rest)) => match number(name, moves)? {
            0 => return Err(wrong(name, text, FORM)),
            moves => (moves, rest),
        },
        None => (0, text),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let (minutes, secs) = time.split_once(':').unwrap_or(("0", time));
    let minutes = real(name, minutes)?;
    if !(0.0..=1e6).contains(&minutes) {
        return Err(wrong(name, text, FORM));
    }
    tc.moves = moves;
    tc.time = (minutes * 60_000.0).round() as u64 + seconds(name, secs)?;
    tc.increment = seconds(name, increment)?;
    if tc.time + tc.increment == 0 {
        return Err(wrong(name, text, FORM));
    }
    Ok(())
}

/// Checks an engine that has been read, and gives it a name if it has none.
pub(super) fn complete(engine: &mut EngineSettings, index: usize) -> Result<(), ArgumentError> {
    if engine.cmd.is_empty() {
        return Err(ArgumentError::Inconsistent(format!("Error; No command specified for engine {}", index + 1)));
    }
    if engine.name.is_empty() {
        let file = std::path::Path::new(&engine.cmd).file_stem();
        engine.name = file.map_or_else(|| engine.cmd.clone(), |f| f.to_string_lossy().into_owned());
    }
    let (limit, name) = (&engine.limit, &engine.name);
    let clock = limit.tc.time + limit.tc.increment > 0;
    if clock && limit.tc.fixed_time > 0 {
        return Err(ArgumentError::Inconsistent(format!("Error; Cannot use tc and st together for engine {name}!")));
    }
    if !clock && limit.tc.fixed_time == 0 && limit.nodes == 0 && limit.plies == 0 {
        return Err(ArgumentError::Inconsistent(format!(
            "Error; No TimeControl specified for engine {name}: give tc, st, nodes or depth"
        )));
    }
    if engine.proto == Protocol::Xboard && limit.nodes > 0 {
        let why = "the XBoard protocol has no word for it";
        return Err(ArgumentError::Unsupported { option: format!("nodes= for engine {name}"), why });
    }
    Ok(())
}
