//! The lines that are printed, as fastchess (or cutechess) prints them, since programs read them.
use super::clock::describe;
use super::settings::{EngineSettings, OutputFormat, Settings, Sprt};
use super::statistics::{Sample, Tally, sprt_bounds};
use std::collections::BTreeMap;
use std::fmt::Write;

const RULE: &str = "--------------------------------------------------";

/// Results so far, by pairing, from its first engine's point of view.
pub type Tallies = BTreeMap<[usize; 2], Tally>;

/// Two decimals; `nan` and `inf` as C prints them.
fn decimal(value: f64) -> String {
    // Adding zero makes zero of minus zero.
    if value.is_nan() { "nan".to_owned() } else { format!("{:.2}", value + 0.0) }
}

/// What stands in brackets after `Results of A vs B`.
fn conditions(settings: &Settings, engines: [&EngineSettings; 2], values: [Option<&Values>; 2]) -> String {
    let both = |[a, b]: [String; 2]| if a == b { a } else { format!("{a} - {b}") };
    let [first, second] = engines;
    let [first_values, second_values] = values;
    // What an engine has said counts; before that there is only what it will be told.
    let value = |engine: &EngineSettings, said: Option<&Values>, index: usize, name: &str, unit: &str| {
        let value = match said {
            Some(values) => values.get(index).and_then(Option::as_deref),
            None => engine.option(name),
        };
        value.map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
    };
    let both_values = |index, name, unit| {
        [value(first, first_values, index, name, unit), value(second, second_values, index, name, unit)]
    };
    let (threads, hash) = (both_values(0, "Threads", "t"), both_values(1, "Hash", "MB"));
    let mut text = both(engines.map(|engine| describe(&engine.limit)));
    let _ = write!(text, ", {}, {}", both(threads), both(hash));
    if !settings.opening.file.is_empty() {
        let file = std::path::Path::new(&settings.opening.file);
        let _ = write!(text, ", {}", file.file_name().unwrap_or_default().to_string_lossy());
    }
    text
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestState {
    /// Log-likelihood ratio.
    pub llr: f64,
    /// Bound of H0.
    pub lower: f64,
    /// Bound of H1.
    pub upper: f64,
}

impl TestState {
    /// The state of `sprt` with these results.
    pub fn of(sprt: &Sprt, tally: &Tally, by_pairs: bool) -> TestState {
        let (lower, upper) = sprt_bounds(sprt.alpha, sprt.beta);
        TestState { llr: tally.sample(by_pairs).llr(sprt.model, sprt.elo0, sprt.elo1), lower, upper }
    }

    /// `Some(true)` when H1 is accepted, `Some(false)` when H0 is.
    pub fn decision(&self) -> Option<bool> {
        if self.llr >= self.upper {
            Some(true)
        } else if self.llr <= self.lower {
            Some(false)
        } else {
            None
        }
    }

    /// Percentage of the way to the bound it is heading for, negative on the side of H0.
    fn percent(&self) -> f64 {
        if self.llr < 0.0 { -self.llr / self.lower * 100.0 } else { self.llr / self.upper * 100.0 }
    }
}

/// Threads and table of engines that have been started, by the engine's index.
pub type AllValues = BTreeMap<usize, Values>;
/// Threads and megabytes of one engine; `None` where it has no such option.
pub type Values = [Option<String>; 2];

/// The block of statistics of one pairing.
pub fn results(settings: &Settings, pairing: [usize; 2], tally: &Tally, values: &AllValues) -> String {
    let [first, second] = pairing.map(|index| settings.engines.get(index));
    let (Some(first), Some(second)) = (first, second) else { return String::new() };
    match settings.output {
        OutputFormat::Fastchess => {
            let values = pairing.map(|index| values.get(&index));
            let conditions = conditions(settings, [first, second], values);
            fastchess_results(settings, [&first.name, &second.name], &conditions, tally)
        }
        OutputFormat::Cutechess => cutechess_results(settings, tally),
    }
}

fn fastchess_results(settings: &Settings, [first, second]: [&str; 2], conditions: &str, tally: &Tally) -> String {
    let by_pairs = settings.by_pairs();
    let sample = tally.sample(by_pairs);
    let ((elo, elo_error), (nelo, nelo_error)) = (sample.elo(), sample.nelo());
    let mut text = format!("{RULE}\n");
    // Writing into a string cannot fail.
    let _ = writeln!(text, "Results of {first} vs {second} ({conditions}):");
    let _ = writeln!(
        text,
        "Elo: {} +/- {}, nElo: {} +/- {}",
        decimal(elo),
        decimal(elo_error),
        decimal(nelo),
        decimal(nelo_error)
    );
    let _ = write!(text, "LOS: {} %, DrawRatio: {} %", decimal(sample.los()), decimal(tally.draw_ratio(by_pairs)));
    if by_pairs {
        let _ = write!(text, ", PairsRatio: {}", decimal(tally.pairs_ratio()));
    }
    let _ = writeln!(
        text,
        "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        tally.points(),
        decimal(tally.points() / tally.games() as f64 * 100.0)
    );
    if by_pairs {
        let ratio = decimal(tally.win_loss_to_draws());
        let _ = writeln!(text, "Ptnml(0-2): {}, WL/DD Ratio: {ratio}", pentanomial(tally));
    }
    if settings.sprt.enabled {
        let (sprt, state) = (settings.sprt, TestState::of(&settings.sprt, tally, by_pairs));
        let _ = writeln!(
            text,
            "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
            state.llr,
            state.percent(),
            state.lower,
            state.upper,
            sprt.elo0,
            sprt.elo1
        );
    }
    text.push_str(RULE);
    text
}

fn cutechess_results(settings: &Settings, tally: &Tally) -> String {
    let sample = tally.sample(settings.by_pairs());
    let (elo, error) = sample.elo();
    let mut text = format!(
        "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %",
        decimal(elo),
        decimal(error),
        decimal(sample.los()),
        decimal(tally.draw_ratio(false))
    );
    if settings.sprt.enabled {
        let state = TestState::of(&settings.sprt, tally, settings.by_pairs());
        let _ = write!(
            text,
            "\nSPRT: llr {:.2} ({:.1}%), lbound {:.2}, ubound {:.2}",
            state.llr,
            state.percent(),
            state.lower,
            state.upper
        );
        match state.decision() {
            Some(true) => text.push_str(" - H1 was accepted"),
            Some(false) => text.push_str(" - H0 was accepted"),
            None => {}
        }
    }
    text
}

/// `Score of A vs B: W - L - D  [0.500] N`, printed after every game in the cutechess form.
pub fn score(settings: &Settings, pairing: [usize; 2], tally: &Tally) -> String {
    let name = |index: usize| settings.engines.get(index).map_or("", |e| e.name.as_str());
    let [first, second] = pairing;
    format!(
        "Score of {} vs {}: {} - {} - {}  [{:.3}] {}",
        name(first),
        name(second),
        tally.wins,
        tally.losses,
        tally.draws,
        tally.points() / tally.games() as f64,
        tally.games()
    )
}

/// The table of a tournament of more than two engines, the strongest first.
pub fn ranking(settings: &Settings, tallies: &Tallies) -> String {
    let by_pairs = settings.by_pairs();
    let mut rows: Vec<(&str, Tally)> = settings.engines.iter().map(|e| (e.name.as_str(), Tally::default())).collect();
    for ([first, second], tally) in tallies {
        if let Some((_, sum)) = rows.get_mut(*first) {
            sum.add(tally);
        }
        if let Some((_, sum)) = rows.get_mut(*second) {
            sum.add(&tally.reversed());
        }
    }
    let mut rows: Vec<(&str, Tally, Sample)> =
        rows.into_iter().map(|(name, tally)| (name, tally, tally.sample(by_pairs))).collect();
    // The strongest first, those without games last.
    let rank = |sample: &Sample| Some(sample.elo().0).filter(|elo| !elo.is_nan()).unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| rank(&b.2).total_cmp(&rank(&a.2)));
    let width = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0).max(25);
    let penta = settings.output == OutputFormat::Fastchess;
    let mut text = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    if penta {
        let _ = write!(text, " {:>20}", "Ptnml(0-2)");
    }
    for (rank, (name, tally, sample)) in rows.iter().enumerate() {
        let ((elo, elo_error), (nelo, nelo_error)) = (sample.elo(), sample.nelo());
        let _ = write!(
            text,
            "\n{:>4} {name:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9.1}% {:>9.1}%",
            rank + 1,
            decimal(elo),
            decimal(elo_error),
            decimal(nelo),
            decimal(nelo_error),
            tally.games(),
            tally.points() / tally.games().max(1) as f64 * 100.0,
            if tally.games() > 0 { tally.draw_ratio(by_pairs) } else { 0.0 }
        );
        if penta {
            let bins = if by_pairs { pentanomial(tally) } else { String::new() };
            let _ = write!(text, " {bins:>20}");
        }
    }
    if penta {
        text = format!("{RULE}\n{text}\n{RULE}");
    }
    text
}

