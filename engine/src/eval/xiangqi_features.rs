//! What the evaluation of xiangqi counts beyond placement: mobility, the attack on the General, threats, reserves.
use super::FeatureSink;
use super::xiangqi::{
    ATTACKERS, BOTTOM_CANNON, CANNON_LINE, CANNON_MOBILITY, CHARIOT_LINE, CHARIOT_MOBILITY, EXPOSED, FACING_PIN, FIRST,
    HANGING, HOLLOW_CANNON, HORSE_MOBILITY, LESSER, MOST_ATTACKERS, MOST_REACHED, PALACE, SOLDIER_PAIR, SUPPLIED,
    SURPLUS,
};
use crate::board::Color;
use crate::board::bitboard::{Bitboard, FILES, FULL, RANKS, file_of};
use crate::board::bits::{BitSet, Squares};
use crate::board::orthogonal::{between, lines};
use crate::games::xiangqi::attacks::{self, HALF, PALACES};
use crate::games::xiangqi::piece::{PieceType, RESERVE_TYPES};
use crate::games::xiangqi::{Rules, XiangqiPosition};

const FILE_A: Bitboard = {
    let (mut file, mut rank) = (0, 0);
    while rank < RANKS {
        file |= 1 << (rank * FILES);
        rank += 1;
    }
    file
};
const FILE_I: Bitboard = FILE_A << (FILES - 1);

/// What one side attacks.
struct Attacks {
    /// By Horses, Cannons and Soldiers.
    lesser: Bitboard,
    /// By Soldiers, Advisors and Elephants.
    least: Bitboard,
    /// By anything.
    all: Bitboard,
    /// Pieces that attack the enemy palace.
    attackers: usize,
}

/// Adds features for one side: with a minus for Black.
struct Signed<'a, S> {
    sink: &'a mut S,
    sign: i32,
}

impl<S: FeatureSink> Signed<'_, S> {
    #[inline(always)]
    fn add(&mut self, index: usize, count: usize) {
        self.sink.add(index, self.sign * count as i32);
    }
}

impl<R: Rules> XiangqiPosition<R> {
    /// Counts every feature but placement and plain reserves.
    #[inline(always)]
    pub(super) fn count_features<S: FeatureSink>(&self, sink: &mut S) {
        let white = self.mobility(Color::White, &mut Signed { sink, sign: 1 });
        let black = self.mobility(Color::Black, &mut Signed { sink, sign: -1 });
        self.pressure(Color::White, &white, &black, &mut Signed { sink, sign: 1 });
        self.pressure(Color::Black, &black, &white, &mut Signed { sink, sign: -1 });
    }

    /// Mobility and attacks on the palace of the pieces of `us`.
    #[inline(always)]
    fn mobility<S: FeatureSink>(&self, us: Color, sink: &mut Signed<'_, S>) -> Attacks {
        let (own, occupied) = (self.pieces_of(us), self.occupied());
        let palace = PALACES & HALF[(!us).index()];
        let mut attackers = 0;
        let mut chariots = 0;
        for from in Squares(self.pieces(us, PieceType::Chariot)) {
            let targets = lines(from, occupied).reach;
            chariots |= targets;
            sink.add(CHARIOT_MOBILITY + (targets & !own).len().min(MOST_REACHED), 1);
            attackers += usize::from(targets & palace != 0);
        }
        let mut horses = 0;
        for from in Squares(self.pieces(us, PieceType::Horse)) {
            let targets = attacks::horse(from, occupied);
            horses |= targets;
            sink.add(HORSE_MOBILITY + (targets & !own).len(), 1);
            attackers += usize::from(targets & palace != 0);
        }
        let mut cannons = 0;
        for from in Squares(self.pieces(us, PieceType::Cannon)) {
            let seen = lines(from, occupied);
            cannons |= seen.second;
            let reached = (seen.reach & !occupied | seen.second & !own).len();
            sink.add(CANNON_MOBILITY + reached.min(MOST_REACHED), 1);
            // A Cannon bears on the palace through a screen that is not yet there as well.
            attackers += usize::from((seen.reach | seen.second) & palace != 0);
        }
        let soldiers = self.soldier_attacks(us);
        attackers += (soldiers & palace).len();
        let mut guards = 0;
        for from in Squares(self.pieces(us, PieceType::Advisor)) {
            guards |= attacks::ADVISOR[from as usize];
        }
        for from in Squares(self.pieces(us, PieceType::Elephant)) {
            guards |= attacks::elephant(from, occupied);
        }
        for (index, attacked) in [chariots, horses, cannons, soldiers].into_iter().enumerate() {
            sink.add(PALACE + index, (attacked & palace).len());
        }
        let general = attacks::GENERAL[self.general(us) as usize];
        Attacks {
            lesser: horses | cannons | soldiers,
            least: soldiers | guards,
            all: chariots | horses | cannons | soldiers | guards | general,
            attackers: attackers.min(MOST_ATTACKERS),
        }
    }

