//! What results say about strength: Elo, normalized Elo, LOS, and the log-likelihood ratio of a sequential test.
//!
//! Pairs of games with colours reversed are counted in five bins (pentanomial), because the two games of one opening are not
//! independent; single games in three. The likelihood ratio follows Van den Bergh, "A practical introduction to the GSPRT": maximum
//! likelihood under each hypothesis, the mean fixed (logistic Elo) or the t-value fixed (normalized Elo).
use super::settings::SprtModel;
use serde::{Deserialize, Serialize};

/// Result of one game for the engine that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Score {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

/// Counts of games and of complete pairs, from the first engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Pairs won twice.
    pub penta_WW: u64,
    /// Pairs won and drawn.
    pub penta_WD: u64,
    /// Pairs won and lost.
    pub penta_WL: u64,
    /// Pairs drawn twice.
    pub penta_DD: u64,
    /// Pairs drawn and lost.
    pub penta_LD: u64,
    /// Pairs lost twice.
    pub penta_LL: u64,
}

impl Tally {
    /// Counts one game.
    pub fn game(&mut self, score: Score) {
        match score {
            Score::Win => self.wins += 1,
            Score::Draw => self.draws += 1,
            Score::Loss => self.losses += 1,
        }
    }

    /// Counts a pair whose games have been counted already.
    pub fn pair(&mut self, first: Score, second: Score) {
        use Score::{Draw, Loss, Win};
        let bin = match (first, second) {
            (Win, Win) => &mut self.penta_WW,
            (Win, Draw) | (Draw, Win) => &mut self.penta_WD,
            (Win, Loss) | (Loss, Win) => &mut self.penta_WL,
            (Draw, Draw) => &mut self.penta_DD,
            (Draw, Loss) | (Loss, Draw) => &mut self.penta_LD,
            (Loss, Loss) => &mut self.penta_LL,
        };
        *bin += 1;
    }

    /// The same results from the other engine's point of view.
    pub fn reversed(self) -> Tally {
        Tally {
            wins: self.losses,
            losses: self.wins,
            penta_WW: self.penta_LL,
            penta_WD: self.penta_LD,
            penta_LD: self.penta_WD,
            penta_LL: self.penta_WW,
            ..self
        }
    }

    /// Adds the counts of another.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.penta_WW += other.penta_WW;
        self.penta_WD += other.penta_WD;
        self.penta_WL += other.penta_WL;
        self.penta_DD += other.penta_DD;
        self.penta_LD += other.penta_LD;
        self.penta_LL += other.penta_LL;
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pentanomial().iter().sum()
    }

    /// Points: a win is 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Pairs by points, 0 to 2 in halves.
    pub fn pentanomial(&self) -> [u64; 5] {
        [self.penta_LL, self.penta_LD, self.penta_WL + self.penta_DD, self.penta_WD, self.penta_WW]
    }

    /// The counts that statistics go by.
    pub fn sample(&self, by_pairs: bool) -> Sample {
        if by_pairs {
            Sample::pentanomial(self.pentanomial())
        } else {
            Sample::trinomial([self.losses, self.draws, self.wins])
        }
    }

    /// Pairs better than even over pairs worse than even; `NaN` without any.
    pub fn pairs_ratio(&self) -> f64 {
        (self.penta_WW + self.penta_WD) as f64 / (self.penta_LL + self.penta_LD) as f64
    }

    /// Even pairs that were decided twice over those drawn twice.
    pub fn win_loss_to_draws(&self) -> f64 {
        self.penta_WL as f64 / self.penta_DD as f64
    }

    /// Percentage of even pairs, or of drawn games.
    pub fn draw_ratio(&self, by_pairs: bool) -> f64 {
        let (even, all) =
            if by_pairs { (self.penta_WL + self.penta_DD, self.pairs()) } else { (self.draws, self.games()) };
        even as f64 / all as f64 * 100.0
    }
}

/// 95 % of a normal distribution lie within so many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;
/// Normalized Elo per unit of the t-value of a game.
const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Counts in bins of equal width from score 0 to score 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    counts: Vec<f64>,
    /// Games that one entry stands for.
    games: f64,
}

impl Sample {
    /// Pairs by points.
    pub fn pentanomial(bins: [u64; 5]) -> Sample {
        Sample { counts: bins.iter().map(|&n| n as f64).collect(), games: 2.0 }
    }

    /// Losses, draws, wins.
    pub fn trinomial(bins: [u64; 3]) -> Sample {
        Sample { counts: bins.iter().map(|&n| n as f64).collect(), games: 1.0 }
    }

    fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Scores of the bins with their counts.
    fn scored(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let top = (self.counts.len() - 1) as f64;
        self.counts.iter().enumerate().map(move |(i, &n)| (i as f64 / top, n))
    }

