//! Sums as their types have them. SQLite's own turn an integer that no longer fits into a real number,
//! know no width but 64 bits, and end in null where real numbers have no sum. Runs inside of statements,
//! on the thread of the connection.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::ffi;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef as Stored};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::map;

/// `tickwell_add(value, addend, type code, place)`: null where the value is null.
pub(crate) const ADD: &str = "tickwell_add";
/// `tickwell_sum(value, type code, place)`: null without values.
pub(crate) const SUM: &str = "tickwell_sum";
/// `tickwell_average(value, type code, place)`: null without values.
pub(crate) const AVERAGE: &str = "tickwell_average";

/// Why a statement with these functions ended.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The place that the statement gave the function.
    pub(crate) place: usize,
    pub(crate) problem: String,
}

/// Where the functions of a connection leave why they refused a value: SQLite passes on text only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Failures(Arc<Mutex<Option<Failure>>>);

impl Failures {
    /// Takes out what a function left.
    pub(crate) fn take(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn refuse(&self, place: usize, problem: String) -> rusqlite::Error {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Failure { place, problem });
        failed()
    }
}

/// Ends the statement, with the code that SQLite keeps for functions.
fn failed() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CONSTRAINT_FUNCTION), None)
}

/// Gives the connection the functions.
pub(crate) fn register(
    connection: &rusqlite::Connection,
    failures: &Failures,
) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let refusals = failures.clone();
    connection.create_scalar_function(ADD, 4, flags, move |context| {
        let (value_type, place) = (value_type(context, 2)?, place(context, 3)?);
        let (value, addend) = (context.get_raw(0), context.get_raw(1));
        add(value_type, value, addend).map_err(|problem| refusals.refuse(place, problem))
    })?;
    for (name, average) in [(SUM, false), (AVERAGE, true)] {
        let totals = Totals { failures: failures.clone(), average };
        connection.create_aggregate_function(name, 3, flags, totals)?;
    }
    Ok(())
}

fn value_type(context: &Context<'_>, index: usize) -> rusqlite::Result<ValueType> {
    ValueType::from_code(context.get(index)?).ok_or_else(failed)
}

fn place(context: &Context<'_>, index: usize) -> rusqlite::Result<usize> {
    context.get::<i64>(index).and_then(|place| usize::try_from(place).map_err(|_| failed()))
}

fn add(value_type: ValueType, value: Stored<'_>, addend: Stored<'_>) -> Result<Value, String> {
    match (map::read(value_type, value).map_err(|stored| mismatch(value_type, &stored))?, addend) {
        (ValueRef::Null, _) => Ok(Value::Null),
        (ValueRef::Integer(value), Stored::Integer(addend)) => {
            let (least, greatest) = value_type.integer_range().unwrap_or((i64::MIN, i64::MAX));
            value
                .checked_add(addend)
                .filter(|sum| (least..=greatest).contains(sum))
                .map(Value::Integer)
                .ok_or_else(|| {
                    format!(
                        "the sum is outside of the range of {}, {least} to {greatest}; nothing was changed",
                        value_type.name()
                    )
                })
        }
        (ValueRef::Float(value), Stored::Real(addend)) => {
            real(f64::from((f64::from(value) + addend) as f32))
        }
        (ValueRef::Double(value), Stored::Real(addend)) => real(value + addend),
        (_, addend) => Err(mismatch(value_type, map::stored_name(addend))),
    }
}

fn real(sum: f64) -> Result<Value, String> {
    if sum.is_nan() {
        return Err("infinities of both signs have no sum".to_owned());
    }
    Ok(Value::Real(sum))
}

fn mismatch(value_type: ValueType, stored: &str) -> String {
    format!(
        "the column is {} but the database holds {stored}; correct the stored value",
        value_type.name()
    )
}

/// The sum and the average.
struct Totals {
    failures: Failures,
    average: bool,
}

