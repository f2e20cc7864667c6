//! Builds a page row by row, as databases give their rows, in one buffer per column. Refuses what
//! the format or the result's limits cannot hold, at the value that is too much.

use super::{
    ALIGNMENT, Column, DESCRIPTOR_BYTES, HEADER_BYTES, MAGIC, MAX_PAGE_BYTES, Page, Section,
    VERSION,
};
use crate::backend::ResultLimits;
use crate::error::{Error, ErrorKind, Result};
use crate::value::{MICROS_PER_DAY, ValueRef, ValueType};

/// What a column of a page to be built is called and holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageColumn {
    /// The name; empty for none.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
}

/// The most bytes of one buffer that a [`Scratch`] keeps.
const KEPT_BUFFER_BYTES: usize = 1 << 20;

/// The most buffers that a [`Scratch`] keeps.
const KEPT_BUFFERS: usize = 32;

/// Buffers of finished pages, for the next page of the same thread: fresh memory costs a page fault
/// for every 4 KiB, half of the time that building a page of 5,000 × 6 takes.
#[derive(Debug, Default)]
pub struct Scratch {
    buffers: Vec<Vec<u8>>,
}

impl Scratch {
    fn take(&mut self) -> Vec<u8> {
        self.buffers.pop().unwrap_or_default()
    }

    fn give(&mut self, mut buffer: Vec<u8>) {
        let worth = (1..=KEPT_BUFFER_BYTES).contains(&buffer.capacity());
        if worth && self.buffers.len() < KEPT_BUFFERS {
            buffer.clear();
            self.buffers.push(buffer);
        }
    }
}

/// A page being built, row by row.
#[derive(Debug)]
pub struct PageBuilder {
    columns: Vec<Buffer>,
    limits: ResultLimits,
    /// The most bytes by the limits and by the format.
    max_bytes: usize,
    rows: usize,
    /// The column of the next value.
    next: usize,
    /// Bytes of data and heaps so far; less than the page will have.
    content: usize,
}

/// Which numbers a column takes in the shorter way.
#[derive(Debug, Clone, Copy)]
enum Number {
    /// Any 64-bit integer.
    Long,
    /// Any 32-bit integer.
    Int,
    Double,
    /// None.
    Other,
}

impl Number {
    const fn of(value_type: ValueType) -> Self {
        match value_type {
            ValueType::BigInt | ValueType::Timestamp | ValueType::Timespan => Self::Long,
            ValueType::Int | ValueType::Date => Self::Int,
            ValueType::Double => Self::Double,
            _ => Self::Other,
        }
    }
}

#[derive(Debug)]
struct Buffer {
    column: PageColumn,
    /// Decided once, so that the shorter ways need not look at the type for each value.
    number: Number,
    /// Validity, one bit a row; empty until the first null.
    bitmap: Vec<u8>,
    data: Vec<u8>,
    heap: Vec<u8>,
}

impl PageBuilder {
    /// An empty page with these columns. `limits` beyond [`MAX_PAGE_BYTES`] mean that.
    #[must_use]
    pub fn new(columns: Vec<PageColumn>, limits: ResultLimits) -> Self {
        Self::reusing(columns, limits, &mut Scratch::default())
    }

    /// As [`PageBuilder::new`], in the buffers of earlier pages;
    /// [`finish_reusing`](PageBuilder::finish_reusing) gives them back.
    #[must_use]
    pub fn reusing(columns: Vec<PageColumn>, limits: ResultLimits, scratch: &mut Scratch) -> Self {
        let columns: Vec<_> =
            columns.into_iter().map(|column| Buffer::new(column, scratch)).collect();
        let content = columns.iter().map(|buffer| buffer.data.len()).sum();
        let max_bytes = limits.max_bytes.min(MAX_PAGE_BYTES);
        Self { columns, limits, max_bytes, rows: 0, next: 0, content }
    }

    /// Adds the next column of the current row; the row is complete with its last column.
    ///
    /// # Errors
    /// `InvalidValue` for another shape than the column's type has or a number outside of its
    /// range, naming row, column and type; `ResultTooLarge` for a row or byte past the limits.
    #[inline]
    pub fn push(&mut self, value: ValueRef<'_>) -> Result<()> {
        if self.next == 0 && self.rows >= self.limits.max_rows {
            return Err(too_many_rows(&self.limits));
        }
        let row = self.rows;
        let Some(buffer) = self.columns.get_mut(self.next) else {
            return Err(Error::new(
                ErrorKind::Internal,
                "page",
                "a value for a page without columns",
            ));
        };
        let room = self.max_bytes.saturating_sub(self.content);
        match buffer.push(row, value, room) {
            Ok(bytes) => self.content += bytes,
            Err(refusal) => return Err(self.refuse(refusal)),
        }
        self.advance();
        Ok(())
    }

