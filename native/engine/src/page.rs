//! Pages: rows on their way into or out of the engine, as one block of bytes in the format of
//! `docs/page-format.md`. A [`Page`] owns its bytes and was checked as a whole when it was made, so
//! reading a value cannot fail later. Plain data, for any thread.
#![deny(clippy::indexing_slicing)]

mod builder;
mod reader;

pub use builder::{PageBuilder, PageColumn, Scratch};

use std::ops::Range;

use crate::error::Result;
use crate::value::{ValueRef, ValueType};

/// The most bytes of a page.
pub const MAX_PAGE_BYTES: usize = 64 << 20;

/// `TWPG` as a little-endian number.
const MAGIC: u32 = 0x4750_5754;
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 16;
const DESCRIPTOR_BYTES: usize = 32;
/// Every section begins at a multiple of this.
const ALIGNMENT: usize = 8;

/// Rows and columns in their encoded form.
#[derive(Debug, Clone)]
pub struct Page {
    bytes: Vec<u8>,
    rows: usize,
    columns: Vec<Column>,
}

/// What [`Page::walk`] gives values to. Closures are enough where speed does not matter; an
/// implementation whose method is always inlined is compiled for each shape of values alone.
pub trait Visit<'p> {
    /// What ends the walk.
    type Error;

    /// Takes the value of a row.
    ///
    /// # Errors
    /// What ends the walk.
    fn visit(&mut self, row: usize, value: ValueRef<'p>) -> Result<(), Self::Error>;
}

impl<'p, E, F: FnMut(usize, ValueRef<'p>) -> Result<(), E>> Visit<'p> for F {
    type Error = E;

    fn visit(&mut self, row: usize, value: ValueRef<'p>) -> Result<(), E> {
        self(row, value)
    }
}

/// Where one column lies in its page; every position was checked to be inside.
#[derive(Debug, Clone)]
struct Column {
    value_type: ValueType,
    name: Section,
    /// Where the validity bitmap begins.
    bitmap: Option<usize>,
    /// Whether a value is null; a bitmap alone does not say so.
    nulls: bool,
    data: usize,
    heap: Section,
}

/// A part of a page.
#[derive(Debug, Clone, Copy, Default)]
struct Section {
    offset: usize,
    length: usize,
}

impl Section {
    fn of(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.offset..)?.get(..self.length)
    }
}

