//! Times of a replay.
use super::whole::whole;
use jiff::{Timestamp, Unit};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::time::Duration;

/// A span of time in whole milliseconds, at most [`Milliseconds::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(into = "u64")]
pub struct Milliseconds(u64);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Milliseconds, D::Error> {
        Milliseconds::try_from(whole::<D, u64>(deserializer)?).map_err(D::Error::custom)
    }
}

impl Milliseconds {
    /// 2⁵³ − 1, the largest whole number that every JSON reader keeps exactly.
    pub const MAX: Milliseconds = Milliseconds((1 << 53) - 1);

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// `298.210`: seconds with three decimals, as BPGN 1.2 has clocks.
    pub fn seconds(self) -> String {
        format!("{}.{:03}", self.0 / 1000, self.0 % 1000)
    }

    /// Reads seconds with up to three decimals; further ones are cut off.
    pub fn from_seconds(text: &str) -> Option<Milliseconds> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
        let total = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)?;
        Milliseconds::try_from(total).ok()
    }
}

impl TryFrom<u64> for Milliseconds {
    type Error = String;
    fn try_from(number: u64) -> Result<Milliseconds, String> {
        match Milliseconds(number) {
            time if time <= Milliseconds::MAX => Ok(time),
            _ => Err(format!("expected at most {} milliseconds, found {number}", Milliseconds::MAX.0)),
        }
    }
}

impl From<Milliseconds> for u64 {
    fn from(time: Milliseconds) -> u64 {
        time.0
    }
}

/// Cut to whole milliseconds; what is too long becomes [`Milliseconds::MAX`].
impl From<Duration> for Milliseconds {
    fn from(duration: Duration) -> Milliseconds {
        u64::try_from(duration.as_millis()).map_or(Milliseconds::MAX, |n| Milliseconds(n).min(Milliseconds::MAX))
    }
}

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A point in time as RFC 3339 writes it, `2026-11-29T22:50:42.125Z`. The text is kept as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    text: String,
    timestamp: Timestamp,
}

impl Moment {
    /// Now, in whole milliseconds.
    pub fn now() -> Moment {
        Moment::from(Timestamp::now())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True when this is before `other`, whatever the offsets they are written with.
    pub fn is_before(&self, other: &Moment) -> bool {
        self.timestamp < other.timestamp
    }

    /// Day and time of day in UTC as PGN tags have them: `2026.11.29`, `22:50:42`.
    pub fn pgn_tags(&self) -> (String, String) {
        (self.timestamp.strftime("%Y.%m.%d").to_string(), self.timestamp.strftime("%H:%M:%S").to_string())
    }

    /// Reads the PGN tags that [`Moment::pgn_tags`] writes.
    ///
    /// # Errors
    /// Not a day of the calendar or not a time of day.
    pub fn from_pgn_tags(date: &str, time: &str) -> Result<Moment, String> {
        Moment::try_from(format!("{}T{time}Z", date.replace('.', "-")))
    }

    /// `dddd-dd-ddTdd:dd:dd[.d…](Z|±dd:dd)`: narrower than what the calendar library reads.
    fn has_shape(text: &str) -> bool {
        let fits = |text: &str, shape: &str| {
            text.len() == shape.len()
                && text.bytes().zip(shape.bytes()).all(|(c, s)| if s == b'd' { c.is_ascii_digit() } else { c == s })
        };
        let Some((head, tail)) = text.split_at_checked("dddd-dd-ddTdd:dd:dd".len()) else { return false };
        let zone = match tail.strip_prefix('.') {
            Some(decimals) => {
                let zone = decimals.trim_start_matches(|c: char| c.is_ascii_digit());
                if zone.len() == decimals.len() {
                    return false;
                }
                zone
            }
            None => tail,
        };
        fits(head, "dddd-dd-ddTdd:dd:dd") && (zone == "Z" || fits(zone, "+dd:dd") || fits(zone, "-dd:dd"))
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Moment {
        let timestamp = timestamp.round(Unit::Millisecond).unwrap_or(timestamp);
        Moment { text: timestamp.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(), timestamp }
    }
}

impl TryFrom<String> for Moment {
    type Error = String;
    fn try_from(text: String) -> Result<Moment, String> {
        match text.parse() {
            Ok(timestamp) if Moment::has_shape(&text) => Ok(Moment { text, timestamp }),
            _ => Err(format!("expected a time as in 2026-11-29T22:50:42.125Z, found `{text}`")),
        }
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.text
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_strictly() {
        for text in ["2026-11-29T22:50:42Z", "2026-11-29T22:50:42.125Z", "2026-11-29T22:50:42+08:00"] {
            assert_eq!(Moment::try_from(text.to_owned()).unwrap().text(), text);
        }
        for text in [
            "2026-02-30T22:50:42Z",
            "2026-11-29 22:50:42Z",
            "2026-11-29T22:50:42",
            "2026-11-29T22:50:42.Z",
            "20261129T225042Z",
            "2026-11-29T25:50:42Z",
        ] {
            assert!(Moment::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_and_milliseconds() {
        for (text, expected) in [
            ("180", Some(180_000)),
            ("296.784", Some(296_784)),
            ("298.21", Some(298_210)),
            ("0.0019", Some(1)),
            ("", None),
            (".5", None),
            ("1.", None),
            ("-1", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(Milliseconds::from_seconds(text).map(Milliseconds::get), expected, "{text}");
        }
        assert_eq!(Milliseconds(298_210).seconds(), "298.210");
        assert_eq!(Milliseconds::from(Duration::MAX), Milliseconds::MAX);
    }

    #[test]
    fn moments_meet_pgn_tags() {
        let moment = Moment::try_from("2026-11-30T06:50:42.125+08:00".to_owned()).unwrap();
        let (date, time) = moment.pgn_tags();
        assert_eq!((date.as_str(), time.as_str()), ("2026.11.29", "22:50:42"));
        let read = Moment::from_pgn_tags(&date, &time).unwrap();
        assert_eq!(read.text(), "2026-11-29T22:50:42Z");
        assert!(read.is_before(&moment) && !moment.is_before(&read));
        assert!(Moment::from_pgn_tags("????.??.??", "00:00:00").is_err());
    }
}
