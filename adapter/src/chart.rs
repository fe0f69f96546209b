//! Line charts as SVG, for pages and files that a browser shows.
use crate::picture::svg::escape;
use std::fmt::Write as _;

/// Colours of lines, in this order.
pub const COLORS: [&str; 6] = ["#1f6fb2", "#c8452d", "#2e8b57", "#8e5bb5", "#b8860b", "#5a5a5a"];

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it stands for.
    pub name: String,
    /// Its colour.
    pub color: &'static str,
    /// Its points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A point that is to be seen, with what the mouse shows there.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: (f64, f64),
    /// Its colour.
    pub color: &'static str,
    /// What it is.
    pub text: String,
}

/// A chart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// What is drawn.
    pub series: Vec<Series>,
    /// The first line's area down to the bottom is filled.
    pub is_area: bool,
    /// Dashed horizontal lines, with their names.
    pub levels: Vec<(f64, String)>,
    /// Marked points.
    pub marks: Vec<Mark>,
    /// The vertical range; without it what the points need.
    pub range: Option<(f64, f64)>,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;

/// From the values of an axis to places on the page.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis on which `values` and a bit more have room.
    fn of(values: impl Iterator<Item = f64>, fixed: Option<(f64, f64)>, from: f64, to: f64) -> Axis {
        let found = values.filter(|v| v.is_finite()).fold(None, |range: Option<(f64, f64)>, v| {
            let (low, high) = range.unwrap_or((v, v));
            Some((low.min(v), high.max(v)))
        });
        let (low, high) = fixed.or(found).unwrap_or((0.0, 1.0));
        let high = if high > low { high } else { low + 1.0 };
        Axis { low, high, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        ((self.from + share * (self.to - self.from)) * 10.0).round() / 10.0
    }

    /// Round values, at most nine.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 8.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0].map(|n| n * power).into_iter().find(|s| *s >= rough).unwrap_or(10.0 * power);
        let first = (self.low / step).ceil();
        // Multiples, not sums: no error adds up.
        (0..9).map(|n| (first + f64::from(n)) * step).take_while(|value| *value <= self.high).collect()
    }
}