    /// Mean score, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.scored().map(|(a, n)| a * n).sum::<f64>() / self.total()
    }

    /// Population variance of one entry.
    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.scored().map(|(a, n)| n * (a - mean).powi(2)).sum::<f64>() / self.total()
    }

    /// Logistic Elo and half the width of its 95 % interval. Infinite when everything was won or lost, `NaN` without results; so is
    /// an interval that leaves the scores between 0 and 1.
    pub fn elo(&self) -> (f64, f64) {
        let elo = |s: f64| -400.0 * (1.0 / s - 1.0).log10();
        let (mean, error) = (self.mean(), Z95 * (self.variance() / self.total()).sqrt());
        (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0)
    }

    /// Normalized Elo and half the width of its 95 % interval, `NaN` when all entries are the same.
    pub fn nelo(&self) -> (f64, f64) {
        let deviation = (self.games * self.variance()).sqrt();
        let error = if deviation > 0.0 { Z95 / (self.games * self.total()).sqrt() * NELO } else { f64::NAN };
        ((self.mean() - 0.5) / deviation * NELO, error)
    }

    /// Likelihood of superiority, in percent.
    pub fn los(&self) -> f64 {
        let z = (self.mean() - 0.5) / (self.variance() / self.total()).sqrt();
        (1.0 + erf(z / std::f64::consts::SQRT_2)) * 50.0
    }

    /// The log-likelihood ratio of H1 against H0, Elo bounds in the unit of `model`; 0 without results.
    pub fn llr(&self, model: SprtModel, elo0: f64, elo1: f64) -> f64 {
        if self.total() <= 0.0 {
            return 0.0;
        }
        // An empty bin would make a likelihood 0; so few pretended results do not move the ratio.
        let counts: Vec<f64> = self.counts.iter().map(|&n| if n > 0.0 { n } else { 1e-3 }).collect();
        let total: f64 = counts.iter().sum();
        let bins: Vec<Bin> =
            self.scored().zip(&counts).map(|((score, _), n)| Bin { score, probability: n / total }).collect();
        let (q0, q1) = match model {
            SprtModel::Logistic => {
                let mean = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                (likeliest_with_mean(&bins, mean(elo0)), likeliest_with_mean(&bins, mean(elo1)))
            }
            SprtModel::Normalized => {
                let t = |elo: f64| self.games.sqrt() * elo / NELO;
                (likeliest_with_t(&bins, t(elo0)), likeliest_with_t(&bins, t(elo1)))
            }
        };
        total * bins.iter().zip(q0.iter().zip(&q1)).map(|(bin, (q0, q1))| bin.probability * (q1 / q0).ln()).sum::<f64>()
    }
}

/// A bin's score and share.
#[derive(Debug, Clone, Copy)]
struct Bin {
    score: f64,
    probability: f64,
}

/// Solves sum p·phi / (1 + theta·phi) = 0 for theta between the poles. The sum falls monotonously there, so halving finds it.
fn tilt(bins: &[Bin], phi: &[f64]) -> f64 {
    let (low, high) = phi.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    for _ in 0..200 {
        let middle = (left + right) / 2.0;
        let sum: f64 = bins.iter().zip(phi).map(|(b, x)| b.probability * x / (1.0 + middle * x)).sum();
        if sum > 0.0 { left = middle } else { right = middle }
    }
    (left + right) / 2.0
}

fn tilted(bins: &[Bin], phi: &[f64]) -> Vec<f64> {
    let theta = tilt(bins, phi);
    bins.iter().zip(phi).map(|(b, x)| b.probability / (1.0 + theta * x)).collect()
}

fn likeliest_with_mean(bins: &[Bin], mean: f64) -> Vec<f64> {
    let phi: Vec<f64> = bins.iter().map(|b| b.score - mean).collect();
    tilted(bins, &phi)
}

