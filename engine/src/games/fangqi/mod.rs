//! Fangqi.
super::stub::stub_position!(Fangqi, crate::games::Variant::Fangqi);
