//! Where the built programs are.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program `sanqi`, built like the running test. `SANQI_BIN` names another one.
pub fn sanqi() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("SANQI_BIN", "sanqi"))
}

/// The program `sanqi-adapter`, built like the running test. `SANQI_ADAPTER_BIN` names another one.
pub fn adapter() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("SANQI_ADAPTER_BIN", "sanqi-adapter"))
}

/// The engine that misbehaves on demand.
pub fn mock_engine() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("SANQI_MOCK_ENGINE", "mock_engine"))
}

fn program(variable: &str, name: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(path) => path.into(),
        None => built().join(format!("{name}{}", std::env::consts::EXE_SUFFIX)),
    }
}

/// The folder of the built programs. Cargo does not build the binaries of a dependency, so the test asks for that itself: the same
/// profile into the same target directory as its own program, which lies in `TARGET/PROFILE/deps/`. The whole workspace at once,
/// since a package alone may get its dependencies with fewer features and be built a second time.
///
/// # Panics
/// The programs cannot be built.
fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("a running test has a path");
        let folder = test.ancestors().nth(2).expect("tests lie in TARGET/PROFILE/deps");
        let target = folder.parent().expect("tests lie in TARGET/PROFILE/deps");
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(profile) => profile,
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        // Cargo tells the test about its package. Passed on, that makes `ring` and everything on top of it stale at every turn.
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_package(&name.to_string_lossy())) {
            build.env_remove(name);
        }
        let status = build
            .args(["build", "--quiet", "--workspace", "--bins", "--profile", profile, "--target-dir"])
            .arg(target)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status()
            .expect("cargo can be run");
        assert!(status.success(), "cargo build --bins: {status}");
        folder.to_owned()
    })
}

/// Variables that Cargo sets for the programs that it runs.
fn is_of_package(name: &str) -> bool {
    name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_")
}
