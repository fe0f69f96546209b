//! The transposition table. (Placeholder interface; sizes in MiB.)

/// Shared by all threads of a search.
#[derive(Debug)]
pub struct Table {}

impl Table {
    /// A table of `mebibytes`.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<Table, String> {
        let _ = mebibytes;
        Ok(Table {})
    }

    /// Forgets everything.
    pub fn clear(&mut self) {}
}
