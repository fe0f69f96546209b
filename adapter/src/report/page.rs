//! The page: HTML that needs nothing else, with charts as inline SVG.
use super::games::{Games, Played, Standing};
use crate::chart::{COLORS, Chart, Series};
use crate::picture::svg::escape;
use crate::runner::report::TestState;
use crate::runner::settings::Sprt;
use crate::runner::statistics::Tally;
use sanqi::board::Color;
use sanqi::games::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Most points of a curve, and most rows of the table of openings.
const MAX_POINTS: usize = 1000;
const MAX_OPENINGS: usize = 200;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;color:#222}\
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25em .7em;text-align:right;white-space:nowrap;border-bottom:1px solid #e4e4e4}th{border-bottom-color:#888}\
td:first-child,th:first-child{text-align:left;white-space:normal}code{font-size:.85em;overflow-wrap:anywhere}\
svg{max-width:100%;height:auto}table+svg{margin-top:1em}td svg{max-width:none;vertical-align:middle}.note{color:#666}";

/// The whole page. `title` is mostly the name of the file.
pub fn page(title: &str, games: &Games) -> String {
    let standing = Standing::of(&games.games);
    let heading = match standing.engines.as_slice() {
        [first, second] => format!("{first} against {second}"),
        _ => title.to_owned(),
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape(&heading)
    );
    // Writing into a string cannot fail.
    let conditions: Vec<String> = games.conditions.iter().map(|part| escape(part)).collect();
    let (count, engines) = (games.games.len(), standing.engines.len());
    let _ = writeln!(out, "<p>{count} games of {engines} engines: {} ({}).</p>", conditions.join(", "), escape(title));
    if !games.faults.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{} games could not be read and are left out.</p>", games.faults.len());
    }
    ranking(&mut out, &standing);
    if let Some(sprt) = &games.sprt {
        test(&mut out, &standing, sprt);
    }
    colours(&mut out, &standing, &games.games);
    openings(&mut out, &standing, &games.games);
    time_use(&mut out, &standing, &games.games);
    ends(&mut out, &games.games);
    out + "</body>\n</html>\n"
}

/// A number with decimals; a dash for what is none.
fn decimal(value: f64, digits: usize) -> String {
    match value {
        v if v.is_nan() => "–".to_owned(),
        v if v.is_infinite() => if v > 0.0 { "∞" } else { "−∞" }.to_owned(),
        v => format!("{:.digits$}", v + 0.0),
    }
}

fn table(out: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let cells = |tag: &str, cells: &[String]| cells.iter().map(|c| format!("<{tag}>{c}</{tag}>")).collect::<String>();
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let _ = writeln!(out, "<table>\n<tr>{}</tr>", cells("th", &head));
    for row in rows {
        let _ = writeln!(out, "<tr>{}</tr>", cells("td", &row));
    }
    out.push_str("</table>\n");
}

fn share(tally: &Tally) -> f64 {
    tally.points() / tally.games() as f64 * 100.0
}

fn ranking(out: &mut String, standing: &Standing) {
    let by_pairs = standing.by_pairs();
    let mut rows: Vec<(&String, Tally)> =
        standing.engines.iter().enumerate().map(|(index, name)| (name, standing.total(index))).collect();
    rows.sort_by(|a, b| share(&b.1).total_cmp(&share(&a.1)));
    out.push_str("<h2>Elo</h2>\n");
    let head = ["Engine", "Elo", "±95 %", "nElo", "LOS", "Games", "Won", "Drawn", "Lost", "Score", "Pairs 0–2"];
    table(
        out,
        &head,
        rows.iter().map(|(name, tally)| {
            let sample = tally.sample(by_pairs);
            let ((elo, error), (nelo, _)) = (sample.elo(), sample.nelo());
            let bins: Vec<String> = tally.pentanomial().iter().map(u64::to_string).collect();
            vec![
                escape(name),
                decimal(elo, 1),
                decimal(error, 1),
                decimal(nelo, 1),
                format!("{} %", decimal(sample.los(), 1)),
                tally.games().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                format!("{} %", decimal(share(tally), 1)),
                if by_pairs { bins.join(" ") } else { "–".to_owned() },
            ]
        }),
    );
    if by_pairs {
        out.push_str("<p class=\"note\">Pairs 0–2: pairs of games that gave 0, ½, 1, 1½ and 2 points.</p>\n");
    }
    let how = if by_pairs { "pairs of games with colours reversed" } else { "single games" };
    let _ = writeln!(out, "<p class=\"note\">Elo against the other engines together, by {how}.</p>");
}

