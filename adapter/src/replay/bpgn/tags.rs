//! The tags of BPGN that is read.
use super::read::{Warnings, wrong};
use super::{player_tag, rating_tag};
use crate::replay::ReplayBuilder;
use crate::replay::error::ReplayError;
use crate::replay::format::{Player, Series};
use crate::replay::times::{MIDNIGHT, day_of_tag, time_of_tag};
use crate::replay::values::{Milliseconds, Moment, Seat};
use indexmap::IndexMap;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// Tags in their order, with their lines.
#[derive(Debug, Default)]
pub(super) struct Tags {
    values: IndexMap<String, (usize, String)>,
    /// `Result`, which is known to be right only in the end.
    pub(super) result: Option<(usize, String)>,
}

impl Tags {
    /// Adds a tag.
    pub(super) fn insert(&mut self, line: usize, name: &str, value: &str) -> Result<(), ReplayError> {
        match self.values.insert(name.to_owned(), (line, value.to_owned())) {
            None => Ok(()),
            Some(_) => Err(wrong(line, format!("a second tag {name}"))),
        }
    }

    fn take(&mut self, name: &str) -> Option<(usize, String)> {
        self.values.shift_remove(name)
    }

    /// Takes a tag when `read` can make something of it; otherwise it stays among the tags that the format does not know.
    fn take_if<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = read(&self.values.get(name)?.1)?;
        self.take(name);
        Some(value)
    }

    /// A builder with everything that the tags tell, and the moment of export.
    pub(super) fn begin(
        &mut self,
        now: Moment,
        warnings: &mut Warnings,
    ) -> Result<(ReplayBuilder, Moment), ReplayError> {
        if let Some((line, variant)) = self.take("Variant")
            && !["supply2", "supply", "supply xiangqi", "supply chess"].contains(&variant.to_lowercase().as_str())
        {
            return Err(wrong(line, format!("expected the tag Variant to be supply2, found {variant}")));
        }
        let started_at = self.started_at(warnings)?;
        let exported_at = match self.moment("ExportedAt")? {
            Some((line, told)) => {
                if told.is_before(&started_at) {
                    warnings
                        .add(line, format!("tag ExportedAt: {told} is before the start {started_at}, which is taken"));
                }
                told
            }
            None => now,
        };
        let series = Series {
            name: self.take("Event").map_or_else(|| "?".to_owned(), |(_, name)| name),
            number: self.take_if("Round", exact_number),
            site: self.take("Site").map(|(_, site)| site),
            ..Series::default()
        };
        let (set_up, fen) = (self.take("SetUp"), self.take("FEN"));
        if let Some((line, told)) = set_up.filter(|(_, told)| (told == "1") != fen.is_some()) {
            let start =
                fen.as_ref().map_or("there is no tag FEN: the start position", |_| "the position of the tag FEN");
            warnings.add(line, format!("tag SetUp: {told}, but {start} is taken"));
        }
        let mut builder = match fen {
            None => ReplayBuilder::new(series, started_at),
            Some((line, fen)) => ReplayBuilder::from_position(series, started_at, &fen)
                .map_err(|error| wrong(line, format!("tag FEN: {error}")))?,
        };
        for seat in Seat::ALL {
            let name = self.take(player_tag(seat)).map_or_else(|| "?".to_owned(), |(_, name)| name);
            let rating = self.take_if(rating_tag(seat), exact_number);
            // A rating tells that somebody sat there.
            if name != "?" || rating.is_some() {
                builder.seat(seat, Player { name, rating, ..Player::default() });
            }
        }
        if let Some((initial, increment)) = self.take_if("TimeControl", time_control) {
            builder.time_control(initial, increment);
        }
        self.result = self.take("Result");
        for (name, (_, value)) in std::mem::take(&mut self.values) {
            builder.tag(name, value);
        }
        Ok((builder, exported_at))
    }

    /// `StartedAt`, which keeps everything, or else `Date` and `Time`, which are to be UTC. A `Date` or `Time` that says less stays among
    /// the tags.
    fn started_at(&mut self, warnings: &mut Warnings) -> Result<Moment, ReplayError> {
        let exact = self.moment("StartedAt")?.map(|(_, moment)| moment);
        let moment = match exact.clone() {
            Some(exact) => exact,
            None => self.moment_of_date(warnings)?,
        };
        let (date, time) = moment.pgn_tags();
        let is_kept =
            [("Date", moment.allows_date(&self.text("Date"))), ("Time", moment.allows_time(&self.text("Time")))];
        for ((name, is_kept), told) in is_kept.into_iter().zip([date, time]) {
            if is_kept {
                continue;
            }
            let found = self.take(name).filter(|(_, found)| exact.is_some() && *found != told);
            if let Some((line, found)) = found {
                warnings.add(line, format!("tag {name}: {found} is left out, by StartedAt it is {told}"));
            }
        }
        Ok(moment)
    }

    fn moment_of_date(&self, warnings: &mut Warnings) -> Result<Moment, ReplayError> {
        let date = self.values.get("Date").ok_or_else(|| wrong(1, "no tag Date: when the match began is not told"))?;
        let (line, date) = date;
        let day = day_of_tag(date).map_err(|why| wrong(*line, format!("tag Date: {why}")))?;
        if date.contains('?') {
            warnings.add(*line, format!("tag Date: {day} is taken for {date}"));
        }
        let time = match self.values.get("Time") {
            None => MIDNIGHT.to_owned(),
            Some((line, time)) => {
                let read = time_of_tag(time);
                if read.is_none() || time.contains('?') {
                    let taken = read.as_deref().unwrap_or(MIDNIGHT);
                    warnings.add(*line, format!("tag Time: {taken} is taken for {time}"));
                }
                read.unwrap_or_else(|| MIDNIGHT.to_owned())
            }
        };
        Moment::try_from(format!("{day}T{time}Z")).map_err(|why| wrong(*line, format!("tag Date or Time: {why}")))
    }

    fn text(&self, name: &str) -> String {
        self.values.get(name).map_or_else(String::new, |(_, value)| value.clone())
    }

    fn moment(&mut self, name: &str) -> Result<Option<(usize, Moment)>, ReplayError> {
        let Some((line, text)) = self.take(name) else { return Ok(None) };
        let moment = Moment::try_from(text).map_err(|why| wrong(line, format!("tag {name}: {why}")))?;
        Ok(Some((line, moment)))
    }
}

/// A number that is written again as it stands here.
fn exact_number<T: FromStr + Display>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

/// Reads `300+2`, in seconds, and `300`, which is without an increment. What has more than three decimals is not known exactly.
fn time_control(text: &str) -> Option<(Duration, Duration)> {
    let (initial, increment) = text.split_once('+').unwrap_or((text, "0"));
    let is_exact = |text: &str| text.split_once('.').is_none_or(|(_, decimals)| decimals.len() <= 3);
    let read = |text| Milliseconds::from_seconds(text).filter(|_| is_exact(text)).map(super::read::duration);
    Some((read(initial)?, read(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_those_of_pgn() {
        let seconds = Duration::from_secs;
        for (text, expected) in [
            ("300+2", Some((seconds(300), seconds(2)))),
            ("60", Some((seconds(60), seconds(0)))),
            ("0.5+0.08", Some((Duration::from_millis(500), Duration::from_millis(80)))),
            ("?", None),
            ("-", None),
            ("*180", None),
            ("40/9000", None),
            ("40/9000:3600", None),
            ("60+", None),
            ("60+0.0005", None),
        ] {
            assert_eq!(time_control(text), expected, "{text}");
        }
    }
}
