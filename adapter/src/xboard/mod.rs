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
use tokio::sync::mpsc;

/// Serves commands until `quit` or the end of the input.
///
/// # Errors
/// The engine cannot be started, or standard output can no longer be written to.
pub async fn run(options: XboardOptions, lines: mpsc::Receiver<String>) -> Result<(), String> {
    let mut session = Session::start(options).await.map_err(|error| {
        println!("tellusererror {error}");
        error.to_string()
    })?;
    let served = session.serve(lines).await;
    session.close().await;
    served
}
