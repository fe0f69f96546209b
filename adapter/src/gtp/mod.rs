//! GTP version 2 with GoGui's rules extension, so that Go programs' interfaces can play Xinjiang Fangqi
//! (`protocol-docs/gtp.md`). GTP's Black is the first player, whom the engine calls `w`.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]
mod analysis;
mod clock;
mod command;
mod cpu;
mod game;
mod gfx;
mod input;
mod options;
mod parameters;
mod player;
mod rules;
mod session;
mod sgf;
mod table;
mod vertex;

pub use options::GtpOptions;

use command::{Command, render};
use session::Session;
use std::io::{Read, Write};

/// The record of a game as this front writes it, from one that anybody has written.
///
/// # Errors
/// What is wrong with it.
pub fn rewrite_sgf(text: &str) -> Result<String, String> {
    sgf::read(text, usize::MAX).map(|game| sgf::write(&game)).map_err(|error| error.to_string())
}

/// Answers commands from standard input until `quit` or its end.
///
/// # Errors
/// Standard output can no longer be written to.
pub async fn run(options: GtpOptions) -> std::io::Result<()> {
    serve(options, std::io::stdin(), std::io::stdout(), std::io::stderr()).await
}

/// [`run`] on any input and output, and with live graphics to any place.
///
/// # Errors
/// The output refuses an answer.
pub async fn serve(
    options: GtpOptions,
    input: impl Read + Send + 'static,
    mut out: impl Write,
    graphics: impl Write + Send + 'static,
) -> std::io::Result<()> {
    let (mut lines, interrupts) = input::listen(input);
    let mut session = Session::new(options, interrupts, gfx::LiveGraphics::new(graphics));
    let mut served = Ok(());
    while let Some(line) = lines.recv().await {
        let command = Command::parse(&line.text);
        let reply = session.execute(&command, line.index).await;
        let text = render(command.id, &reply);
        served = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if served.is_err() || session.is_over() {
            break;
        }
    }
    session.close().await;
    served
}
