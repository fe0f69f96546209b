//! Supply Xiangqi, one board: xiangqi with reserves. The rules of moves are in [`super::xiangqi`].
pub mod team;

use super::error::FenError;
use super::position::{Observer, Repetition};
use super::variant::Variant;
use super::xiangqi::{Rules, XiangqiPosition, piece};

/// The rules of Supply Xiangqi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithReserves;

impl Rules for WithReserves {
    const VARIANT: Variant = Variant::Supply;
    const DROPS: bool = true;
    // WHW-SXQ-007
    const MOVE_LIMIT: u32 = 100;
    // SX-9
    const SETS: u32 = 2;
    // SX-7
    const REPETITION: Repetition = Repetition::Ignored;
    const START: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w - - 0 1";
}

/// A position on one board of Supply Xiangqi.
pub type Supply = XiangqiPosition<WithReserves>;

impl Supply {
    /// Puts a piece that was captured on the partner's board into the reserve of its colour (WHW-SXQ-002). `piece` is a piece code,
    /// see [`piece::code`].
    ///
    /// # Errors
    /// A General, no piece code at all, or more of the type than both boards together have.
    pub fn receive<O: Observer>(&mut self, piece: usize, observer: &mut O) -> Result<(), FenError> {
        let refuse = |why: String| Err(FenError::setup("WHW-SXQ-002", why));
        if piece >= piece::PIECES || piece::kind_of(piece) == piece::PieceType::General {
            return refuse(format!("piece code {piece} cannot be in reserve"));
        }
        let (color, kind) = (piece::color_of(piece), piece::kind_of(piece));
        let count = self.reserve(color, kind);
        // Two sets on two boards is all there is of a colour.
        if u32::from(count) >= 2 * kind.per_set() {
            return refuse(format!("more {}s in reserve than there are", kind.name()));
        }
        self.set_reserve(color, kind, count + 1, observer);
        Ok(())
    }
}
