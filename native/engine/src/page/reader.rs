//! Checks bytes that claim to be a page. Total: any bytes give a page or an error, in a time that
//! grows with their length alone.

use super::{
    Column, DESCRIPTOR_BYTES, HEADER_BYTES, MAGIC, MAX_PAGE_BYTES, Page, Section, VERSION,
};
use crate::error::{Error, ErrorKind, Result};
use crate::value::{MICROS_PER_DAY, ValueType};

const FLAG_BITMAP: u8 = 1;

pub(super) fn parse(bytes: Vec<u8>) -> Result<Page> {
    if bytes.len() > MAX_PAGE_BYTES {
        return Err(invalid(format!(
            "the page has {} bytes, the most is {MAX_PAGE_BYTES}; send fewer rows at once",
            bytes.len()
        )));
    }
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or_else(|| {
        invalid(format!("{} bytes are no page: its header has {HEADER_BYTES}", bytes.len()))
    })?;
    let [m0, m1, m2, m3, v0, v1, c0, c1, r0, r1, r2, r3, l0, l1, l2, l3] = *header;
    let magic = u32::from_le_bytes([m0, m1, m2, m3]);
    if magic != MAGIC {
        return Err(invalid(format!("the page begins with {magic:#010x}, not with {MAGIC:#010x}")));
    }
    let version = u16::from_le_bytes([v0, v1]);
    if version != VERSION {
        return Err(invalid(format!("page version {version} is not known, only {VERSION} is")));
    }
    let column_count = usize::from(u16::from_le_bytes([c0, c1]));
    let rows = u32::from_le_bytes([r0, r1, r2, r3]) as usize;
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    if length != bytes.len() {
        return Err(invalid(format!(
            "the header tells {length} bytes, the page has {}",
            bytes.len()
        )));
    }
    if column_count == 0 && rows > 1 {
        return Err(invalid(format!("{rows} rows without a column")));
    }

    let body = HEADER_BYTES + column_count * DESCRIPTOR_BYTES;
    let descriptors = bytes.get(HEADER_BYTES..body).ok_or_else(|| {
        invalid(format!("{column_count} columns need {body} bytes, the page has {}", bytes.len()))
    })?;
    let mut check = Check { bytes: &bytes, rows, body, budget: bytes.len() };
    let (descriptors, _) = descriptors.as_chunks::<DESCRIPTOR_BYTES>();
    let columns = descriptors
        .iter()
        .enumerate()
        .map(|(index, descriptor)| {
            check.column(descriptor).map_err(|problem| {
                let name_at = HEADER_BYTES + index * DESCRIPTOR_BYTES;
                invalid(problem).with("column", index).with("descriptor", name_at)
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(Page { bytes, rows, columns })
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidPage, "page", message)
}

struct Check<'a> {
    bytes: &'a [u8],
    rows: usize,
    /// Where the descriptors end.
    body: usize,
    /// How many bytes sections may still take. Sections that lie over each other would let a small
    /// page cost the time of a huge one.
    budget: usize,
}

impl Check<'_> {
    fn column(&mut self, descriptor: &[u8; DESCRIPTOR_BYTES]) -> Result<Column, String> {
        let (words, _) = descriptor.as_chunks::<4>();
        let &[head, name_at, bitmap_at, data_at, data_len, heap_at, heap_len, reserved] = words
        else {
            return Err("a descriptor of the wrong length".to_owned());
        };
        let [code, flags, n0, n1] = head;
        let word = |bytes: [u8; 4]| u32::from_le_bytes(bytes) as usize;
        let value_type =
            ValueType::from_code(code).ok_or_else(|| format!("type code {code} is not known"))?;
        if flags & !FLAG_BITMAP != 0 || word(reserved) != 0 {
            return Err("a reserved flag or field is not 0".to_owned());
        }

        let name = match usize::from(u16::from_le_bytes([n0, n1])) {
            0 if word(name_at) != 0 => {
                return Err("a name without a length has an offset".to_owned());
            }
            0 => Section::default(),
            length => self.section("name", word(name_at), length)?,
        };
        if std::str::from_utf8(self.slice(name)).is_err() {
            return Err("the name is not UTF-8".to_owned());
        }

        let bitmap = if flags & FLAG_BITMAP != 0 {
            Some(self.section("bitmap", word(bitmap_at), self.rows.div_ceil(8))?)
        } else if word(bitmap_at) != 0 {
            return Err("a bitmap's offset without the flag for it".to_owned());
        } else {
            None
        };

        let data = self.section("data", word(data_at), word(data_len))?;
        let expected = match value_type.fixed_width() {
            Some(width) => self.rows.checked_mul(width),
            None => self.rows.checked_add(1).and_then(|offsets| offsets.checked_mul(4)),
        };
        if expected != Some(data.length) {
            return Err(format!(
                "{} rows of type {} do not have {} bytes of data",
                self.rows,
                value_type.name(),
                data.length
            ));
        }
        let heap = if value_type.fixed_width().is_none() {
            self.section("heap", word(heap_at), word(heap_len))?
        } else if word(heap_at) != 0 || word(heap_len) != 0 {
            return Err(format!("a heap in a column of type {}", value_type.name()));
        } else {
            Section::default()
        };
        self.values(value_type, data, heap)?;

        Ok(Column {
            value_type,
            name,
            bitmap: bitmap.map(|section| section.offset),
            nulls: bitmap.is_some_and(|section| self.has_null(section)),
            data: data.offset,
            heap,
        })
    }

    /// A section after checking that it lies behind the descriptors and inside the page.
    fn section(&mut self, what: &str, offset: usize, length: usize) -> Result<Section, String> {
        let inside = offset.checked_add(length).is_some_and(|end| end <= self.bytes.len());
        if offset < self.body || !inside {
            return Err(format!(
                "the {what} ({length} bytes at {offset}) is not between the descriptors' end at {} and the page's end at {}",
                self.body,
                self.bytes.len()
            ));
        }
        self.budget = self
            .budget
            .checked_sub(length)
            .ok_or_else(|| format!("with the {what} the sections are longer than the page"))?;
        Ok(Section { offset, length })
    }

    fn slice(&self, section: Section) -> &[u8] {
        section.of(self.bytes).unwrap_or_default()
    }

    fn values(&self, value_type: ValueType, data: Section, heap: Section) -> Result<(), String> {
        let data = self.slice(data);
        match value_type {
            ValueType::Boolean => match data.iter().position(|&byte| byte > 1) {
                Some(row) => Err(format!("row {row}: a boolean that is neither 0 nor 1")),
                None => Ok(()),
            },
            ValueType::TimeOfDay => {
                let (times, _) = data.as_chunks::<8>();
                let outside =
                    |time: &[u8; 8]| !(0..MICROS_PER_DAY).contains(&i64::from_le_bytes(*time));
                match times.iter().position(outside) {
                    Some(row) => Err(format!("row {row}: a time of day outside of the day")),
                    None => Ok(()),
                }
            }
            _ if value_type.fixed_width().is_none() => {
                let heap = self.slice(heap);
                let (offsets, _) = data.as_chunks::<4>();
                ascending(offsets, heap.len())?;
                if value_type.is_text() { text(offsets, heap) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn has_null(&self, bitmap: Section) -> bool {
        let present: usize = self
            .slice(bitmap)
            .iter()
            .enumerate()
            .map(|(index, byte)| {
                // Bits past the last row say nothing.
                let used = self.rows.saturating_sub(index * 8).min(8);
                let mask = u8::MAX.checked_shr(8 - used as u32).unwrap_or(0);
                (byte & mask).count_ones() as usize
            })
            .sum();
        present < self.rows
    }
}

/// Checks that offsets begin at 0, end at the heap's length and never go back, so that each value
/// lies inside the heap.
fn ascending(offsets: &[[u8; 4]], heap_len: usize) -> Result<(), String> {
    let mut previous = 0;
    let mut descents = 0_usize;
    // Counting instead of leaving at the first one keeps the loop free of branches.
    for offset in offsets {
        let offset = u32::from_le_bytes(*offset);
        descents += usize::from(offset < previous);
        previous = offset;
    }
    if descents > 0 {
        return Err(format!("the offsets go back {descents} times"));
    }
    let first = offsets.first().map_or(0, |offset| u32::from_le_bytes(*offset));
    if first != 0 || previous as usize != heap_len {
        return Err(format!(
            "the offsets run from {first} to {previous}, not from 0 to the heap's length {heap_len}"
        ));
    }
    Ok(())
}

/// Checks that the heap is UTF-8 and that no value begins inside a code point.
fn text(offsets: &[[u8; 4]], heap: &[u8]) -> Result<(), String> {
    if heap.is_ascii() {
        return Ok(());
    }
    let text = std::str::from_utf8(heap).map_err(|error| {
        let row = offsets
            .partition_point(|offset| u32::from_le_bytes(*offset) as usize <= error.valid_up_to())
            .saturating_sub(1);
        format!("row {row}: text that is not UTF-8")
    })?;
    let splits = |offset: &[u8; 4]| !text.is_char_boundary(u32::from_le_bytes(*offset) as usize);
    match offsets.iter().position(splits) {
        Some(row) => Err(format!("row {row}: text that begins inside a code point")),
        None => Ok(()),
    }
}