/// Every n-th of many, and the last.
fn thinned<T>(all: &[T]) -> impl Iterator<Item = (usize, &T)> {
    let step = all.len().div_ceil(MAX_POINTS).max(1);
    let last = all.len().saturating_sub(1);
    all.iter().enumerate().filter(move |(index, _)| index % step == 0 || *index == last)
}

fn test(out: &mut String, standing: &Standing, sprt: &Sprt) {
    let by_pairs = standing.by_pairs();
    let points = thinned(&standing.course)
        .map(|(index, tally)| ((index + 1) as f64, TestState::of(sprt, tally, by_pairs).llr))
        .collect::<Vec<_>>();
    let state = TestState::of(sprt, standing.course.last().unwrap_or(&Tally::default()), by_pairs);
    // Room beyond the bounds, so that their lines stand apart from the frame.
    let values = || points.iter().map(|p| p.1).chain([state.lower, state.upper]);
    let range = Some((values().fold(0.0, f64::min) * 1.15, values().fold(0.0, f64::max) * 1.15));
    let verdict = match state.decision() {
        Some(true) => "H1 is accepted",
        Some(false) => "H0 is accepted",
        None => "undecided",
    };
    let names: Vec<String> = standing.engines.iter().take(2).map(|name| escape(name)).collect();
    let _ = writeln!(
        out,
        "<h2>Sequential test</h2>\n<p>{}: LLR {} of ({}, {}) for [{}, {}] Elo, {verdict}.</p>",
        names.join(" against "),
        decimal(state.llr, 2),
        decimal(state.lower, 2),
        decimal(state.upper, 2),
        sprt.elo0,
        sprt.elo1
    );
    let chart = Chart {
        title: "Log-likelihood ratio".to_owned(),
        x_label: "games".to_owned(),
        y_label: "LLR".to_owned(),
        series: vec![Series { name: "LLR".to_owned(), color: COLORS[0], points }],
        levels: vec![(state.lower, "H0".to_owned()), (state.upper, "H1".to_owned())],
        range,
        ..Chart::default()
    };
    out.push_str(&chart.svg());
}

fn count(tally: &mut [u64; 3], outcome: Outcome) {
    let [white, draws, black] = tally;
    match outcome {
        Outcome::Win(Color::White) => *white += 1,
        Outcome::Win(Color::Black) => *black += 1,
        Outcome::Draw | Outcome::Ongoing => *draws += 1,
    }
}

/// Numbers of a split and the share of points of the first player.
fn split_cells([won, drawn, lost]: [u64; 3]) -> Vec<String> {
    let games = won + drawn + lost;
    let share = (won as f64 + drawn as f64 / 2.0) / games as f64 * 100.0;
    let numbers = [games, won, drawn, lost].map(|n| n.to_string());
    [&numbers[..], &[format!("{} %", decimal(share, 1)), bar([won, drawn, lost])]].concat()
}

/// Wins, draws and losses as a bar.
fn bar(split: [u64; 3]) -> String {
    const WIDTH: f64 = 120.0;
    let all = split.iter().sum::<u64>().max(1) as f64;
    let mut out = format!("<svg width=\"{WIDTH}\" height=\"11\" role=\"img\">");
    let mut left = 0.0;
    for (count, color) in split.into_iter().zip(["#2e8b57", "#d0d0d0", "#c8452d"]) {
        let width = count as f64 / all * WIDTH;
        let _ = write!(out, "<rect x=\"{left:.1}\" width=\"{width:.1}\" height=\"11\" fill=\"{color}\"/>");
        left += width;
    }
    out + "</svg>"
}

fn colours(out: &mut String, standing: &Standing, games: &[Played]) {
    let mut all = [0; 3];
    games.iter().for_each(|game| count(&mut all, game.outcome));
    let mut rows = vec![[vec!["first player".to_owned()], split_cells(all)].concat()];
    for name in &standing.engines {
        for (side, player) in [("first", true), ("second", false)] {
            let mut split = [0; 3];
            for game in games.iter().filter(|g| if player { g.white == *name } else { g.black == *name }) {
                count(&mut split, game.outcome);
            }
            if !player {
                split.reverse();
            }
            if split != [0; 3] {
                rows.push([vec![format!("{} as {side} player", escape(name))], split_cells(split)].concat());
            }
        }
    }
    out.push_str("<h2>Colours</h2>\n");
    table(out, &["", "Games", "Won", "Drawn", "Lost", "Score", ""], rows.into_iter());
}