#[derive(Default)]
struct Total {
    place: usize,
    values: u64,
    /// Wide enough for as many integers as there can be rows.
    integers: i128,
    reals: Reals,
    real: bool,
}

impl Aggregate<Total, Value> for Totals {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Total> {
        Ok(Total::default())
    }

    fn step(&self, row: &mut Context<'_>, total: &mut Total) -> rusqlite::Result<()> {
        let value_type = value_type(row, 1)?;
        total.place = place(row, 2)?;
        let refuse =
            |stored: &str| Err(self.failures.refuse(total.place, mismatch(value_type, stored)));
        let value = row.get_raw(0);
        match map::read(value_type, value) {
            Ok(ValueRef::Null) => return Ok(()),
            Ok(ValueRef::Integer(value)) => total.integers += i128::from(value),
            Ok(ValueRef::Float(value)) => total.reals.add(value.into()),
            Ok(ValueRef::Double(value)) => total.reals.add(value),
            Ok(_) => return refuse(map::stored_name(value)),
            Err(stored) => return refuse(&stored),
        }
        total.real = matches!(value, Stored::Real(_));
        total.values += 1;
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, total: Option<Total>) -> rusqlite::Result<Value> {
        let Some(total) = total.filter(|total| total.values > 0) else { return Ok(Value::Null) };
        let sum = if total.real {
            real(total.reals.sum())
        } else if self.average {
            Ok(Value::Real(total.integers as f64))
        } else {
            i64::try_from(total.integers).map(Value::Integer).map_err(|_| {
                "the sum is past 64 bits; add the values in parts, or as doubles with raw SQL"
                    .to_owned()
            })
        };
        match sum {
            Ok(Value::Real(sum)) if self.average => Ok(Value::Real(sum / total.values as f64)),
            Ok(sum) => Ok(sum),
            Err(problem) => Err(self.failures.refuse(total.place, problem)),
        }
    }
}

/// A sum of real numbers that keeps what each addition rounds off (Neumaier 1974).
#[derive(Debug, Default)]
struct Reals {
    sum: f64,
    lost: f64,
}

impl Reals {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    fn sum(&self) -> f64 {
        // Beside an infinity what was lost is no number.
        if self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_in_the_range_of_their_type() {
        let add = |value_type, value, addend| {
            super::add(value_type, Stored::Integer(value), Stored::Integer(addend))
        };
        assert_eq!(add(ValueType::TinyInt, 100, 27), Ok(Value::Integer(127)));
        assert_eq!(add(ValueType::TinyInt, -100, 227), Ok(Value::Integer(127)));
        assert!(add(ValueType::TinyInt, 100, 28).is_err());
        assert!(add(ValueType::SmallInt, i64::from(i16::MIN), -1).is_err());
        assert!(add(ValueType::Int, i64::from(i32::MAX), 1).is_err());
        assert_eq!(add(ValueType::BigInt, i64::MAX - 1, 1), Ok(Value::Integer(i64::MAX)));
        assert!(add(ValueType::BigInt, i64::MAX, 1).is_err());
        assert!(add(ValueType::BigInt, i64::MIN, -1).is_err());
    }

    #[test]
    fn real_sums_are_rounded_once_and_never_no_number() {
        let sum = |values: &[f64]| {
            let mut reals = Reals::default();
            values.iter().for_each(|&value| reals.add(value));
            reals.sum()
        };
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[1.0, f64::INFINITY, 1.0]), f64::INFINITY);
        assert!(real(sum(&[f64::INFINITY, 1.0, f64::NEG_INFINITY])).is_err());
        let (third, float) = (Stored::Real(f64::from(0.1_f32)), ValueType::Float);
        assert_eq!(add(float, third, third), Ok(Value::Real(f64::from(0.2_f32))));
        assert_eq!(add(float, Stored::Null, third), Ok(Value::Null));
        assert!(add(float, Stored::Text(b"x"), third).is_err());
    }
}
