//! What a set of squares can do, whatever its width.

/// A set of squares that can be counted and walked; implemented by `u64` (7×7) and `u128` (9×10).
pub trait BitSet: Copy {
    /// Number of squares in the set.
    fn len(self) -> usize;
    /// True when no square is in the set.
    fn is_empty(self) -> bool;
    /// Removes and returns the lowest square; `None` when the set is empty.
    fn pop(&mut self) -> Option<u8>;
}

macro_rules! impl_bit_set {
    ($t:ty) => {
        impl BitSet for $t {
            #[inline(always)]
            fn len(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn pop(&mut self) -> Option<u8> {
                if *self == 0 {
                    return None;
                }
                let square = self.trailing_zeros() as u8;
                *self &= *self - 1;
                Some(square)
            }
        }
    };
}
impl_bit_set!(u64);
impl_bit_set!(u128);

/// Walks the squares of a set from the lowest to the highest.
#[derive(Debug, Clone)]
pub struct Squares<B>(pub B);

impl<B: BitSet> Iterator for Squares<B> {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        self.0.pop()
    }
}
