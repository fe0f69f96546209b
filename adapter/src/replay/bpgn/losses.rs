//! What of a replay is not in its BPGN: found by reading that again, so that nothing can be overlooked.
use super::read::read;
use super::write::{Tags, is_tag_name};
use crate::replay::error::{Place, ReplayError, Warning};
use crate::replay::format::Replay;
use crate::replay::values::Seat;
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// Compares a replay with its BPGN, as [`super::write()`] gives it: one warning for each field that does not come back as it is. The same
/// field of several events is named at the first one.
///
/// # Errors
/// The text is not the BPGN of that replay.
pub fn losses(replay: &Replay, text: &str) -> Result<Vec<Warning>, ReplayError> {
    let back = read(text, replay.exported_at.clone())?.replay;
    if back == *replay {
        return Ok(Vec::new());
    }
    let [was, is] = [replay, &back].map(|replay| serde_json::to_value(replay).unwrap_or_default());
    let mut comparison = Comparison { replay, path: Vec::new(), found: IndexMap::new() };
    comparison.compare(&was, Some(&is));
    let warnings = comparison.found.into_values().map(|(mut warning, count)| {
        if count > 1 {
            warning.why.push_str(&format!(" (and {} more like it)", count - 1));
        }
        warning
    });
    Ok(warnings.collect())
}

fn is_seat(name: &str) -> bool {
    Seat::ALL.into_iter().any(|seat| seat.to_string() == name)
}

/// A step on the way to a value.
#[derive(Debug, Clone)]
enum Step {
    Field(String),
    Index(usize),
}

#[derive(Debug)]
struct Comparison<'a> {
    replay: &'a Replay,
    path: Vec<Step>,
    /// By path without numbers, the first and how many there are.
    found: IndexMap<String, (Warning, usize)>,
}

impl Comparison<'_> {
    fn compare(&mut self, was: &Value, is: Option<&Value>) {
        let empty = Value::Object(Map::new());
        let is = match (is, self.path.as_slice()) {
            // Written only when there is something in them: what they would hold is missing one by one.
            (None, [Step::Field(name)]) if ["seats", "bpgnTags"].contains(&name.as_str()) => Some(&empty),
            _ => is,
        };
        match (was, is) {
            (Value::Object(fields), Some(Value::Object(others))) => {
                for (name, value) in fields {
                    self.below(Step::Field(name.clone()), value, others.get(name));
                }
            }
            (Value::Array(list), Some(Value::Array(others))) => {
                for (index, value) in list.iter().enumerate() {
                    self.below(Step::Index(index), value, others.get(index));
                }
            }
            (was, Some(is)) if was == is => {}
            (_, is) => self.note(is),
        }
    }

    fn below(&mut self, step: Step, was: &Value, is: Option<&Value>) {
        self.path.push(step);
        self.compare(was, is);
        self.path.pop();
    }

    fn note(&mut self, is: Option<&Value>) {
        let why = match (is, self.path.as_slice()) {
            (Some(is), _) => format!("becomes {is}"),
            (None, [Step::Field(list), Step::Field(name)]) if list == "bpgnTags" => self.why_no_tag(name),
            (None, [Step::Field(list), Step::Field(name)]) if list == "seats" && is_seat(name) => {
                "left out, ? is for an unknown player".to_owned()
            }
            _ => "left out, BPGN has no place for it".to_owned(),
        };
        let kind = self.path.iter().map(|step| match step {
            Step::Field(name) => format!(".{name}"),
            Step::Index(_) => "[]".to_owned(),
        });
        let kind = kind.chain([why.clone()].into_iter().filter(|_| is.is_none())).collect();
        let warning = Warning { place: self.place(), why };
        self.found.entry(kind).or_insert((warning, 0)).1 += 1;
    }

    fn why_no_tag(&self, name: &str) -> String {
        if !is_tag_name(name) {
            "left out, a tag has a name of letters, digits and underscores"
        } else if self.replay.bpgn_tags.get(name).is_some_and(|value| Tags::of(self.replay).has(name, value)) {
            "comes back as a field of its own"
        } else {
            "left out, a field tells this tag"
        }
        .to_owned()
    }

    fn place(&self) -> Place {
        let names = |steps: &[Step]| {
            let names = steps.iter().map(|step| match step {
                Step::Field(name) => name.clone(),
                Step::Index(index) => index.to_string(),
            });
            names.collect::<Vec<_>>().join(".")
        };
        match self.path.as_slice() {
            [Step::Field(list), Step::Index(index), rest @ ..] if list == "events" => {
                Place::Event(index + 1, names(rest))
            }
            [Step::Field(list), Step::Index(index), rest @ ..] if list == "supplyTimeline" => {
                Place::Supply(index + 1, names(rest))
            }
            path => Place::Field(names(path)),
        }
    }
}