/// `[LL, LD, WL + DD, WD, WW]`.
fn pentanomial(tally: &Tally) -> String {
    let bins: Vec<String> = tally.pentanomial().iter().map(u64::to_string).collect();
    format!("[{}]", bins.join(", "))
}

/// The line that ends a test that has been decided.
pub fn decision(sprt: &Sprt, accepted_h1: bool) -> String {
    let hypothesis = if accepted_h1 { "H1" } else { "H0" };
    format!("SPRT ([{:.2}, {:.2}]) completed - {hypothesis} was accepted", sprt.elo0, sprt.elo1)
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Openings, SearchLimit, TimeControl};
    use super::*;

    fn settings() -> Settings {
        let engine = |name: &str| EngineSettings {
            name: name.to_owned(),
            options: vec![("Threads".to_owned(), "1".to_owned()), ("Hash".to_owned(), "16".to_owned())],
            limit: SearchLimit {
                tc: TimeControl { time: 500, increment: 5, ..Default::default() },
                ..Default::default()
            },
            ..EngineSettings::default()
        };
        Settings {
            engines: vec![engine("A"), engine("B")],
            opening: Openings { file: "books/b.epd".to_owned(), ..Openings::default() },
            sprt: Sprt { enabled: true, elo1: 5.0, ..Sprt::default() },
            ..Settings::default()
        }
    }

    /// Two wins, four losses, four draws in the pairs of the reference's example.
    fn tally() -> Tally {
        Tally { wins: 2, losses: 4, draws: 4, penta_LD: 3, penta_WL: 1, penta_WD: 1, ..Tally::default() }
    }

    #[test]
    fn fastchess_block() {
        assert_eq!(
            results(&settings(), [0, 1], &tally(), &AllValues::new()),
            "--------------------------------------------------\n\
             Results of A vs B (0.5+0.005, 1t, 16MB, b.epd):\n\
             Elo: -70.44 +/- 133.94, nElo: -122.84 +/- 215.34\n\
             LOS: 13.18 %, DrawRatio: 20.00 %, PairsRatio: 0.33\n\
             Games: 10, Wins: 2, Losses: 4, Draws: 4, Points: 4.0 (40.00 %)\n\
             Ptnml(0-2): [0, 3, 1, 1, 0], WL/DD Ratio: inf\n\
             LLR: -0.05 (-1.6%) (-2.94, 2.94) [0.00, 5.00]\n\
             --------------------------------------------------"
        );
    }

    #[test]
    fn without_pairs_and_without_results() {
        let mut settings = settings();
        settings.report_penta = false;
        let text = results(&settings, [0, 1], &tally(), &AllValues::new());
        assert!(
            !text.contains("Ptnml") && !text.contains("PairsRatio") && text.contains("DrawRatio: 40.00 %"),
            "{text}"
        );
        let text = results(&settings, [0, 1], &Tally::default(), &AllValues::new());
        assert!(text.contains("Elo: nan +/- nan") && text.contains("LLR: 0.00"), "{text}");
    }

    #[test]
    fn cutechess_lines() {
        let mut settings = settings();
        settings.output = OutputFormat::Cutechess;
        settings.report_penta = false;
        assert_eq!(score(&settings, [0, 1], &tally()), "Score of A vs B: 2 - 4 - 4  [0.400] 10");
        let text = results(&settings, [0, 1], &tally(), &AllValues::new());
        assert!(text.starts_with("Elo difference: -70.44 +/- "), "{text}");
        assert!(text.contains("\nSPRT: llr -0.") && text.contains("lbound -2.94, ubound 2.94"), "{text}");
    }

    #[test]
    fn what_is_not_set_is_as_the_engine_has_it() {
        // Nor is what is set and not taken.
        let settings = settings();
        let text = |values: [Values; 2]| {
            let text = results(&settings, [0, 1], &tally(), &AllValues::from_iter((0..).zip(values)));
            text.lines().nth(1).unwrap().to_owned()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(text([[None, None], [None, None]]), "Results of A vs B (0.5+0.005, NULL, NULL, b.epd):");
        let other = text([[some("1"), some("16")], [some("1"), None]]);
        assert_eq!(other, "Results of A vs B (0.5+0.005, 1t, 16MB - NULL, b.epd):");
    }

    #[test]
    fn decisions() {
        let state = |llr| TestState { llr, lower: -2.94, upper: 2.94 };
        assert_eq!(
            [state(2.94).decision(), state(-3.0).decision(), state(0.0).decision()],
            [Some(true), Some(false), None]
        );
        assert_eq!(decision(&settings().sprt, false), "SPRT ([0.00, 5.00]) completed - H0 was accepted");
    }

    #[test]
    fn table_is_sorted_and_counts_both_sides() {
        let mut settings = settings();
        settings.engines.push(EngineSettings { name: "C".to_owned(), ..EngineSettings::default() });
        settings.report_penta = false;
        let tallies = Tallies::from([
            ([0, 1], Tally { losses: 2, ..Tally::default() }),
            ([1, 2], Tally { wins: 2, ..Tally::default() }),
        ]);
        let text = ranking(&settings, &tallies);
        let names: Vec<&str> = text.lines().skip(2).filter_map(|l| l.split_whitespace().nth(1)).collect();
        assert_eq!(names.first(), Some(&"B"), "{text}");
        assert!(text.lines().nth(2).unwrap().contains(" 100.0% "), "{text}");
    }
}