fn likeliest_with_t(bins: &[Bin], t: f64) -> Vec<f64> {
    let mut q = vec![1.0 / bins.len() as f64; bins.len()];
    for _ in 0..10 {
        let mean: f64 = bins.iter().zip(&q).map(|(b, q)| b.score * q).sum();
        let sigma = bins.iter().zip(&q).map(|(b, q)| q * (b.score - mean).powi(2)).sum::<f64>().sqrt();
        let phi: Vec<f64> =
            bins.iter().map(|b| b.score - 0.5 - 0.5 * t * sigma * (1.0 + ((mean - b.score) / sigma).powi(2))).collect();
        let next = tilted(bins, &phi);
        let moved = next.iter().zip(&q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        q = next;
        if moved < 1e-9 {
            break;
        }
    }
    q
}

/// The lower and upper bound at which a test ends.
pub fn sprt_bounds(alpha: f64, beta: f64) -> (f64, f64) {
    ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
}

/// The error function, by its Taylor series near 0 and by the continued fraction of its complement further out; the absolute error is
/// below 1e-12.
pub fn erf(x: f64) -> f64 {
    let z = x.abs();
    if x.is_nan() {
        return x;
    }
    let value = if z > 6.0 {
        1.0
    } else if z < 2.5 {
        let (mut term, mut sum) = (z, z);
        for n in 1..100 {
            term *= -z * z / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    } else {
        let fraction = (1..=80).rev().fold(0.0, |f, k| f64::from(k) / 2.0 / (z + f));
        1.0 - (-z * z).exp() / (z + fraction) / std::f64::consts::PI.sqrt()
    };
    value.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    /// LL LD WL DD WD WW, as the test vectors are written.
    fn penta(bins: [u64; 6]) -> Sample {
        let [ll, ld, wl, dd, wd, ww] = bins;
        Sample::pentanomial([ll, ld, wl + dd, wd, ww])
    }

    #[test]
    fn llr_vectors() {
        use SprtModel::{Logistic, Normalized};
        close(penta([365, 16618, 36029, 200, 16974, 390]).llr(Normalized, 0.0, 2.0), 2.25, 0.005);
        close(penta([127, 4883, 10311, 401, 5150, 104]).llr(Normalized, -1.75, 0.25), 3.01, 0.005);
        close(penta([223, 9863, 20279, 1000, 10037, 246]).llr(Logistic, 0.5, 2.5), -3.07, 0.005);
        close(Sample::trinomial([36027, 68692, 36433]).llr(Normalized, 0.0, 2.0), 0.92, 0.005);
        close(Sample::pentanomial([10, 200, 500, 240, 20]).llr(Normalized, 0.0, 5.0), 1.4102, 0.00005);
        close(Sample::pentanomial([0, 3, 1, 1, 0]).llr(Normalized, 0.0, 5.0), -0.05, 0.005);
    }

    #[test]
    fn elo_vectors() {
        let sample = Sample::pentanomial([0, 3, 1, 1, 0]);
        let ((elo, elo_error), (nelo, nelo_error)) = (sample.elo(), sample.nelo());
        close(elo, -70.44, 0.005);
        close(elo_error, 133.94, 0.005);
        close(nelo, -122.84, 0.005);
        close(nelo_error, 215.34, 0.005);
        close(sample.los(), 13.18, 0.005);
        let sample = penta([34, 54, 31, 32, 64, 75]);
        close(sample.elo().0, 55.58, 0.005);
        close(sample.elo().1, 27.65, 0.005);
        close(sample.nelo().0, 57.94, 0.005);
        close(sample.nelo().1, 28.28, 0.005);
    }

    #[test]
    fn nothing_and_everything() {
        assert_eq!(Sample::trinomial([0, 0, 0]).llr(SprtModel::Normalized, 0.0, 5.0), 0.0);
        assert_eq!(Sample::trinomial([0, 0, 3]).elo().0, f64::INFINITY);
        assert_eq!(Sample::trinomial([3, 0, 0]).elo().0, f64::NEG_INFINITY);
        assert!(Sample::pentanomial([0, 0, 0, 0, 50]).llr(SprtModel::Normalized, 0.0, 5.0).is_finite());
        assert!(Sample::pentanomial([0, 0, 50, 0, 0]).llr(SprtModel::Logistic, 0.0, 5.0) < 0.0);
    }

    #[test]
    fn bounds() {
        let (lower, upper) = sprt_bounds(0.05, 0.05);
        close(lower, -2.944, 0.001);
        close(upper, 2.944, 0.001);
    }

    #[test]
    fn error_function() {
        close(erf(0.5), 0.520_499_877_813_046_5, 1e-12);
        close(erf(-2.4), -0.999_311_486_103_354_9, 1e-12);
        close(erf(3.0), 0.999_977_909_503_001_4, 1e-12);
        close(erf(2.499_999), erf(2.500_001), 1e-8);
        assert_eq!(erf(30.0), 1.0);
    }

    #[test]
    fn tallies() {
        let mut tally = Tally::default();
        for (a, b) in [(Score::Win, Score::Loss), (Score::Draw, Score::Draw), (Score::Loss, Score::Draw)] {
            tally.game(a);
            tally.game(b);
            tally.pair(a, b);
        }
        assert_eq!((tally.wins, tally.losses, tally.draws), (1, 2, 3));
        assert_eq!(tally.pentanomial(), [0, 1, 2, 0, 0]);
        assert_eq!(tally.reversed().pentanomial(), [0, 0, 2, 1, 0]);
        assert_eq!(tally.points() + tally.reversed().points(), tally.games() as f64);
        close(tally.draw_ratio(true), 66.666_666_666, 1e-6);
        close(tally.draw_ratio(false), 50.0, 1e-9);
        assert_eq!(tally.win_loss_to_draws(), 1.0);
        let mut sum = tally;
        sum.add(&tally.reversed());
        assert_eq!(sum.wins, sum.losses);
    }
}
