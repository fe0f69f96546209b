//! Supply.
super::stub::stub_position!(Supply, crate::games::Variant::Supply);
