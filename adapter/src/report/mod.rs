//! `sanqi-adapter report`: what a match has shown, as one HTML page.
pub mod games;
pub mod page;

use crate::replay::one_line;
use crate::runner::settings::{Sprt, SprtModel};
use crate::whole_file::write_atomically;
use clap::Args;
use sanqi::games::Variant;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// One self-contained HTML page about the games of a match.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// PGN of `sanqi-adapter match`, or its JSON configuration (`config.json`), beside which are the games and the test.
    results: PathBuf,
    /// Where to write the page; without it to the standard output.
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// The Elo of both hypotheses of a sequential test, instead of those of the configuration.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,
    /// Probability of accepting H1 by mistake.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting H0 by mistake.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The unit of the hypotheses: normalized or logistic Elo.
    #[arg(long, default_value = "normalized", value_parser = ["normalized", "logistic"])]
    model: String,
    /// The game of those without a Variant tag.
    #[arg(long)]
    variant: Option<Variant>,
}

impl ReportOptions {
    /// Writes the page. Games that cannot be read are named on the standard error and make the status a failure; so does everything else
    /// that is wrong, but without a page.
    pub fn run(&self) -> ExitCode {
        match self.report() {
            Ok(faults) => {
                faults.iter().for_each(|fault| say(fault));
                if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            Err(error) => {
                say(&error);
                ExitCode::FAILURE
            }
        }
    }

    fn report(&self) -> Result<Vec<String>, String> {
        let mut games = games::read(&self.results, self.variant)?;
        if let Some(test) = self.test()? {
            games.sprt = Some(test);
        }
        if games.games.is_empty() {
            games.faults.push(format!("{}: no finished game", self.results.display()));
            return Err(games.faults.join("\n"));
        }
        let title = self.results.file_name().unwrap_or(self.results.as_os_str()).to_string_lossy();
        let page = page::page(&title, &games);
        match &self.output {
            Some(path) => {
                write_atomically(path, page.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            None => {
                let mut out = std::io::stdout().lock();
                let written = out.write_all(page.as_bytes()).and_then(|()| out.flush());
                written.map_err(|error| format!("standard output: {error}"))?;
            }
        }
        Ok(games.faults)
    }

    fn test(&self) -> Result<Option<Sprt>, String> {
        let Some([elo0, elo1]) = self.sprt.as_deref() else { return Ok(None) };
        let is_probability = |p: f64| p > 0.0 && p < 0.5;
        if !(elo0 < elo1 && is_probability(self.alpha) && is_probability(self.beta)) {
            return Err("--sprt wants ELO0 below ELO1, --alpha and --beta between 0 and 0.5".to_owned());
        }
        let model = if self.model == "logistic" { SprtModel::Logistic } else { SprtModel::Normalized };
        Ok(Some(Sprt { enabled: true, elo0: *elo0, elo1: *elo1, alpha: self.alpha, beta: self.beta, model }))
    }
}

/// Lines for the standard error, which may be gone.
fn say(text: &str) {
    for line in text.lines() {
        let _ = writeln!(std::io::stderr(), "{}", one_line(line));
    }
}