    /// As [`PageBuilder::push`] of an integer, shorter for the types that most columns of numbers
    /// have.
    ///
    /// # Errors
    /// As [`PageBuilder::push`].
    #[inline]
    pub fn push_integer(&mut self, value: i64) -> Result<()> {
        match self.columns.get(self.next).map(|buffer| buffer.number) {
            Some(Number::Long) => self.push_number(value.to_le_bytes()),
            Some(Number::Int) => match i32::try_from(value) {
                Ok(narrow) => self.push_number(narrow.to_le_bytes()),
                Err(_) => self.push(ValueRef::Integer(value)),
            },
            _ => self.push(ValueRef::Integer(value)),
        }
    }

    /// As [`PageBuilder::push`] of a double, shorter for double columns.
    ///
    /// # Errors
    /// As [`PageBuilder::push`].
    #[inline]
    pub fn push_double(&mut self, value: f64) -> Result<()> {
        match self.columns.get(self.next).map(|buffer| buffer.number) {
            Some(Number::Double) => self.push_number(value.to_le_bytes()),
            _ => self.push(ValueRef::Double(value)),
        }
    }

    /// Adds the bytes of a number that the next column holds as they are.
    #[inline]
    fn push_number<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        if self.rows >= self.limits.max_rows {
            return Err(too_many_rows(&self.limits));
        }
        if let Some(buffer) = self.columns.get_mut(self.next) {
            if N > self.max_bytes.saturating_sub(self.content) {
                return Err(too_many_bytes(&self.limits));
            }
            buffer.data.extend_from_slice(&bytes);
            if !buffer.bitmap.is_empty() {
                buffer.mark(self.rows, true);
            }
            self.content += N;
        }
        self.advance();
        Ok(())
    }

    #[inline]
    const fn advance(&mut self) {
        self.next += 1;
        if self.next == self.columns.len() {
            self.next = 0;
            self.rows += 1;
        }
    }

    /// How many rows are complete.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many bytes the values have so far; a little less than the page.
    #[must_use]
    pub const fn content(&self) -> usize {
        self.content
    }

    /// How many bytes the page would have now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layout().length
    }

    /// The page.
    ///
    /// # Errors
    /// `ResultTooLarge` when all of it is longer than the limits; `InvalidPage` for more columns or
    /// a longer name than the format has room for; `Internal` for an incomplete row.
    pub fn finish(self) -> Result<Page> {
        self.assemble()
    }

    /// As [`PageBuilder::finish`], and keeps the buffers for the next page.
    ///
    /// # Errors
    /// As [`PageBuilder::finish`].
    pub fn finish_reusing(self, scratch: &mut Scratch) -> Result<Page> {
        let page = self.assemble();
        for buffer in self.columns {
            scratch.give(buffer.data);
            scratch.give(buffer.heap);
        }
        page
    }

    fn assemble(&self) -> Result<Page> {
        if self.next != 0 {
            return Err(Error::new(ErrorKind::Internal, "page", "the last row is incomplete")
                .with("row", self.rows)
                .with("column", self.next));
        }
        let column_count = u16::try_from(self.columns.len()).map_err(|_| {
            let message = format!("{} columns, the most is {}", self.columns.len(), u16::MAX);
            Error::new(ErrorKind::InvalidPage, "page", message)
        })?;
        let Layout { columns, length } = self.layout();
        if length > self.max_bytes {
            return Err(too_many_bytes(&self.limits));
        }

        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&MAGIC.to_le_bytes());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&column_count.to_le_bytes());
        put_u32(&mut bytes, self.rows)?;
        put_u32(&mut bytes, length)?;
        for (buffer, column) in self.columns.iter().zip(&columns) {
            let name_len = u16::try_from(buffer.column.name.len()).map_err(|_| {
                let message = format!(
                    "a column's name has {} bytes, the most is {}",
                    buffer.column.name.len(),
                    u16::MAX
                );
                Error::new(ErrorKind::InvalidPage, "page", message)
            })?;
            bytes.push(buffer.column.value_type.code());
            bytes.push(column.bitmap.is_some().into());
            bytes.extend_from_slice(&name_len.to_le_bytes());
            put_u32(&mut bytes, column.name.offset)?;
            put_u32(&mut bytes, column.bitmap.unwrap_or(0))?;
            put_u32(&mut bytes, column.data)?;
            put_u32(&mut bytes, buffer.data.len())?;
            put_u32(&mut bytes, column.heap.offset)?;
            put_u32(&mut bytes, column.heap.length)?;
            put_u32(&mut bytes, 0)?;
        }
        for buffer in &self.columns {
            bytes.extend_from_slice(buffer.column.name.as_bytes());
        }
        for (buffer, column) in self.columns.iter().zip(&columns) {
            if column.bitmap.is_some() {
                put_section(&mut bytes, &buffer.bitmap);
            }
            put_section(&mut bytes, &buffer.data);
            if buffer.is_heap() {
                put_section(&mut bytes, &buffer.heap);
            }
        }
        Ok(Page { bytes, rows: self.rows, columns })
    }

    /// The error for a value that the next column did not take.
    #[cold]
    fn refuse(&self, refusal: Refusal) -> Error {
        let column = self.columns.get(self.next).map(|buffer| &buffer.column);
        match (refusal, column) {
            (Refusal::Value(problem), Some(column)) => {
                let value_type = column.value_type.name();
                let message = format!("a column of type {value_type} cannot hold {problem}");
                Error::new(ErrorKind::InvalidValue, "page", message)
                    .with("row", self.rows)
                    .with("column", column.name.escape_debug())
                    .with("type", value_type)
            }
            _ => too_many_bytes(&self.limits),
        }
    }

    /// Where everything will lie.
    fn layout(&self) -> Layout {
        let mut at = HEADER_BYTES + self.columns.len() * DESCRIPTOR_BYTES;
        let mut names = Vec::with_capacity(self.columns.len());
        for buffer in &self.columns {
            let length = buffer.column.name.len();
            names.push(if length == 0 {
                Section::default()
            } else {
                Section { offset: at, length }
            });
            at += length;
        }
        let mut place = |length: usize| {
            let offset = at.next_multiple_of(ALIGNMENT);
            at = offset + length;
            Section { offset, length }
        };
        let columns = self
            .columns
            .iter()
            .zip(names)
            .map(|(buffer, name)| {
                let nulls = !buffer.bitmap.is_empty();
                Column {
                    value_type: buffer.column.value_type,
                    name,
                    bitmap: nulls.then(|| place(buffer.bitmap.len()).offset),
                    nulls,
                    data: place(buffer.data.len()).offset,
                    heap: if buffer.is_heap() {
                        place(buffer.heap.len())
                    } else {
                        Section::default()
                    },
                }
            })
            .collect();
        Layout { columns, length: at }
    }
}

