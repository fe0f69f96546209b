//! `sanqi-adapter ics`: a small chess server for XBoard and for telnet. The commands and messages are those of FICS as far as XBoard needs
//! them; boards come in style 12, which can show what XBoard's engine protocol cannot: stones that leave the board by the dozen,
//! reserves that grow, two boards. `protocol-docs/ics.md` describes it.
mod clock;
mod command;
mod connection;
mod engines;
mod hall;
pub mod kind;
mod login;
mod matches;
mod options;
mod partners;
mod play;
mod playing;
mod record;
mod requests;
mod robot;
mod seeks;
mod server;
mod store;
mod talk;
mod telnet;
mod view;
mod watching;

pub(crate) use clock::Control;
pub(crate) use engines::has_engines;
pub(crate) use login::own_name;
pub use options::IcsOptions;

use server::{Event, Server};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Events that wait for the server; clients that send more wait themselves.
const QUEUE: usize = 1024;

/// Why there is no server.
#[derive(Debug, Error)]
pub enum IcsError {
    /// The address cannot be listened on.
    #[error("{address}: {source}")]
    Bind {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder of games cannot be used.
    #[error("{folder}: {source}")]
    Games {
        /// The folder.
        folder: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The engine that is to take seats.
    #[error("{0}; --engines 0 serves without one")]
    Engine(#[from] crate::engine::EngineError),
    /// An option that the engine does not take.
    #[error("{0}")]
    Option(String),
    /// Standard output or a signal.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Serves until it is interrupted or told to terminate; everything in progress is adjourned then.
///
/// # Errors
/// The server cannot begin.
pub async fn run(options: IcsOptions) -> Result<(), IcsError> {
    if options.engines > 0 {
        // Else it would lose the games of those who ask for it, or play with a strength that nobody has set.
        robot::try_out(&options).await?;
    }
    let address = std::net::SocketAddr::new(options.bind, options.port);
    let bound = TcpListener::bind(address).await;
    let listener = bound.map_err(|source| IcsError::Bind { address, source })?;
    let ready = |address| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "listening on {address}")?;
        out.flush()
    };
    serve(listener, options, ready, stop_signal()).await
}

/// [`run`] on a socket, until `stop`. `ready` learns the address.
///
/// # Errors
/// The folder of games cannot be used, or what `ready` and `stop` say.
pub async fn serve(
    listener: TcpListener,
    options: IcsOptions,
    ready: impl FnOnce(std::net::SocketAddr) -> std::io::Result<()>,
    stop: impl Future<Output = std::io::Result<()>>,
) -> Result<(), IcsError> {
    let opened = Store::open(&options.games);
    let folder = options.games.display().to_string();
    let (store, stored) = opened.map_err(|source| IcsError::Games { folder, source })?;
    let (events, inbox) = mpsc::channel(QUEUE);
    let server = Server::new(options.clone(), store, stored, events.clone());
    let task = tokio::spawn(server.run(inbox));
    ready(listener.local_addr()?)?;
    tokio::select! {
        () = accept(listener, &options, &events) => {}
        stopped = stop => stopped?,
    }
    let (done, finished) = oneshot::channel();
    if events.send(Event::Shutdown { done }).await.is_ok() {
        // A server that has failed has nothing to say.
        let _ = finished.await;
    }
    if task.await.is_err() {
        log::error!("the server has failed");
    }
    Ok(())
}

/// Takes connections, as many as are allowed at the same time.
async fn accept(listener: TcpListener, options: &IcsOptions, events: &mpsc::Sender<Event>) {
    let places = Arc::new(Semaphore::new(options.connections as usize));
    let mut next = 0;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // No more files, for one; that passes.
                log::warn!("a connection is lost: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            // Whether it gets to know why does not matter.
            let _ = stream.try_write(b"The server is full. Come back later.\r\n");
            continue;
        };
        next += 1;
        let (options, events) = (options.clone(), events.clone());
        tokio::spawn(connection::serve(stream, place, next, options, events));
    }
}

/// Waits for the signals that end a server.
#[cfg(unix)]
async fn stop_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        stopped = tokio::signal::ctrl_c() => stopped,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn stop_signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
