//! Values of options.
use super::ArgumentError;
use std::str::FromStr;

/// An [`ArgumentError::Value`].
pub(super) fn wrong(option: &str, value: &str, expected: &'static str) -> ArgumentError {
    ArgumentError::Value { option: option.to_owned(), value: value.to_owned(), expected }
}

/// The one word that follows an option.
pub(super) fn single<'a>(option: &str, values: &'a [String]) -> Result<&'a str, ArgumentError> {
    match values {
        [value] => Ok(value),
        [] => Err(wrong(option, "", "a value")),
        [_, extra, ..] => Err(wrong(option, extra, "one value only")),
    }
}

/// An option that stands alone.
pub(super) fn none(option: &str, values: &[String]) -> Result<(), ArgumentError> {
    values.first().map_or(Ok(()), |word| Err(wrong(option, word, "no value")))
}

/// All words as key and value, of which there must be some. Only options and arguments of engines can be nothing.
pub(super) fn pairs(option: &str, values: &[String]) -> Result<Vec<(String, String)>, ArgumentError> {
    if values.is_empty() {
        return Err(wrong(option, "", "key=value"));
    }
    values
        .iter()
        .map(|word| match word.split_once('=') {
            Some((key, value))
                if !key.is_empty() && (!value.is_empty() || key == "args" || key.starts_with("option.")) =>
            {
                Ok((key.to_owned(), value.to_owned()))
            }
            _ => Err(wrong(option, word, "key=value")),
        })
        .collect()
}

/// Text for tags of PGN and for lines of output.
pub(super) fn line(option: &str, value: &str) -> Result<String, ArgumentError> {
    let is_line = !value.contains(|c: char| c.is_control());
    is_line
        .then(|| value.to_owned())
        .ok_or_else(|| wrong(option, &value.escape_debug().to_string(), "one line of text"))
}

/// A number.
pub(super) fn number<T: FromStr>(option: &str, value: &str) -> Result<T, ArgumentError> {
    value.parse().map_err(|_| wrong(option, value, "a number"))
}

/// A number with a fraction.
pub(super) fn real(option: &str, value: &str) -> Result<f64, ArgumentError> {
    number(option, value).and_then(|x: f64| if x.is_finite() { Ok(x) } else { Err(wrong(option, value, "a number")) })
}

/// A score in centipawns, which counts for either side and so has no sign.
pub(super) fn score(option: &str, value: &str) -> Result<i32, ArgumentError> {
    value.parse().ok().filter(|&score| score >= 0).ok_or_else(|| wrong(option, value, "centipawns from 0"))
}

/// A truth value.
pub(super) fn flag(option: &str, value: &str) -> Result<bool, ArgumentError> {
    match value {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(wrong(option, value, "true or false")),
    }
}

/// Seconds with a fraction and perhaps an `s` behind, as milliseconds, rounded to the nearest (fastchess cuts, and makes 299 ms of 0.3).
pub(super) fn seconds(option: &str, value: &str) -> Result<u64, ArgumentError> {
    let seconds = real(option, value.strip_suffix('s').unwrap_or(value))?;
    if !(0.0..=1e9).contains(&seconds) {
        return Err(wrong(option, value, "seconds"));
    }
    Ok((seconds * 1000.0).round() as u64)
}

/// Words of a command line, quoted ones kept together.
pub(super) fn split_quoted(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