    /// Squares that the Soldiers of `us` attack.
    #[inline(always)]
    fn soldier_attacks(&self, us: Color) -> Bitboard {
        let soldiers = self.pieces(us, PieceType::Soldier);
        let crossed = soldiers & !HALF[us.index()];
        let forward = match us {
            Color::White => soldiers << FILES & FULL,
            Color::Black => soldiers >> FILES,
        };
        forward | (crossed & !FILE_I) << 1 | (crossed & !FILE_A) >> 1
    }

    /// What the pieces of `us` do to the enemy General and to enemy pieces.
    #[inline(always)]
    fn pressure<S: FeatureSink>(&self, us: Color, ours: &Attacks, theirs: &Attacks, sink: &mut Signed<'_, S>) {
        let them = !us;
        let of = |kind| self.pieces(us, kind);
        let (chariots, cannons) = (of(PieceType::Chariot), of(PieceType::Cannon));
        sink.add(ATTACKERS + ours.attackers, 1);

        let missing = |kind| 2usize.saturating_sub(self.pieces(them, kind).len());
        let advisors = missing(PieceType::Advisor);
        sink.add(EXPOSED, advisors * chariots.len());
        sink.add(EXPOSED + 1, missing(PieceType::Elephant) * cannons.len());
        sink.add(EXPOSED + 2, advisors * of(PieceType::Horse).len());

        let target = self.general(them);
        let file = FILE_A << file_of(target);
        let seen = lines(target, self.occupied());
        sink.add(CHARIOT_LINE, (seen.second & chariots).len());
        let hollow = (seen.reach & cannons & file).len();
        sink.add(HOLLOW_CANNON, hollow);
        sink.add(HOLLOW_CANNON + 1, hollow * usize::from(chariots != 0));
        sink.add(BOTTOM_CANNON, (seen.reach & cannons & !file).len());
        sink.add(CANNON_LINE, (seen.third & cannons & file).len());
        sink.add(CANNON_LINE + 1, (seen.third & cannons & !file).len());
        let one_between = seen.second & of(PieceType::General) != 0;
        let facing = one_between && between(target, self.general(us)) & self.pieces_of(them) != 0;
        sink.add(FACING_PIN, usize::from(facing));

        let crossed = of(PieceType::Soldier) & !HALF[us.index()];
        sink.add(SOLDIER_PAIR, (crossed & (crossed & !FILE_I) << 1).len());

        let loose = ours.all & !theirs.all;
        for kind in &PieceType::ALL[..RESERVE_TYPES] {
            sink.add(HANGING + kind.index(), (self.pieces(them, *kind) & loose).len());
        }
        let minor = self.pieces(them, PieceType::Horse) | self.pieces(them, PieceType::Cannon);
        sink.add(LESSER, (self.pieces(them, PieceType::Chariot) & ours.lesser).len());
        sink.add(LESSER + 1, (minor & ours.least).len());

        if R::DROPS {
            let mut reserves = 0;
            for kind in &PieceType::ALL[..RESERVE_TYPES] {
                let count = usize::from(self.reserve(us, *kind));
                sink.add(FIRST + kind.index(), count.min(1));
                sink.add(SURPLUS + kind.index(), count.saturating_sub(2));
                reserves += count;
            }
            sink.add(SUPPLIED, ours.attackers * reserves.min(6));
            sink.add(SUPPLIED + 1, theirs.attackers * reserves.min(6));
        }
    }
}
