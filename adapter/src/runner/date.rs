//! Points in time as text, in UTC.
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Begin and end of what began then by the wall clock and took so long: that clock may have been set meanwhile.
pub(super) fn span(began: u64, took: Duration) -> [u64; 2] {
    [began, began.saturating_add(u64::try_from(took.as_millis()).unwrap_or(u64::MAX))]
}

/// Year, month, day, and seconds within the day. The calendar is Hinnant's `civil_from_days`, with eras of 400 years that begin in March.
fn civil(ms: u64) -> (u64, u64, u64, u64) {
    let seconds = ms / 1000;
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day, seconds % 86_400)
}

/// `2026.11.29`, as PGN has it.
pub(super) fn pgn_date(ms: u64) -> String {
    let (year, month, day, _) = civil(ms);
    format!("{year:04}.{month:02}.{day:02}")
}

/// `2026-11-29T22:45:00 +0000`, as fastchess writes the times of a game.
pub(super) fn timestamp(ms: u64) -> String {
    let (year, month, day, seconds) = civil(ms);
    format!("{year:04}-{month:02}-{day:02}T{} +0000", hms(seconds))
}

/// `20261129_224500`, for the names of files.
pub(super) fn compact(ms: u64) -> String {
    let (year, month, day, seconds) = civil(ms);
    format!("{year:04}{month:02}{day:02}_{}", hms(seconds).replace(':', ""))
}

/// The time of day for lines of a log.
pub(crate) fn now_of_day() -> String {
    time_of_day(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// `22:45:00.123456`.
fn time_of_day(since_1970: Duration) -> String {
    format!("{}.{:06}", hms(since_1970.as_secs() % 86_400), since_1970.subsec_micros())
}

/// `01:02:03`.
pub(super) fn hms(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(pgn_date(0), "1970.01.01");
        assert_eq!(timestamp(951_827_696_000), "2000-02-29T12:34:56 +0000");
        assert_eq!(timestamp(4_107_542_399_000), "2100-02-28T23:59:59 +0000");
        assert_eq!(pgn_date(4_107_542_400_000), "2100.03.01");
        assert_eq!(hms(3661), "01:01:01");
        assert_eq!(compact(951_827_696_000), "20000229_123456");
        assert_eq!(time_of_day(Duration::new(90_061, 7_000)), "01:01:01.000007");
    }
}
