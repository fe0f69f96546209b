//! `sanqi-adapter match`: matches between engines, with the command line and the output of fastchess, for games that it does not know.
pub mod arguments;
pub mod book;
pub mod clock;
pub mod compliance;
pub(crate) mod date;
pub mod journal;
pub mod openings;
pub mod pgn;
pub mod play;
pub mod record;
pub mod referee;
pub mod report;
pub mod results;
pub mod rng;
pub mod schedule;
pub mod seat;
pub mod settings;
pub mod statistics;
pub mod team;
pub mod tournament;

use arguments::Request;
use journal::Journal;
use settings::{BookFormat, Settings};
use std::path::PathBuf;
use tournament::{Ending, MatchError, say};

/// Printed by `-help`; the whole is in `protocol-docs/match.md`.
const HELP: &str = "\
sanqi-adapter match: a match between engines. Options are those of fastchess; see protocol-docs/match.md.
  -engine cmd=E [name=N] [proto=uci|ucci|xboard] [dir=D] [args=\"A B\"] [option.NAME=VALUE]...   (twice or more)
  -each tc=[MOVES/]SECONDS[+INCREMENT] | st=SECONDS | nodes=N | depth=N  [timemargin=MS]
  -variant xiangqi|supply|supply2|yangqi|fangqi
  with supply2: [-partner KEYS behind an -engine] [-lockstep] [-replayout dir=D]
  -rounds N -games 2 -repeat -concurrency N -recover
  -openings file=F format=epd order=random | -openings random plies=N    -srand SEED
  -sprt elo0=A elo1=B alpha=0.05 beta=0.05 [model=normalized|logistic]
  -draw movenumber=N movecount=N score=CP  -resign movecount=N score=CP [twosided=true]  -maxmoves N
  -pgnout file=F [notation=san|iccs|uci] [nodes=true] [timeleft=true]...  -epdout file=F
  -ratinginterval N -config file=F | -config outname=F
  --compliance ENGINE [ARGS]: try what match tools need of an engine";

/// Runs the subcommand with its own arguments; gives the exit status.
pub async fn main(arguments: &[String]) -> u8 {
    let request = match arguments::parse(arguments) {
        Ok(request) => request,
        Err(error) => {
            say(&error.to_string());
            return 1;
        }
    };
    if request.version {
        say(&format!("sanqi-adapter match {}", env!("CARGO_PKG_VERSION")));
        return 0;
    }
    if request.help {
        say(HELP);
        return 0;
    }
    if let Some((engine, args)) = request.compliance.split_first() {
        return compliance::run(engine, args).await;
    }
    for note in &request.notes {
        say(&format!("Info; {note}"));
    }
    match start(request, arguments).await {
        Ok(ending) => ending.status(),
        Err(error) => {
            say(&format!("Error; {error}"));
            1
        }
    }
}

/// Begins or resumes the match that is asked for.
///
/// # Errors
/// A file, an opening or an engine is missing.
pub async fn start(request: Request, arguments: &[String]) -> Result<Ending, MatchError> {
    let Request { mut settings, resume, seeded, .. } = request;
    if let Some(resume) = resume {
        let config = PathBuf::from(&resume.file);
        settings = arguments::resumed(arguments, journal::load(&config)?)?;
        let name = if resume.stats { resume.file } else { settings.config_name };
        settings.config_name = resume.outname.unwrap_or(name);
        if resume.stats {
            let (journal, games) = Journal::resume(&settings, &config)?;
            tell_set_aside(&settings, &journal);
            say(&format!("Resuming after {} finished games", games.len()));
            return tournament::run(settings, journal, games).await;
        }
    } else if !seeded {
        settings.seed = fresh_seed();
        say(&format!("Info; seed {}", settings.seed));
    }
    if settings.opening.file.is_empty() && settings.opening.format != BookFormat::Random {
        say(
            "Warning: No opening book specified! Consider using one, otherwise all games will be played from the starting position.",
        );
    }
    begin(settings).await
}

/// Begins a match anew.
async fn begin(mut settings: Settings) -> Result<Ending, MatchError> {
    settings.run = format!("{:016x}", fresh_seed());
    let journal = Journal::begin(&settings)?;
    tell_set_aside(&settings, &journal);
    tournament::run(settings, journal, Vec::new()).await
}

/// Says where an unfinished match is to be found whose name this one has taken.
fn tell_set_aside(settings: &Settings, journal: &Journal) {
    if let Some(path) = &journal.set_aside {
        let (name, path, program) = (&settings.config_name, path.display(), tournament::program());
        say(&format!(
            "Info; {name} was of an unfinished match, which is kept: to resume it, run: {program} -config file={path}"
        ));
    }
}

/// A seed that no other run has.
fn fresh_seed() -> u64 {
    rng::SplitMix64::new(date::now_ms() ^ u64::from(std::process::id()) << 44).next_u64() >> 11
}
