//! XBoard's protocol (CECP version 2): the front is an engine to XBoard, WinBoard, ChessV and programs like them, and has a UCI engine
//! play (`protocol-docs/xboard.md`).
mod chessv;
mod clock;
mod features;
mod markers;
mod moves;
mod options;
mod player;
mod results;
mod search;
mod session;
mod stones;
mod team;

pub use options::{DialectChoice, XboardOptions};

use session::Session;
use std::io::Write;
use tokio::sync::mpsc;

/// Serves commands until `quit` or the end of the input.
///
/// # Errors
/// The engine cannot be started, or standard output can no longer be written to.
pub async fn run(options: XboardOptions, lines: mpsc::Receiver<String>) -> Result<(), String> {
    serve(options, lines, Box::new(std::io::stdout())).await
}

/// [`run`] with any output.
///
/// # Errors
/// As [`run`].
pub async fn serve(
    options: XboardOptions,
    lines: mpsc::Receiver<String>,
    mut out: Box<dyn Write + Send>,
) -> Result<(), String> {
    let mut session = match Session::start(options).await {
        Ok(session) => session.with_output(out),
        Err(error) => {
            // The exit code tells it, too.
            let _ = writeln!(out, "tellusererror {error}");
            return Err(error.to_string());
        }
    };
    let served = session.serve(lines).await;
    session.close().await;
    served
}
