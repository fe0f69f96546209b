//! Whole numbers of a replay.
use serde::Deserialize;
use serde::de::value::{F64Deserializer, I64Deserializer, U64Deserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The largest number up to which every floating-point number that is whole is exactly the one that was written: 2⁵³ − 1.
const MOST: f64 = 9_007_199_254_740_991.0;

/// Reads a whole number. JSON has only one kind of numbers: `1.0` is 1, for the schema as well, and some programs write it so.
pub(super) fn whole<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Whole(PhantomData))
}

/// Reads an optional whole number that, when it is there, is not `null`.
pub(super) fn present_whole<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    whole(deserializer).map(Some)
}

/// Hands what it finds on to the type of the field, which knows its own limits.
struct Whole<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Whole<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        let number: U64Deserializer<E> = number.into_deserializer();
        T::deserialize(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        let number: I64Deserializer<E> = number.into_deserializer();
        T::deserialize(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        if number.fract() == 0.0 && (0.0..=MOST).contains(&number) {
            return self.visit_u64(number as u64);
        }
        let number: F64Deserializer<E> = number.into_deserializer();
        T::deserialize(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
        whole(&mut serde_json::Deserializer::from_str(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for (text, number) in [
            ("1", 1),
            ("1.0", 1),
            ("1e3", 1_000),
            ("0.5e1", 5),
            ("-0.0", 0),
            ("9007199254740991.0", 9_007_199_254_740_991),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(read::<u64>(text), Ok(number), "{text}");
        }
        for text in ["1.5", "-1", "-1.0", "1e30", "9007199254740992.0", "\"1\"", "null", "[1]", "true"] {
            assert!(read::<u64>(text).is_err(), "{text}");
        }
        // Each type keeps its limits.
        assert_eq!(read::<u32>("4294967295.0"), Ok(u32::MAX));
        assert!(read::<u32>("4294967296.0").is_err());
        assert!(read::<NonZeroU32>("0.0").unwrap_err().contains("nonzero"));
    }
}