fn openings(out: &mut String, standing: &Standing, games: &[Played]) {
    // By the position: results of the first player, and points of the first engine.
    let mut by_opening: BTreeMap<&str, ([u64; 3], f64, u64)> = BTreeMap::new();
    let first = standing.engines.first().map(String::as_str).unwrap_or_default();
    for game in games {
        let (split, points, played) = by_opening.entry(&game.opening).or_default();
        count(split, game.outcome);
        let is_white = game.white == first;
        if is_white || game.black == first {
            *played += 1;
            *points += match game.outcome {
                Outcome::Win(color) => f64::from((color == Color::White) == is_white),
                Outcome::Draw | Outcome::Ongoing => 0.5,
            };
        }
    }
    let mut rows: Vec<_> = by_opening.into_iter().collect();
    let games_of = |split: &[u64; 3]| split.iter().sum::<u64>();
    rows.sort_by_key(|(fen, (split, ..))| (std::cmp::Reverse(games_of(split)), *fen));
    let (total, lopsided) =
        (rows.len(), rows.iter().filter(|(_, ([w, d, b], ..))| *d == 0 && (*w == 0 || *b == 0)).count());
    let _ = writeln!(
        out,
        "<h2>Openings</h2>\n<p>{total} openings; in {lopsided} of them the same side won every game.</p>\n<details><summary>Openings, the most played first</summary>"
    );
    let head = ["Opening", "Games", "Won", "Drawn", "Lost", "Score", "", "First engine"];
    let shown = rows.iter().take(MAX_OPENINGS).map(|(fen, (split, points, played))| {
        let engine = decimal(points / *played as f64 * 100.0, 1);
        [vec![format!("<code>{}</code>", escape(fen))], split_cells(*split), vec![format!("{engine} %")]].concat()
    });
    table(out, &head, shown);
    if total > MAX_OPENINGS {
        let _ = writeln!(out, "<p class=\"note\">{} more are not shown.</p>", total - MAX_OPENINGS);
    }
    let _ = writeln!(out, "</details>\n<p class=\"note\">First engine: {}.</p>", escape(first));
}

fn time_use(out: &mut String, standing: &Standing, games: &[Played]) {
    let (mut series, mut rows) = (Vec::new(), Vec::new());
    for (name, color) in standing.engines.iter().zip(COLORS.iter().cycle()) {
        let mut by_move: BTreeMap<usize, (f64, u64)> = BTreeMap::new();
        let mut longest = 0.0f64;
        for game in games {
            for &(side, number, seconds) in &game.times {
                if *name == *(if side == Color::White { &game.white } else { &game.black }) {
                    let (sum, count) = by_move.entry(number).or_default();
                    (*sum, *count) = (*sum + seconds, *count + 1);
                    longest = longest.max(seconds);
                }
            }
        }
        let (moves, sum) = by_move.values().fold((0, 0.0), |(moves, all), (sum, count)| (moves + count, all + sum));
        if moves > 0 {
            let seconds = |value: f64| format!("{} s", decimal(value, 3));
            rows.push(vec![escape(name), moves.to_string(), seconds(sum / moves as f64), seconds(longest)]);
        }
        // Few games are that long: what they say is noise.
        let most = by_move.values().map(|(_, count)| *count).max().unwrap_or(0);
        let common = by_move.into_iter().filter(|(_, (_, count))| count * 20 >= most);
        let points: Vec<(f64, f64)> = common.map(|(n, (sum, count))| (n as f64, sum / count as f64)).collect();
        if !points.is_empty() {
            series.push(Series { name: name.clone(), color, points });
        }
    }
    out.push_str("<h2>Time</h2>\n");
    if series.is_empty() {
        out.push_str("<p class=\"note\">The games say nothing of it.</p>\n");
        return;
    }
    table(out, &["Engine", "Moves", "Mean", "Longest"], rows.into_iter());
    let top = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).fold(0.0, f64::max);
    let chart = Chart {
        title: "Mean time per move".to_owned(),
        x_label: "move".to_owned(),
        y_label: "seconds".to_owned(),
        series,
        range: Some((0.0, top * 1.05)),
        ..Chart::default()
    };
    out.push_str(&chart.svg());
    out.push_str("<p class=\"note\">Moves that fewer than a twentieth of the games reach are left out.</p>\n");
}

fn ends(out: &mut String, games: &[Played]) {
    let mut by_end: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for game in games {
        let (count, plies) = by_end.entry(&game.termination).or_default();
        (*count, *plies) = (*count + 1, *plies + game.plies);
    }
    out.push_str("<h2>Ends</h2>\n");
    let rows = by_end
        .into_iter()
        .map(|(end, (count, plies))| vec![escape(end), count.to_string(), decimal(plies as f64 / count as f64, 1)]);
    table(out, &["Termination", "Games", "Mean plies"], rows);
}
