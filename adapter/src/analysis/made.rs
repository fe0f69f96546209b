//! With what options the rows of an output file were made. They stand in a file beside it, `FILE.options`, because rows are about positions
//! alone; so a resumed run does not add rows of another search.
use crate::whole_file::write_atomically;
use serde_json::{Map, Value};
use std::io;
use std::path::{Path, PathBuf};

/// Options by their names.
#[derive(Debug, Clone, PartialEq)]
pub struct Made(pub Map<String, Value>);

fn beside(output: &Path) -> PathBuf {
    let mut path = output.to_owned();
    path.as_mut_os_string().push(".options");
    path
}

fn named(path: &Path) -> impl Fn(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl Made {
    /// Notes the options of an output file whose first row is to come.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn save(&self, output: &Path) -> io::Result<()> {
        let path = beside(output);
        write_atomically(&path, format!("{}\n", Value::Object(self.0.clone())).as_bytes()).map_err(named(&path))
    }

    /// Compares the options with those of the rows that an output file has. Nothing is known of a file from elsewhere, nor of options that
    /// came later.
    ///
    /// # Errors
    /// They are other ones; or what was noted cannot be read.
    pub fn check(&self, output: &Path) -> io::Result<()> {
        let path = beside(output);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            text => text.map_err(named(&path))?,
        };
        let noted: Map<String, Value> = serde_json::from_str(&text).map_err(io::Error::from).map_err(named(&path))?;
        let others = self.0.iter().filter_map(|(name, now)| {
            let before = noted.get(name).filter(|before| *before != now)?;
            Some(format!("{name} {before}, now {now}"))
        });
        let others: Vec<String> = others.collect();
        if others.is_empty() {
            return Ok(());
        }
        let why = format!("its rows were written with other options ({}); see {}", others.join("; "), path.display());
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(value: Value) -> Made {
        Made(value.as_object().unwrap().clone())
    }

    #[test]
    fn other_options_are_named() {
        let output = std::env::temp_dir().join(format!("sanqi-made-{}", std::process::id()));
        let first = made(json!({"depth": 1, "nodes": null, "options": []}));
        // Nothing is known of a file that another version has written.
        first.check(&output).unwrap();
        first.save(&output).unwrap();
        first.check(&output).unwrap();
        made(json!({"depth": 1, "nodes": null, "options": [], "later": 5})).check(&output).unwrap();
        let error = made(json!({"depth": 6, "nodes": 5, "options": []})).check(&output).unwrap_err().to_string();
        assert!(error.contains("(depth 1, now 6; nodes null, now 5)"), "{error}");
        std::fs::write(beside(&output), "notes").unwrap();
        assert!(first.check(&output).unwrap_err().to_string().contains(".options: "));
        std::fs::remove_file(beside(&output)).unwrap();
    }
}