impl Chart {
    /// The chart as an SVG element, complete with its name space, so that it can be a file as well.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|s| s.points.iter());
        let levels = self.levels.iter().map(|(level, _)| *level);
        let x = Axis::of(points().map(|p| p.0), None, LEFT, WIDTH - RIGHT);
        let y = Axis::of(points().map(|p| p.1).chain(levels), self.range, HEIGHT - BOTTOM, TOP);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{0}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{0}</text>\n",
            escape(&self.title)
        );
        // Writing into a string cannot fail.
        for tick in y.ticks() {
            let at = y.at(tick);
            let _ = writeln!(
                out,
                r##"<path d="M{LEFT} {at}H{}" stroke="#e4e4e4"/><text x="{}" y="{}" text-anchor="end">{}</text>"##,
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0,
                number(tick)
            );
        }
        for tick in x.ticks() {
            let _ = writeln!(
                out,
                r#"<text x="{}" y="{}" text-anchor="middle">{}</text>"#,
                x.at(tick),
                HEIGHT - BOTTOM + 16.0,
                number(tick)
            );
        }
        let _ = writeln!(
            out,
            r##"<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#444444"/><text x="{middle}" y="{below}" text-anchor="middle">{x_label}</text><text transform="translate(16 {half}) rotate(-90)" text-anchor="middle">{y_label}</text>"##,
            bottom = HEIGHT - BOTTOM,
            right = WIDTH - RIGHT,
            middle = (LEFT + WIDTH - RIGHT) / 2.0,
            below = HEIGHT - 12.0,
            half = (TOP + HEIGHT - BOTTOM) / 2.0,
            x_label = escape(&self.x_label),
            y_label = escape(&self.y_label)
        );
        for (level, name) in &self.levels {
            let at = y.at(*level);
            let _ = writeln!(
                out,
                r##"<path d="M{LEFT} {at}H{right}" stroke="#888888" stroke-dasharray="6 4"/><text x="{right}" y="{}" text-anchor="end" fill="#666666">{}</text>"##,
                at - 4.0,
                escape(name),
                right = WIDTH - RIGHT
            );
        }
        for (index, series) in self.series.iter().enumerate() {
            let finite = series.points.iter().filter(|p| p.0.is_finite() && p.1.is_finite());
            let places: Vec<String> = finite.map(|&(px, py)| format!("{} {}", x.at(px), y.at(py))).collect();
            if places.is_empty() {
                continue;
            }
            let path = places.join("L");
            if index == 0 && self.is_area {
                let last = series.points.last().map_or(LEFT, |p| x.at(p.0));
                let first = series.points.first().map_or(LEFT, |p| x.at(p.0));
                let _ = writeln!(
                    out,
                    r#"<path d="M{path}L{last} {0}L{first} {0}Z" fill="{1}" fill-opacity="0.18"/>"#,
                    HEIGHT - BOTTOM,
                    series.color
                );
            }
            let _ = writeln!(out, r#"<path d="M{path}" fill="none" stroke="{}" stroke-width="1.8"/>"#, series.color);
        }
        for mark in &self.marks {
            let _ = writeln!(
                out,
                r##"<circle cx="{}" cy="{}" r="4.5" fill="{}" stroke="#ffffff"><title>{}</title></circle>"##,
                x.at(mark.at.0),
                y.at(mark.at.1),
                mark.color,
                escape(&mark.text)
            );
        }
        // One line needs no legend: the title says what it is.
        let mut right = WIDTH - RIGHT;
        for series in self.series.iter().rev().filter(|_| self.series.len() > 1) {
            let _ = writeln!(
                out,
                r#"<text x="{right}" y="22" text-anchor="end" fill="{}">— {}</text>"#,
                series.color,
                escape(&series.name)
            );
            right -= 7.0 * series.name.chars().count() as f64 + 36.0;
        }
        out + "</svg>\n"
    }
}

/// Without digits that say nothing.
fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    // Adding zero makes zero of minus zero.
    (rounded + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        for (low, high, ticks) in [
            (0.0, 100.0, vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            (-2.94, 2.94, vec![-2.0, -1.0, 0.0, 1.0, 2.0]),
            (0.0, 0.3, vec![0.0, 0.05, 0.1, 0.15000000000000002, 0.2, 0.25, 0.30000000000000004]),
        ] {
            let axis = Axis { low, high, from: 0.0, to: 1.0 };
            let found = axis.ticks();
            let wanted: Vec<f64> = ticks.into_iter().filter(|t| *t <= high).collect();
            assert_eq!(found, wanted);
        }
        assert_eq!([number(0.15000000000000002), number(-0.0), number(1e5)], ["0.15", "0", "100000"]);
    }

    #[test]
    fn no_points_and_no_numbers_are_drawn_as_nothing() {
        let empty = Chart::default().svg();
        assert!(!empty.contains("NaN") && empty.ends_with("</svg>\n"));
        let points = vec![(0.0, f64::NAN), (1.0, f64::INFINITY), (2.0, 3.0)];
        let chart = Chart { series: vec![Series { name: "a".into(), color: "red", points }], ..Chart::default() };
        assert!(!chart.svg().contains("NaN") && !chart.svg().contains("inf"));
    }

    #[test]
    fn names_are_escaped() {
        let series = |name: &str| Series { name: name.to_owned(), color: "red", points: vec![(0.0, 0.0)] };
        let chart = Chart { title: "<a>".into(), series: vec![series("x&y"), series("z")], ..Chart::default() };
        let svg = chart.svg();
        assert!(svg.contains("&lt;a&gt;") && svg.contains("x&amp;y") && !svg.contains("<a>"));
    }
}
