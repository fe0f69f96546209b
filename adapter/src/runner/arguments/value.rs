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

/// All words as key and value.
pub(super) fn pairs(option: &str, values: &[String]) -> Result<Vec<(String, String)>, ArgumentError> {
    values
        .iter()
        .map(|word| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(wrong(option, word, "key=value")),
        })
        .collect()
}

/// A number.
pub(super) fn number<T: FromStr>(option: &str, value: &str) -> Result<T, ArgumentError> {
    value.parse().map_err(|_| wrong(option, value, "a number"))
}

/// A truth value.
pub(super) fn flag(option: &str, value: &str) -> Result<bool, ArgumentError> {
    match value {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(wrong(option, value, "true or false")),
    }
}

/// Seconds with a fraction, as milliseconds, rounded to the nearest (fastchess cuts, and makes 299 ms of 0.3).
pub(super) fn seconds(option: &str, value: &str) -> Result<u64, ArgumentError> {
    let seconds: f64 = number(option, value)?;
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