struct Layout {
    columns: Vec<Column>,
    length: usize,
}

/// Why a value was not taken.
enum Refusal {
    Room,
    /// What it is.
    Value(&'static str),
}

impl Buffer {
    fn new(column: PageColumn, scratch: &mut Scratch) -> Self {
        let mut data = scratch.take();
        let mut heap = Vec::new();
        if column.value_type.fixed_width().is_none() {
            heap = scratch.take();
            // A column of offsets begins with the first value's 0.
            data.extend_from_slice(&[0; 4]);
        }
        let number = Number::of(column.value_type);
        Self { column, number, bitmap: Vec::new(), data, heap }
    }

    const fn is_heap(&self) -> bool {
        self.column.value_type.fixed_width().is_none()
    }

    /// Takes a value of at most `room` bytes and tells how many it took.
    #[inline]
    fn push(&mut self, row: usize, value: ValueRef<'_>, room: usize) -> Result<usize, Refusal> {
        let bytes = match (self.column.value_type, value) {
            (_, ValueRef::Null) => return self.null(row, room),
            (ValueType::Boolean, ValueRef::Boolean(value)) => self.fixed([value.into()], room)?,
            (ValueType::TinyInt, ValueRef::Integer(value)) => {
                self.fixed(i8::try_from(value).map_err(|_| OUTSIDE)?.to_le_bytes(), room)?
            }
            (ValueType::SmallInt, ValueRef::Integer(value)) => {
                self.fixed(i16::try_from(value).map_err(|_| OUTSIDE)?.to_le_bytes(), room)?
            }
            (ValueType::Int | ValueType::Date, ValueRef::Integer(value)) => {
                self.fixed(i32::try_from(value).map_err(|_| OUTSIDE)?.to_le_bytes(), room)?
            }
            (ValueType::TimeOfDay, ValueRef::Integer(value))
                if !(0..MICROS_PER_DAY).contains(&value) =>
            {
                return Err(OUTSIDE);
            }
            (
                ValueType::BigInt
                | ValueType::TimeOfDay
                | ValueType::Timestamp
                | ValueType::Timespan,
                ValueRef::Integer(value),
            ) => self.fixed(value.to_le_bytes(), room)?,
            (ValueType::Float, ValueRef::Float(value)) => self.fixed(value.to_le_bytes(), room)?,
            (ValueType::Double, ValueRef::Double(value)) => {
                self.fixed(value.to_le_bytes(), room)?
            }
            (ValueType::Uuid, ValueRef::Uuid(value)) => self.fixed(value, room)?,
            (
                ValueType::Decimal | ValueType::String | ValueType::Text | ValueType::Json,
                ValueRef::Text(value),
            ) => self.heap(value.as_bytes(), room)?,
            (
                ValueType::Bytes
                | ValueType::Item
                | ValueType::Location
                | ValueType::Nbt
                | ValueType::Object,
                ValueRef::Bytes(value),
            ) => self.heap(value, room)?,
            (_, value) => return Err(Refusal::Value(shape(value))),
        };
        if !self.bitmap.is_empty() {
            self.mark(row, true);
        }
        Ok(bytes)
    }

