//! The operating system's side of an engine: a child process and its three pipes.
use super::error::EngineError;
use super::lines::{LineReader, Tail};
use super::wire::WireLog;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

/// How an engine is started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program: a path, or a name to look up in `PATH`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; the caller's own when `None`.
    pub dir: Option<PathBuf>,
    /// A file that its error output is appended to.
    pub stderr: Option<PathBuf>,
    /// Where all that is said is recorded.
    pub log: Option<WireLog>,
}

impl Launch {
    /// The engine behind a front: `path`, or else `sanqi` beside this program, or else that of `PATH`.
    pub fn of_engine(path: Option<&Path>, args: &[String]) -> Launch {
        let command = match path {
            Some(path) => path.to_string_lossy().into_owned(),
            None => {
                let name = format!("sanqi{}", std::env::consts::EXE_SUFFIX);
                let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
                beside.filter(|path| path.is_file()).map_or(name, |path| path.to_string_lossy().into_owned())
            }
        };
        Launch { command, args: args.to_vec(), ..Launch::default() }
    }
}

/// How long a write may take before the engine counts as one that does not read.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// How long an engine that has closed its output is listened to on its error output.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A running engine. Dropping it kills the process.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: LineReader<ChildStdout>,
    errors: Arc<Mutex<Tail>>,
    collector: JoinHandle<()>,
    dialogue: Tail,
    log: Option<WireLog>,
}

impl EngineProcess {
    /// Starts the process; needs a tokio runtime.
    ///
    /// # Errors
    /// [`EngineError::Spawn`], or [`EngineError::File`] for the file of its error output.
    pub async fn spawn(launch: &Launch) -> Result<EngineProcess, EngineError> {
        let mut command = Command::new(&launch.command);
        command
            .args(&launch.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // A group of its own: an interrupt at the terminal is for the adapter, which ends its engines in order.
        #[cfg(unix)]
        command.process_group(0);
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let spawn_error = |source| {
            let place = launch.dir.as_ref().map(|dir| format!("` in `{}", dir.display())).unwrap_or_default();
            EngineError::Spawn { command: format!("{}{place}", launch.command), source }
        };
        let mut child = command.spawn().map_err(spawn_error)?;
        let missing = || spawn_error(std::io::Error::other("a pipe is missing"));
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let file = match &launch.stderr {
            None => None,
            Some(path) => {
                let open = tokio::fs::OpenOptions::new().create(true).append(true).open(path).await;
                Some(open.map_err(|source| EngineError::File { path: path.display().to_string(), source })?)
            }
        };
        let errors = Arc::new(Mutex::new(Tail::default()));
        let collector = tokio::spawn(collect_errors(stderr, errors.clone(), file));
        let stdout = LineReader::new(stdout);
        Ok(EngineProcess {
            child,
            stdin: Some(stdin),
            stdout,
            errors,
            collector,
            dialogue: Tail::default(),
            log: launch.log.clone(),
        })
    }

    /// Writes lines, each of which must be complete but for its last line end.
    ///
    /// # Errors
    /// [`EngineError::Pipe`] when the process is gone, [`EngineError::Timeout`] when it does not read.
    pub async fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        for line in lines.lines() {
            self.dialogue.push("> ", line);
            if let Some(log) = &self.log {
                log.line("<---", line);
            }
        }
        let Some(stdin) = &mut self.stdin else { return Err(self.died()) };
        let text = format!("{lines}\n");
        let write = async {
            stdin.write_all(text.as_bytes()).await?;
            stdin.flush().await
        };
        match timeout(WRITE_LIMIT, write).await {
            Ok(done) => Ok(done?),
            Err(_) => {
                // A part of the lines may be in the pipe, behind which no others make sense.
                self.close_input();
                Err(EngineError::Timeout { request: "write", after: WRITE_LIMIT })
            }
        }
    }

