//! The types of values that cross the boundary and are stored, and one borrowed value of any type.
//! Plain data without threads or ownership of its own.

/// The type of a column. The number is the type code of the page format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueType {
    /// One byte, 0 or 1.
    Boolean = 1,
    /// Signed 8 bits.
    TinyInt = 2,
    /// Signed 16 bits.
    SmallInt = 3,
    /// Signed 32 bits.
    Int = 4,
    /// Signed 64 bits.
    BigInt = 5,
    /// IEEE 754, 32 bits.
    Float = 6,
    /// IEEE 754, 64 bits.
    Double = 7,
    /// An exact decimal with its scale, as plain text: `-?digits[.digits]`, no exponent.
    Decimal = 8,
    /// Text of at most `n` code points.
    String = 9,
    /// Text of any length.
    Text = 10,
    /// Bytes of any length.
    Bytes = 11,
    /// 128 bits, in the order of RFC 9562 (most significant byte first).
    Uuid = 12,
    /// Days since 1970-01-01, signed 32 bits.
    Date = 13,
    /// Microseconds since midnight, 0 up to 86,399,999,999.
    TimeOfDay = 14,
    /// Microseconds since 1970-01-01T00:00:00Z, signed 64 bits.
    Timestamp = 15,
    /// Nanoseconds, signed 64 bits (about 292 years either way).
    Timespan = 16,
    /// A JSON document as text.
    Json = 17,
    /// An item in the server's own versioned bytes.
    Item = 18,
    /// A location: world id, world name and position (see `docs/page-format.md`).
    Location = 19,
    /// Binary NBT.
    Nbt = 20,
    /// Bytes of a type that a plugin's codec reads and writes.
    Object = 21,
}

impl ValueType {
    /// Every type, in the order of the codes.
    pub const ALL: &'static [ValueType] = &[
        Self::Boolean,
        Self::TinyInt,
        Self::SmallInt,
        Self::Int,
        Self::BigInt,
        Self::Float,
        Self::Double,
        Self::Decimal,
        Self::String,
        Self::Text,
        Self::Bytes,
        Self::Uuid,
        Self::Date,
        Self::TimeOfDay,
        Self::Timestamp,
        Self::Timespan,
        Self::Json,
        Self::Item,
        Self::Location,
        Self::Nbt,
        Self::Object,
    ];

    /// The type with this code, if there is one.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The code in a page.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The width of one value in bytes, or `None` for a type whose values lie in the heap.
    #[must_use]
    pub const fn fixed_width(self) -> Option<usize> {
        match self {
            Self::Boolean | Self::TinyInt => Some(1),
            Self::SmallInt => Some(2),
            Self::Int | Self::Float | Self::Date => Some(4),
            Self::BigInt | Self::Double | Self::TimeOfDay | Self::Timestamp | Self::Timespan => {
                Some(8)
            }
            Self::Uuid => Some(16),
            Self::Decimal
            | Self::String
            | Self::Text
            | Self::Bytes
            | Self::Json
            | Self::Item
            | Self::Location
            | Self::Nbt
            | Self::Object => None,
        }
    }

    /// Whether the heap of such a column must be valid UTF-8.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Decimal | Self::String | Self::Text | Self::Json)
    }

    /// Whether it is one of the four widths of integers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::TinyInt | Self::SmallInt | Self::Int | Self::BigInt)
    }

    /// Whether its values are numbers that can be added.
    #[must_use]
    pub const fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Self::Float | Self::Double | Self::Decimal)
    }

    /// Whether less and greater mean something for its values.
    #[must_use]
    pub const fn is_ordered(self) -> bool {
        !matches!(self, Self::Json | Self::Item | Self::Location | Self::Nbt | Self::Object)
    }

    /// The least and the greatest value of an integer type; `None` for every other type.
    #[must_use]
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        match self {
            Self::TinyInt => Some((i8::MIN as i64, i8::MAX as i64)),
            Self::SmallInt => Some((i16::MIN as i64, i16::MAX as i64)),
            Self::Int => Some((i32::MIN as i64, i32::MAX as i64)),
            Self::BigInt => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }

    /// The name used in messages and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::TinyInt => "tinyint",
            Self::SmallInt => "smallint",
            Self::Int => "int",
            Self::BigInt => "bigint",
            Self::Float => "float",
            Self::Double => "double",
            Self::Decimal => "decimal",
            Self::String => "string",
            Self::Text => "text",
            Self::Bytes => "bytes",
            Self::Uuid => "uuid",
            Self::Date => "date",
            Self::TimeOfDay => "time_of_day",
            Self::Timestamp => "timestamp",
            Self::Timespan => "timespan",
            Self::Json => "json",
            Self::Item => "item",
            Self::Location => "location",
            Self::Nbt => "nbt",
            Self::Object => "object",
        }
    }
}

/// One value, borrowed from a page or a database row, by the shape in which it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueRef<'a> {
    /// No value.
    Null,
    /// `boolean`.
    Boolean(bool),
    /// `tinyint`, `smallint`, `int`, `bigint`, `date`, `time_of_day`, `timestamp`, `timespan`.
    Integer(i64),
    /// `float`, widened where a database has one width only.
    Float(f32),
    /// `double`.
    Double(f64),
    /// `uuid`.
    Uuid([u8; 16]),
    /// `decimal`, `string`, `text`, `json`.
    Text(&'a str),
    /// `bytes`, `item`, `location`, `nbt`, `object`.
    Bytes(&'a [u8]),
}

impl ValueRef<'_> {
    /// Whether there is no value.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

/// The first number of microseconds that is no time of a day.
pub const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Whether a text is a `decimal`: `-?digits[.digits]`.
#[must_use]
pub fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_round_trip() {
        for (index, value_type) in ValueType::ALL.iter().enumerate() {
            assert_eq!(usize::from(value_type.code()), index + 1);
            assert_eq!(ValueType::from_code(value_type.code()), Some(*value_type));
        }
        assert_eq!(ValueType::from_code(0), None);
        assert_eq!(ValueType::from_code(22), None);
    }
}