impl Page {
    /// Takes bytes as a page after checking all of them.
    ///
    /// # Errors
    /// `InvalidPage`, saying what is wrong and where.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        reader::parse(bytes)
    }

    /// How many rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    #[must_use]
    pub fn column_count(&self) -> usize {
        self.columns.len()
    }

    /// The type of a column; `None` when there is no such column.
    #[must_use]
    pub fn column_type(&self, column: usize) -> Option<ValueType> {
        self.columns.get(column).map(|column| column.value_type)
    }

    /// The name of a column; `None` when it has none or there is no such column.
    #[must_use]
    pub fn column_name(&self, column: usize) -> Option<&str> {
        let name = self.columns.get(column)?.name;
        if name.length == 0 {
            return None;
        }
        std::str::from_utf8(name.of(&self.bytes)?).ok()
    }

    /// The bytes of a uuid where they lie in the page; `None` for a null, for another type, and where
    /// there is no such row or column.
    #[must_use]
    pub fn uuid(&self, row: usize, column: usize) -> Option<&[u8; 16]> {
        let column = self.columns.get(column).filter(|_| row < self.rows)?;
        let is_uuid = column.value_type == ValueType::Uuid;
        let there = is_uuid && (!column.nulls || self.is_present(row, column)?);
        self.bytes.get(column.data + row * 16..)?.first_chunk().filter(|_| there)
    }

    /// Whether a column holds a null.
    #[must_use]
    pub fn has_nulls(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(|column| column.nulls)
    }

    /// One value; `None` when there is no such row or column.
    #[must_use]
    #[inline]
    pub fn value(&self, row: usize, column: usize) -> Option<ValueRef<'_>> {
        if row >= self.rows {
            return None;
        }
        let column = self.columns.get(column)?;
        if column.nulls && !self.is_present(row, column)? {
            return Some(ValueRef::Null);
        }
        Some(match column.value_type {
            ValueType::Boolean => ValueRef::Boolean(self.fixed::<1>(row, column)? != [0]),
            ValueType::TinyInt => {
                ValueRef::Integer(i8::from_le_bytes(self.fixed(row, column)?).into())
            }
            ValueType::SmallInt => {
                ValueRef::Integer(i16::from_le_bytes(self.fixed(row, column)?).into())
            }
            ValueType::Int | ValueType::Date => {
                ValueRef::Integer(i32::from_le_bytes(self.fixed(row, column)?).into())
            }
            ValueType::BigInt
            | ValueType::TimeOfDay
            | ValueType::Timestamp
            | ValueType::Timespan => {
                ValueRef::Integer(i64::from_le_bytes(self.fixed(row, column)?))
            }
            ValueType::Float => ValueRef::Float(f32::from_le_bytes(self.fixed(row, column)?)),
            ValueType::Double => ValueRef::Double(f64::from_le_bytes(self.fixed(row, column)?)),
            ValueType::Uuid => ValueRef::Uuid(self.fixed(row, column)?),
            ValueType::Decimal | ValueType::String | ValueType::Text | ValueType::Json => {
                ValueRef::Text(std::str::from_utf8(self.heap_value(row, column)?).ok()?)
            }
            ValueType::Bytes
            | ValueType::Item
            | ValueType::Location
            | ValueType::Nbt
            | ValueType::Object => ValueRef::Bytes(self.heap_value(row, column)?),
        })
    }

    /// Gives `visitor` the values of these rows of one column, in their order. Shorter than asking for
    /// each value: the column's type is looked at once. Rows and columns that are not there are left
    /// out.
    ///
    /// # Errors
    /// The first of `visitor`, which ends the walk.
    #[inline]
    pub fn walk<'p, V: Visit<'p>>(
        &'p self,
        column: usize,
        rows: Range<usize>,
        visitor: V,
    ) -> Result<(), V::Error> {
        let rows = rows.start.min(self.rows)..rows.end.min(self.rows);
        let Some(column) = self.columns.get(column) else { return Ok(()) };
        match column.value_type {
            ValueType::Boolean => {
                self.walk_fixed(column, rows, |[byte]| ValueRef::Boolean(byte != 0), visitor)
            }
            ValueType::TinyInt => {
                self.walk_fixed(column, rows, |v| integer(i8::from_le_bytes(v)), visitor)
            }
            ValueType::SmallInt => {
                self.walk_fixed(column, rows, |v| integer(i16::from_le_bytes(v)), visitor)
            }
            ValueType::Int | ValueType::Date => {
                self.walk_fixed(column, rows, |v| integer(i32::from_le_bytes(v)), visitor)
            }
            ValueType::BigInt
            | ValueType::TimeOfDay
            | ValueType::Timestamp
            | ValueType::Timespan => {
                self.walk_fixed(column, rows, |v| integer(i64::from_le_bytes(v)), visitor)
            }
            ValueType::Float => {
                let float = |v| ValueRef::Float(f32::from_le_bytes(v));
                self.walk_fixed(column, rows, float, visitor)
            }
            ValueType::Double => {
                let double = |v| ValueRef::Double(f64::from_le_bytes(v));
                self.walk_fixed(column, rows, double, visitor)
            }
            ValueType::Uuid => self.walk_fixed(column, rows, ValueRef::Uuid, visitor),
            ValueType::Decimal | ValueType::String | ValueType::Text | ValueType::Json => {
                let text = |v| std::str::from_utf8(v).map_or(ValueRef::Null, ValueRef::Text);
                self.walk_heap(column, rows, text, visitor)
            }
            ValueType::Bytes
            | ValueType::Item
            | ValueType::Location
            | ValueType::Nbt
            | ValueType::Object => self.walk_heap(column, rows, ValueRef::Bytes, visitor),
        }
    }

    #[inline]
    fn walk_fixed<'p, const N: usize, V: Visit<'p>>(
        &'p self,
        column: &Column,
        rows: Range<usize>,
        decode: impl Fn([u8; N]) -> ValueRef<'p>,
        mut visitor: V,
    ) -> Result<(), V::Error> {
        let start = column.data + rows.start * N;
        let data = self.bytes.get(start..start + rows.len() * N).unwrap_or_default();
        for (row, value) in rows.zip(data.as_chunks().0) {
            let present = !column.nulls || self.is_present(row, column) == Some(true);
            visitor.visit(row, if present { decode(*value) } else { ValueRef::Null })?;
        }
        Ok(())
    }

    #[inline]
    fn walk_heap<'p, V: Visit<'p>>(
        &'p self,
        column: &Column,
        rows: Range<usize>,
        decode: impl Fn(&'p [u8]) -> ValueRef<'p>,
        mut visitor: V,
    ) -> Result<(), V::Error> {
        for row in rows {
            let present = !column.nulls || self.is_present(row, column) == Some(true);
            match self.heap_value(row, column).filter(|_| present) {
                Some(value) => visitor.visit(row, decode(value))?,
                None => visitor.visit(row, ValueRef::Null)?,
            }
        }
        Ok(())
    }

    /// How many bytes one value takes in its column, offsets and bitmaps aside; 0 when there is no
    /// such row or column.
    #[must_use]
    pub fn value_bytes(&self, row: usize, column: usize) -> usize {
        let Some(column) = self.columns.get(column).filter(|_| row < self.rows) else {
            return 0;
        };
        column
            .value_type
            .fixed_width()
            .or_else(|| self.heap_value(row, column).map(<[u8]>::len))
            .unwrap_or(0)
    }

    /// The encoded page.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The encoded page, for the boundary.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    #[inline]
    fn is_present(&self, row: usize, column: &Column) -> Option<bool> {
        match column.bitmap {
            None => Some(true),
            Some(start) => self.bytes.get(start + row / 8).map(|byte| byte >> (row % 8) & 1 == 1),
        }
    }

    #[inline]
    fn fixed<const N: usize>(&self, row: usize, column: &Column) -> Option<[u8; N]> {
        self.bytes.get(column.data + row * N..)?.first_chunk().copied()
    }

    #[inline]
    fn heap_value(&self, row: usize, column: &Column) -> Option<&[u8]> {
        let [a, b, c, d, e, f, g, h] =
            *self.bytes.get(column.data + row * 4..)?.first_chunk::<8>()?;
        let start = u32::from_le_bytes([a, b, c, d]) as usize;
        let end = u32::from_le_bytes([e, f, g, h]) as usize;
        self.bytes.get(column.heap.offset + start..column.heap.offset + end)
    }
}

#[inline]
fn integer(value: impl Into<i64>) -> ValueRef<'static> {
    ValueRef::Integer(value.into())
}

/// Compares the encoded bytes, which are the same for the same names, types and values.
impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Page {}
