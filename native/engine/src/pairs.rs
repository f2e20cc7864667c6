//! Names with text values, as settings, statistics and the shutdown report cross the boundary, and
//! a reader of settings that refuses what nobody knows. Plain data; any thread.

use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};

/// Names and values in their order.
pub type Pairs = Vec<(String, String)>;

/// Writes pairs as `docs/boundary.md` lays them out. Names longer than 65,535 bytes are cut at a
/// character's boundary and so are pairs past the 65,535th: both are reports, never data.
#[must_use]
pub fn encode_pairs(pairs: &[(String, String)]) -> Vec<u8> {
    let count = u16::try_from(pairs.len()).unwrap_or(u16::MAX);
    let mut bytes = Vec::with_capacity(64 * pairs.len() + 2);
    bytes.extend_from_slice(&count.to_le_bytes());
    for (name, value) in pairs.iter().take(usize::from(count)) {
        put_str(&mut bytes, name);
        put_text(&mut bytes, value);
    }
    bytes
}

/// Appends a `str`: u16 length and UTF-8, cut at a character's boundary when it is too long.
pub fn put_str(bytes: &mut Vec<u8>, value: &str) {
    let (length, kept) = cut(value, u16::MAX);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(kept);
}

/// Appends a `text`: u32 length and UTF-8, cut at a character's boundary when it is too long.
pub fn put_text(bytes: &mut Vec<u8>, value: &str) {
    let (length, kept) = cut(value, u32::MAX);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(kept);
}

/// The longest beginning of whole characters whose length fits the number, and that length.
fn cut<N: TryFrom<usize> + TryInto<usize> + Copy>(value: &str, most: N) -> (N, &[u8]) {
    let mut length = value.len().min(most.try_into().unwrap_or(usize::MAX));
    while !value.is_char_boundary(length) {
        length -= 1;
    }
    let kept = value.as_bytes().get(..length).unwrap_or_default();
    (N::try_from(length).unwrap_or(most), kept)
}

/// Reads pairs.
///
/// # Errors
/// `InvalidConfig` with the offset when a length leaves the bytes, text is not UTF-8, or bytes are
/// left over.
pub fn decode_pairs(bytes: &[u8]) -> Result<Pairs> {
    let mut reader = Reader { bytes, offset: 0 };
    let count = reader.u16()?;
    let mut pairs = Vec::with_capacity(usize::from(count).min(1_024));
    for _ in 0..count {
        let name_length = usize::from(reader.u16()?);
        let name = reader.text(name_length)?;
        let value_length = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
        let value = reader.text(value_length)?;
        pairs.push((name, value));
    }
    if reader.offset != bytes.len() {
        return Err(malformed(reader.offset, "bytes are left after the last pair"));
    }
    Ok(pairs)
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.offset.checked_add(length);
        let taken = end
            .and_then(|end| self.bytes.get(self.offset..end))
            .ok_or_else(|| malformed(self.offset, "a length leaves the bytes"))?;
        self.offset += length;
        Ok(taken)
    }

    fn u16(&mut self) -> Result<u16> {
        let mut value = [0; 2];
        value.copy_from_slice(self.take(2)?);
        Ok(u16::from_le_bytes(value))
    }

    fn u32(&mut self) -> Result<u32> {
        let mut value = [0; 4];
        value.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(value))
    }

    fn text(&mut self, length: usize) -> Result<String> {
        let start = self.offset;
        String::from_utf8(self.take(length)?.to_vec())
            .map_err(|_| malformed(start, "text is not UTF-8"))
    }
}

fn malformed(offset: usize, message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidConfig, "settings", message).with("offset", offset)
}

/// Settings of which each reader takes what it knows; what is left at the end is an error, so that
/// a misspelt name is never ignored.
#[derive(Debug)]
pub struct Settings {
    operation: &'static str,
    left: Pairs,
}

impl Settings {
    /// Settings for `operation`, which error messages name.
    ///
    /// # Errors
    /// `InvalidConfig` when a name is given twice.
    pub fn new(operation: &'static str, pairs: Pairs) -> Result<Self> {
        for (index, (name, _)) in pairs.iter().enumerate() {
            if pairs.iter().take(index).any(|(other, _)| other == name) {
                return Err(Error::new(
                    ErrorKind::InvalidConfig,
                    operation,
                    format!("the setting {name} is given twice; keep one of them"),
                ));
            }
        }
        Ok(Self { operation, left: pairs })
    }

    /// Takes the text of a setting.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let index = self.left.iter().position(|(candidate, _)| candidate == name)?;
        Some(self.left.swap_remove(index).1)
    }

    /// Takes a setting that must be there.
    ///
    /// # Errors
    /// `InvalidConfig` naming it.
    pub fn require(&mut self, name: &str) -> Result<String> {
        let operation = self.operation;
        self.take(name).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidConfig,
                operation,
                format!("the setting {name} is missing; give it a value"),
            )
        })
    }

    /// Takes a number or truth value within `range`, or `default` when it is absent.
    ///
    /// # Errors
    /// `InvalidConfig` naming the setting, its value and the range.
    pub fn take_in<T>(
        &mut self,
        name: &str,
        default: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T>
    where
        T: FromStr + PartialOrd + std::fmt::Display,
    {
        let Some(text) = self.take(name) else { return Ok(default) };
        text.trim().parse::<T>().ok().filter(|value| range.contains(value)).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidConfig,
                self.operation,
                format!(
                    "the setting {name} is {text:?}, it must be {} to {}",
                    range.start(),
                    range.end()
                ),
            )
        })
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// `InvalidConfig` naming the settings that nobody took.
    pub fn finish(self) -> Result<()> {
        if self.left.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.left.iter().map(|(name, _)| name.as_str()).collect();
        Err(Error::new(
            ErrorKind::InvalidConfig,
            self.operation,
            format!("unknown settings: {}; remove or correct them", names.join(", ")),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Pairs {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn pairs_round_trip_with_text_beyond_ascii() {
        let before = pairs(&[("path", "welt/😀.db"), ("empty", ""), ("nul", "a\0b")]);
        assert_eq!(decode_pairs(&encode_pairs(&before)).unwrap(), before);
    }

    #[test]
    fn every_cut_of_the_bytes_is_refused() {
        let bytes = encode_pairs(&pairs(&[("name", "main"), ("type", "sqlite")]));
        for end in 0..bytes.len() {
            let error = decode_pairs(&bytes[..end]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "cut at {end}");
        }
        let mut longer = bytes;
        longer.push(0);
        assert!(decode_pairs(&longer).unwrap_err().message().contains("left after"));
    }

    #[test]
    fn an_overlong_name_is_cut_between_characters() {
        let name = "ü".repeat(40_000);
        let read = decode_pairs(&encode_pairs(&[(name, String::new())])).unwrap();
        assert_eq!(read[0].0.chars().count(), 32_767);
    }

    #[test]
    fn settings_name_what_is_wrong() {
        let mut settings =
            Settings::new("open", pairs(&[("readers", "0"), ("reader", "2")])).unwrap();
        let error = settings.take_in("readers", 2_u32, 1..=64).unwrap_err();
        assert_eq!(error.message(), "the setting readers is \"0\", it must be 1 to 64");
        assert!(settings.require("path").unwrap_err().message().contains("path is missing"));
        assert!(settings.finish().unwrap_err().message().contains("unknown settings: reader;"));
        let error = Settings::new("open", pairs(&[("a", "1"), ("a", "2")])).unwrap_err();
        assert!(error.message().contains("a is given twice"));
    }
}
