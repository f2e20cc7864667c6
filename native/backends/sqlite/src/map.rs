//! Values to and from SQLite, strictly: what is stored must be of the column's type and range, or
//! it is an error with a name, never a silent conversion. Runs on the thread of the connection.

use rusqlite::Statement;
use rusqlite::types::{Null, Value, ValueRef as Stored};
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::value::{MICROS_PER_DAY, ValueRef, ValueType, is_decimal};

use crate::error::Site;

/// The greatest integer up to which every integer is a double: 2^53.
const MAX_EXACT_INTEGER: u64 = 1 << 53;

/// Why a value was not bound.
#[derive(Debug)]
pub(crate) enum Unbound {
    /// SQLite would store NULL in its place.
    Nan,
    /// SQLite refused it.
    Refused(rusqlite::Error),
}

impl Unbound {
    #[cold]
    pub(crate) fn error(self, site: Site<'_>) -> Error {
        match self {
            Self::Nan => site.fail(
                ErrorKind::InvalidValue,
                "NaN cannot be stored in SQLite; store null or another number",
            ),
            Self::Refused(error) => site.error(error),
        }
    }
}

/// Binds one value; `position` counts from 1. Inlined into the walk over a column, in which the shape
/// of the value is known.
#[inline(always)]
pub(crate) fn bind(
    statement: &mut Statement<'_>,
    position: usize,
    value: ValueRef<'_>,
) -> Result<(), Unbound> {
    let bound = match value {
        ValueRef::Null => statement.raw_bind_parameter(position, Null),
        ValueRef::Boolean(value) => statement.raw_bind_parameter(position, value),
        ValueRef::Integer(value) => statement.raw_bind_parameter(position, value),
        ValueRef::Float(value) if value.is_nan() => return Err(Unbound::Nan),
        ValueRef::Float(value) => statement.raw_bind_parameter(position, f64::from(value)),
        ValueRef::Double(value) if value.is_nan() => return Err(Unbound::Nan),
        ValueRef::Double(value) => statement.raw_bind_parameter(position, value),
        ValueRef::Uuid(value) => statement.raw_bind_parameter(position, value.as_slice()),
        ValueRef::Text(value) => statement.raw_bind_parameter(position, value),
        ValueRef::Bytes(value) => statement.raw_bind_parameter(position, value),
    };
    bound.map_err(Unbound::Refused)
}

