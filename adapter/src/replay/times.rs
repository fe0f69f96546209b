//! Times of a replay.
use super::whole::whole;
use jiff::{Timestamp, Unit};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::time::Duration;

/// The time of day where none is told.
pub(super) const MIDNIGHT: &str = "00:00:00";

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

    /// Whether a tag `Date` tells the day of this moment with parts that are not known, so that it says something else than
    /// [`Moment::pgn_tags`], but nothing against it.
    pub fn allows_date(&self, date: &str) -> bool {
        fits_unknown(&date.replace('-', "."), &self.pgn_tags().0)
    }

    /// The same for a tag `Time`. One that is no time of day says nothing against any.
    pub fn allows_time(&self, time: &str) -> bool {
        !time.is_empty() && (time_of_tag(time).is_none() || fits_unknown(time, &self.pgn_tags().1))
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

/// A pattern with question marks that stands for `text` among others.
fn fits_unknown(pattern: &str, text: &str) -> bool {
    let fits = || pattern.bytes().zip(text.bytes()).all(|(p, t)| p == b'?' || p == t);
    pattern.contains('?') && pattern.len() == text.len() && fits()
}

/// The day that a tag `Date` tells, `2026-11-29`. Of `2026.??.??` it is the first; so PGN writes what is not known.
///
/// # Errors
/// Not a day of the calendar, or the year is not known.
pub(super) fn day_of_tag(date: &str) -> Result<String, String> {
    let expected =
        || format!("expected a day as in 2026.11.29, or 2026.??.?? if only the year is known, found `{date}`");
    let text = date.replace('.', "-");
    let [year, month, day] = text.split('-').collect::<Vec<_>>()[..] else { return Err(expected()) };
    if year == "????" {
        return Err("the year is not known, and a replay says when its match began".to_owned());
    }
    let [month, day] = [month, day].map(|part| if part == "??" { "01" } else { part });
    let day = format!("{year}-{month}-{day}");
    match Moment::try_from(format!("{day}T{}Z", MIDNIGHT)) {
        Ok(_) => Ok(day),
        Err(_) => Err(expected()),
    }
}

/// The time of day that a tag `Time` tells, `22:50:42`; parts `??` are 0. `None` when it tells none.
pub(super) fn time_of_tag(time: &str) -> Option<String> {
    let known = time.split(':').map(|part| if part == "??" { "00" } else { part }).collect::<Vec<_>>().join(":");
    Moment::try_from(format!("2000-01-01T{known}Z")).is_ok().then_some(known)
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
        let read = format!("{}T{}Z", day_of_tag(&date).unwrap(), time_of_tag(&time).unwrap());
        assert_eq!(read, "2026-11-29T22:50:42Z");
        let read = Moment::try_from(read).unwrap();
        assert!(read.is_before(&moment) && !moment.is_before(&read));
        for (date, day) in [("2026.??.??", "2026-01-01"), ("2026.02.??", "2026-02-01"), ("2026-11-29", "2026-11-29")] {
            assert_eq!(day_of_tag(date).unwrap(), day, "{date}");
        }
        for date in
            ["????.??.??", "????.11.29", "202?.11.29", "2026.1?.29", "2026.02.30", "2026.11", "2026.1.1", "?", ""]
        {
            assert!(day_of_tag(date).is_err(), "{date}");
        }
        for (time, expected) in
            [("??:??:??", Some("00:00:00")), ("22:??:??", Some("22:00:00")), ("noon", None), ("", None)]
        {
            assert_eq!(time_of_tag(time).as_deref(), expected, "{time}");
        }
        for (date, allowed) in
            [("2026.11.??", true), ("????-??-??", true), ("2026.12.??", false), ("2026.11.29", false)]
        {
            assert_eq!(moment.allows_date(date), allowed, "{date}");
        }
        for (time, allowed) in
            [("22:??:??", true), ("noon", true), ("23:??:??", false), ("22:50:42", false), ("", false)]
        {
            assert_eq!(moment.allows_time(time), allowed, "{time}");
        }
    }
}
