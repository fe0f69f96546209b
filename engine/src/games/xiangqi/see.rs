//! Static exchange evaluation: what a capture is worth once both sides have taken back.
use super::Rules;
use super::attacks::{self, HORSE_FROM, SOLDIER_FROM};
use super::piece::{PieceType, TYPES, kind_of};
use super::position::XiangqiPosition;
use crate::board::Color;
use crate::board::bitboard::{Bitboard, bit};
use crate::board::bits::Squares;
use crate::board::orthogonal::lines;
use crate::games::moves::Move;

/// Types from the one that captures first to the one that captures last.
const ORDER: [PieceType; TYPES] = [
    PieceType::Soldier,
    PieceType::Advisor,
    PieceType::Elephant,
    PieceType::Horse,
    PieceType::Cannon,
    PieceType::Chariot,
    PieceType::General,
];

impl<R: Rules> XiangqiPosition<R> {
    /// True when the exchange begun by `mv` gains at least `threshold` centipawns. Screens, lines and legs are looked at anew after each
    /// capture, since a Cannon may lose its screen or find one. Pins and reserves are not considered.
    pub(super) fn exchange(&self, mv: Move, threshold: i32) -> bool {
        let (to, Some(moving)) = (mv.to(), self.moving(mv)) else { return threshold <= 0 };
        // What the side that last captured has above its bound, should the exchange end here.
        let mut swap = self.victim(mv).map_or(0, PieceType::value) - threshold;
        if swap < 0 {
            return false;
        }
        swap = kind_of(moving).value() - swap;
        if swap <= 0 {
            return true;
        }
        let mut occupied = self.occupied() | bit(to);
        if (mv.from() as usize) < self.board.len() {
            occupied &= !bit(mv.from());
        }
        let (mut side, mut good) = (self.side, true);
        loop {
            side = !side;
            let Some((from, kind)) = self.least_attacker(to, side, occupied) else { break };
            occupied &= !bit(from);
            if kind == PieceType::General {
                // It may capture only what is no longer guarded.
                return good ^ self.least_attacker(to, !side, occupied).is_none();
            }
            good = !good;
            swap = kind.value() - swap;
            if swap < i32::from(good) {
                break;
            }
        }
        good
    }

    /// The least valuable piece of `color` among `occupied` that can capture on `square`.
    #[inline]
    fn least_attacker(&self, square: u8, color: Color, occupied: Bitboard) -> Option<(u8, PieceType)> {
        let own = self.pieces_of(color) & occupied & !bit(square);
        let at = square as usize;
        let seen = lines(square, occupied);
        for kind in ORDER {
            let pieces = self.by_type[kind.index()] & own;
            if pieces == 0 {
                continue;
            }
            let found = match kind {
                PieceType::Soldier => SOLDIER_FROM[color.index()][at] & pieces,
                PieceType::Advisor => attacks::ADVISOR[at] & pieces,
                PieceType::Elephant => attacks::elephant(square, occupied) & pieces,
                PieceType::Horse => {
                    let free = |&horse: &u8| occupied & bit(attacks::leg(horse, square)) == 0;
                    Squares(HORSE_FROM[at] & pieces).find(free).map_or(0, bit)
                }
                PieceType::Cannon => seen.second & pieces,
                PieceType::Chariot => seen.reach & pieces,
                PieceType::General => attacks::GENERAL[at] & pieces,
            };
            if found != 0 {
                return Some((found.trailing_zeros() as u8, kind));
            }
        }
        None
    }
}