/// What a stored value is called in messages.
pub(crate) const fn stored_name(value: Stored<'_>) -> &'static str {
    match value {
        Stored::Null => "null",
        Stored::Integer(_) => "an integer",
        Stored::Real(_) => "a real number",
        Stored::Text(_) => "text",
        Stored::Blob(_) => "a blob",
    }
}

/// A stored value as one of `value_type`, or why it is none.
#[inline]
pub(crate) fn read(value_type: ValueType, value: Stored<'_>) -> Result<ValueRef<'_>, String> {
    use ValueType as T;
    match (value_type, value) {
        (_, Stored::Null) => Ok(ValueRef::Null),
        (T::Boolean, Stored::Integer(value @ (0 | 1))) => Ok(ValueRef::Boolean(value == 1)),
        (
            T::TinyInt
            | T::SmallInt
            | T::Int
            | T::BigInt
            | T::Date
            | T::TimeOfDay
            | T::Timestamp
            | T::Timespan,
            Stored::Integer(value),
        ) if in_range(value_type, value) => Ok(ValueRef::Integer(value)),
        (T::Float, Stored::Real(value)) => {
            let narrow = value as f32;
            if f64::from(narrow) == value {
                Ok(ValueRef::Float(narrow))
            } else {
                Err("a real number that no 32-bit float is equal to".to_owned())
            }
        }
        (T::Double, Stored::Real(value)) => Ok(ValueRef::Double(value)),
        (T::Uuid, Stored::Blob(value)) => match value.try_into() {
            Ok(value) => Ok(ValueRef::Uuid(value)),
            Err(_) => Err(format!("a blob of {} bytes instead of 16", value.len())),
        },
        (T::Decimal | T::String | T::Text | T::Json, Stored::Text(value)) => {
            match std::str::from_utf8(value) {
                Ok(value) if value_type == T::Decimal && !is_decimal(value) => {
                    Err("text that is no plain decimal".to_owned())
                }
                Ok(value) => Ok(ValueRef::Text(value)),
                Err(error) => {
                    Err(format!("text that is not UTF-8 from byte {} on", error.valid_up_to()))
                }
            }
        }
        (T::Bytes | T::Item | T::Location | T::Nbt | T::Object, Stored::Blob(value)) => {
            Ok(ValueRef::Bytes(value))
        }
        (_, Stored::Integer(_)) if is_integer(value_type) => {
            Err("an integer outside of the type's range".to_owned())
        }
        (_, value) => Err(stored_name(value).to_owned()),
    }
}

/// The error for a stored value that is not of its column's type.
#[cold]
pub(crate) fn mismatch(
    site: Site<'_>,
    row: usize,
    column: &str,
    value_type: ValueType,
    stored: &str,
) -> Error {
    let message = format!(
        "the column is {} but the database holds {stored}; correct the stored value or read it with \
         raw SQL and a CAST",
        value_type.name()
    );
    site.fail(ErrorKind::InvalidValue, message)
        .with("row", row)
        .with("column", column)
        .with("type", value_type.name())
        .with("stored", stored)
}

const fn is_integer(value_type: ValueType) -> bool {
    use ValueType as T;
    matches!(
        value_type,
        T::Boolean
            | T::TinyInt
            | T::SmallInt
            | T::Int
            | T::BigInt
            | T::Date
            | T::TimeOfDay
            | T::Timestamp
            | T::Timespan
    )
}

fn in_range(value_type: ValueType, value: i64) -> bool {
    match value_type {
        ValueType::TinyInt => i8::try_from(value).is_ok(),
        ValueType::SmallInt => i16::try_from(value).is_ok(),
        ValueType::Int | ValueType::Date => i32::try_from(value).is_ok(),
        ValueType::TimeOfDay => (0..MICROS_PER_DAY).contains(&value),
        _ => true,
    }
}

/// The type of a column of raw SQL whose values are all known: the declared one when every value
/// fits it, else what the values have in common.
///
/// # Errors
/// What the values are when they have nothing in common.
pub(crate) fn type_by_values<'a>(
    declared: Option<ValueType>,
    values: impl Iterator<Item = &'a Value> + Clone,
) -> Result<ValueType, String> {
    if let Some(declared) = declared
        && values.clone().all(|value| read(declared, value.into()).is_ok())
    {
        return Ok(declared);
    }
    let (mut integers, mut inexact, mut reals, mut texts, mut blobs) =
        (false, false, false, false, false);
    for value in values {
        match value {
            Value::Null => {}
            Value::Integer(value) => {
                integers = true;
                inexact |= value.unsigned_abs() > MAX_EXACT_INTEGER;
            }
            Value::Real(_) => reals = true,
            Value::Text(_) => texts = true,
            Value::Blob(_) => blobs = true,
        }
    }
    match (integers, reals, texts, blobs) {
        (false, false, _, false) => Ok(ValueType::Text),
        (false, false, false, true) => Ok(ValueType::Bytes),
        (true, false, false, false) => Ok(ValueType::BigInt),
        (_, true, false, false) if !(integers && inexact) => Ok(ValueType::Double),
        (true, true, false, false) => {
            Err("real numbers and integers that no double is equal to".to_owned())
        }
        _ => {
            let kinds = [
                (integers, "integers"),
                (reals, "real numbers"),
                (texts, "text"),
                (blobs, "blobs"),
            ];
            let present: Vec<_> =
                kinds.iter().filter(|(present, _)| *present).map(|&(_, name)| name).collect();
            Err(present.join(" and "))
        }
    }
}

/// A value of raw SQL as one of the type that [`type_by_values`] found.
pub(crate) fn read_common(value_type: ValueType, value: &Value) -> Result<ValueRef<'_>, String> {
    match (value_type, value) {
        // Exact: `type_by_values` checked it.
        (ValueType::Double, Value::Integer(value)) => Ok(ValueRef::Double(*value as f64)),
        (_, value) => read(value_type, value.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_are_read_strictly() {
        use ValueType as T;
        assert_eq!(read(T::Boolean, Stored::Integer(1)), Ok(ValueRef::Boolean(true)));
        assert!(read(T::Boolean, Stored::Integer(2)).is_err());
        assert_eq!(read(T::TinyInt, Stored::Integer(-128)), Ok(ValueRef::Integer(-128)));
        assert!(read(T::TinyInt, Stored::Integer(128)).is_err());
        assert!(read(T::Int, Stored::Text(b"5")).is_err());
        assert!(read(T::TimeOfDay, Stored::Integer(86_400_000_000)).is_err());
        assert_eq!(read(T::Float, Stored::Real(0.5)), Ok(ValueRef::Float(0.5)));
        assert!(read(T::Float, Stored::Real(0.1)).is_err());
        assert!(read(T::Uuid, Stored::Blob(&[0; 15])).is_err());
        assert!(read(T::Text, Stored::Text(b"a\xff")).is_err());
        assert!(read(T::Text, Stored::Blob(b"a")).is_err());
        assert!(read(T::Decimal, Stored::Text(b"1e5")).is_err());
    }

    #[test]
    fn decimals_are_plain() {
        for good in ["0", "-0", "12", "-12.50", "00.1", "99999999999999999999999999999999999999.1"]
        {
            assert!(is_decimal(good), "{good}");
        }
        for bad in ["", "-", ".5", "5.", "+1", "1e3", "1.2.3", " 1", "١"] {
            assert!(!is_decimal(bad), "{bad}");
        }
    }

    #[test]
    fn raw_columns_get_the_type_that_their_values_share() {
        let by = |declared, values: &[Value]| type_by_values(declared, values.iter());
        let text = || Value::Text("a".to_owned());
        assert_eq!(by(None, &[]), Ok(ValueType::Text));
        assert_eq!(by(None, &[Value::Null]), Ok(ValueType::Text));
        assert_eq!(by(None, &[Value::Integer(1), Value::Null]), Ok(ValueType::BigInt));
        assert_eq!(by(None, &[Value::Integer(1), Value::Real(0.5)]), Ok(ValueType::Double));
        assert!(by(None, &[Value::Integer((1 << 53) + 1), Value::Real(0.5)]).is_err());
        assert_eq!(by(None, &[Value::Blob(vec![1])]), Ok(ValueType::Bytes));
        assert_eq!(by(None, &[Value::Integer(1), text()]), Err("integers and text".to_owned()));
        assert_eq!(by(Some(ValueType::Int), &[Value::Integer(1)]), Ok(ValueType::Int));
        assert_eq!(by(Some(ValueType::Int), &[Value::Integer(1 << 40)]), Ok(ValueType::BigInt));
        assert_eq!(by(Some(ValueType::Uuid), &[]), Ok(ValueType::Uuid));
    }
}