    #[inline]
    fn fixed<const N: usize>(&mut self, value: [u8; N], room: usize) -> Result<usize, Refusal> {
        if N > room {
            return Err(Refusal::Room);
        }
        self.data.extend_from_slice(&value);
        Ok(N)
    }

    #[inline]
    fn heap(&mut self, value: &[u8], room: usize) -> Result<usize, Refusal> {
        let bytes = value.len().saturating_add(4);
        if bytes > room {
            return Err(Refusal::Room);
        }
        self.heap.extend_from_slice(value);
        let end = u32::try_from(self.heap.len()).map_err(|_| Refusal::Room)?;
        self.data.extend_from_slice(&end.to_le_bytes());
        Ok(bytes)
    }

    fn null(&mut self, row: usize, room: usize) -> Result<usize, Refusal> {
        let bytes = match self.column.value_type.fixed_width() {
            None => self.heap(&[], room)?,
            Some(width) if width > room => return Err(Refusal::Room),
            Some(width) => {
                self.data.resize(self.data.len() + width, 0);
                width
            }
        };
        if self.bitmap.is_empty() {
            // Every row before the first null has a value.
            self.bitmap.resize(row / 8, u8::MAX);
            self.bitmap.push(((1_u16 << (row % 8)) - 1) as u8);
        } else {
            self.mark(row, false);
        }
        Ok(bytes)
    }

    #[inline]
    fn mark(&mut self, row: usize, present: bool) {
        if row.is_multiple_of(8) {
            self.bitmap.push(0);
        }
        if let Some(last) = self.bitmap.last_mut() {
            *last |= u8::from(present) << (row % 8);
        }
    }
}

const OUTSIDE: Refusal = Refusal::Value("a number outside of its range");

const fn shape(value: ValueRef<'_>) -> &'static str {
    match value {
        ValueRef::Null => "null",
        ValueRef::Boolean(_) => "a boolean",
        ValueRef::Integer(_) => "an integer",
        ValueRef::Float(_) => "a float",
        ValueRef::Double(_) => "a double",
        ValueRef::Uuid(_) => "a uuid",
        ValueRef::Text(_) => "text",
        ValueRef::Bytes(_) => "bytes",
    }
}

#[cold]
fn too_many_rows(limits: &ResultLimits) -> Error {
    let message = format!(
        "the result has more than {} rows, and nothing of it was kept; ask for fewer with a limit or a filter, or raise max-result-rows",
        limits.max_rows
    );
    Error::new(ErrorKind::ResultTooLarge, "page", message).with("max_rows", limits.max_rows)
}

#[cold]
fn too_many_bytes(limits: &ResultLimits) -> Error {
    let (limit, way) = if limits.max_bytes < MAX_PAGE_BYTES {
        (limits.max_bytes, ", or raise max-result-bytes")
    } else {
        (MAX_PAGE_BYTES, "; that is the most of any page")
    };
    let message = format!(
        "the result has more than {limit} bytes, and nothing of it was kept; ask for fewer rows or columns{way}"
    );
    Error::new(ErrorKind::ResultTooLarge, "page", message).with("max_bytes", limit)
}

fn put_u32(bytes: &mut Vec<u8>, value: usize) -> Result<()> {
    // Cannot fail: the page's length was checked. Kept total all the same.
    let value = u32::try_from(value)
        .map_err(|_| Error::new(ErrorKind::Internal, "page", "a position past 32 bits"))?;
    bytes.extend_from_slice(&value.to_le_bytes());
    Ok(())
}

fn put_section(bytes: &mut Vec<u8>, section: &[u8]) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    bytes.extend_from_slice(section);
}