    /// The next line of output, or `None` when `deadline` passes first.
    ///
    /// # Errors
    /// [`EngineError::Died`] at the end of the output, [`EngineError::Pipe`].
    pub async fn line(&mut self, deadline: Option<Instant>) -> Result<Option<&str>, EngineError> {
        let waits = !self.stdout.has_line();
        let read = match deadline {
            // A flood of output is always ready to be read, so the clock is asked first: for a line that is there, the clock at which it was
            // read.
            Some(at) if at <= if waits { Instant::now() } else { self.stdout.read_at() } => return Ok(None),
            Some(at) if waits => match timeout_at(at, self.stdout.next_line()).await {
                Ok(read) => read.map(|line| line.is_some()),
                Err(_) => return Ok(None),
            },
            _ => self.stdout.next_line().await.map(|line| line.is_some()),
        };
        if !read? {
            self.hear_out().await;
            return Err(self.died());
        }
        let line = self.stdout.line();
        self.dialogue.push("< ", line);
        if let Some(log) = &self.log {
            log.line("--->", line);
        }
        Ok(Some(line))
    }

    /// Lets its last words arrive, which come by another pipe than its last line.
    async fn hear_out(&mut self) {
        if !self.collector.is_finished() {
            // What it has started may hold the pipe open for ever.
            let _ = timeout(LAST_WORDS, &mut self.collector).await;
        }
    }

    /// When the last line was taken from the pipe. What this program did between then and now is not the engine's time.
    pub fn read_at(&self) -> Instant {
        self.stdout.read_at()
    }

    /// A line has been read that has not been asked for yet.
    pub fn has_line(&self) -> bool {
        self.stdout.has_line()
    }

    /// It had no more to say when it was last read.
    pub fn is_drained(&self) -> bool {
        self.stdout.is_drained()
    }

    /// Closes the input, as a client that ends does.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end, and kills it when it does not within `limit`. True when it ended by itself.
    pub async fn finish(&mut self, limit: Duration) -> bool {
        // Output is still read: an engine that has much to say before it ends would block on a full pipe.
        let drain = async {
            while let Ok(Some(_)) = self.stdout.next_line().await {}
            self.child.wait().await
        };
        let ended = matches!(timeout(limit, drain).await, Ok(Ok(_)));
        if !ended {
            // It may have ended just now, which is as good; its group goes with it when this is dropped.
            let _ = self.child.start_kill();
        }
        ended
    }

    /// Process id while it runs.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// The last lines sent (`> `) and received (`< `).
    pub fn dialogue(&self) -> Vec<String> {
        self.dialogue.lines()
    }

    /// The last lines of its error output.
    pub fn error_output(&self) -> Vec<String> {
        self.errors.lock().map(|tail| tail.lines()).unwrap_or_default()
    }

    fn died(&mut self) -> EngineError {
        let status = match self.child.try_wait() {
            Ok(Some(status)) => status.to_string(),
            Ok(None) => "output closed".to_owned(),
            Err(error) => error.to_string(),
        };
        EngineError::Died { status }
    }
}

/// What the engine has started belongs to its group and goes with it: a script that runs the engine proper, or helpers of its own.
impl Drop for EngineProcess {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?)) {
            // A group that has ended by itself is as good.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

/// Keeps the last lines of the error output, and copies all of it to `file`.
async fn collect_errors(stream: impl AsyncRead + Unpin, tail: Arc<Mutex<Tail>>, mut file: Option<tokio::fs::File>) {
    let mut reader = LineReader::new(stream);
    while let Ok(Some(line)) = reader.next_line().await {
        if let Some(out) = &mut file
            && out.write_all(format!("{line}\n").as_bytes()).await.is_err()
        {
            log::warn!("an engine's error output can no longer be written to its file");
            file = None;
        }
        if let Ok(mut tail) = tail.lock() {
            tail.push("", line);
        }
    }
    if let Some(mut out) = file {
        // Nothing can be done about a file that cannot be flushed at the end.
        let _ = out.flush().await;
    }
}
