//! Xiangqi.
super::stub::stub_position!(Xiangqi, crate::games::Variant::Xiangqi);
