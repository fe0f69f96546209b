//! Yangqi.
super::stub::stub_position!(Yangqi, crate::games::Variant::Yangqi);
super::stub::stub_position!(YangqiNoSwap, crate::games::Variant::YangqiNoSwap);
