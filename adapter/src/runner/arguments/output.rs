//! What stands after the options that name files: `-pgnout`, `-epdout`, `-log`.
use super::ArgumentError;
use super::value::{flag, pairs, wrong};
use crate::runner::date;
use crate::runner::settings::{EpdSettings, LogLevel, LogSettings, PgnSettings};

/// The name of a file that is wanted and not named, as fastchess makes it (in UTC).
fn dated(extension: &str) -> String {
    format!("fastchess_{}.{extension}", date::compact(date::now_ms()))
}

fn unknown(option: &str, key: &str, value: &str) -> ArgumentError {
    let option = option.trim_start_matches('-').to_owned();
    ArgumentError::Key { option, key: key.to_owned(), value: value.to_owned() }
}

/// Keys and values, among which a lone word is the name of the file, as in cutechess.
fn words<'a>(option: &str, values: &'a [String]) -> Result<Vec<(&'a str, &'a str)>, ArgumentError> {
    let pair = |word: &'a String| match word.split_once('=') {
        Some((_, "")) => Err(wrong(option, word, "key=value")),
        Some(pair) => Ok(pair),
        None => Ok(("file", word.as_str())),
    };
    values.iter().map(pair).collect()
}

/// `-pgnout`.
pub(super) fn pgn(pgn: &mut PgnSettings, option: &str, values: &[String]) -> Result<(), ArgumentError> {
    if pgn.file.is_empty() {
        pgn.file = dated("pgn");
    }
    for (key, value) in words(option, values)? {
        let name = format!("{option} {key}");
        match key {
            "file" => pgn.file = value.to_owned(),
            "append" => pgn.append_file = flag(&name, value)?,
            "notation" => {
                let wrong = |_| wrong(&name, value, "san, iccs, cannonc, uci or lan");
                pgn.notation = value.parse().map_err(wrong)?;
            }
            "nodes" => pgn.track_nodes = flag(&name, value)?,
            "seldepth" => pgn.track_seldepth = flag(&name, value)?,
            "nps" => pgn.track_nps = flag(&name, value)?,
            "hashfull" => pgn.track_hashfull = flag(&name, value)?,
            "tbhits" => pgn.track_tbhits = flag(&name, value)?,
            "timeleft" => pgn.track_timeleft = flag(&name, value)?,
            "latency" => pgn.track_latency = flag(&name, value)?,
            "pv" => pgn.track_pv = flag(&name, value)?,
            "min" => pgn.min = flag(&name, value)?,
            // OpenBench always asks for the lines `info string pgncomment …`.
            "match_line" => {
                regex_lite::Regex::new(value).map_err(|_| wrong(&name, value, "a regular expression"))?;
                pgn.additional_lines_rgx.push(value.to_owned());
            }
            _ => return Err(unknown(option, key, value)),
        }
    }
    Ok(())
}

/// `-epdout`.
pub(super) fn epd(epd: &mut EpdSettings, option: &str, values: &[String]) -> Result<(), ArgumentError> {
    if epd.file.is_empty() {
        epd.file = dated("epd");
    }
    for (key, value) in words(option, values)? {
        match key {
            "file" => epd.file = value.to_owned(),
            "append" => epd.append_file = flag("-epdout append", value)?,
            _ => return Err(unknown(option, key, value)),
        }
    }
    Ok(())
}

/// `-log`.
pub(super) fn log(log: &mut LogSettings, option: &str, values: &[String]) -> Result<(), ArgumentError> {
    for (key, value) in pairs(option, values)? {
        let name = format!("{option} {key}");
        match key.as_str() {
            "file" => log.file = value,
            "level" => {
                log.level = match value.as_str() {
                    "trace" => LogLevel::Trace,
                    "info" => LogLevel::Info,
                    "warn" => LogLevel::Warn,
                    "err" => LogLevel::Err,
                    "fatal" => LogLevel::Fatal,
                    _ => return Err(wrong(&name, &value, "trace, info, warn, err or fatal")),
                }
            }
            "append" => log.append_file = flag(&name, &value)?,
            "compress" => log.compress = flag(&name, &value)?,
            "realtime" => log.realtime = flag(&name, &value)?,
            "engine" => log.engine_coms = flag(&name, &value)?,
            _ => return Err(unknown(option, &key, &value)),
        }
    }
    Ok(())
}
