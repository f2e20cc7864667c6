//! Owned values and pages made of them.

use proptest::prelude::*;
use tickwell_engine::backend::{Limits, ResultLimits};
use tickwell_engine::page::{MAX_PAGE_BYTES, Page, PageBuilder, PageColumn};
use tickwell_engine::statement::placeholder::Dialect;
use tickwell_engine::value::{ValueRef, ValueType};

/// No limit but the format's.
pub const UNLIMITED: ResultLimits =
    ResultLimits { max_rows: usize::MAX, max_bytes: MAX_PAGE_BYTES };

/// A value that owns its bytes.
#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f32),
    Double(f64),
    Uuid([u8; 16]),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Boolean(value) => ValueRef::Boolean(*value),
            Self::Integer(value) => ValueRef::Integer(*value),
            Self::Float(value) => ValueRef::Float(*value),
            Self::Double(value) => ValueRef::Double(*value),
            Self::Uuid(value) => ValueRef::Uuid(*value),
            Self::Text(value) => ValueRef::Text(value),
            Self::Bytes(value) => ValueRef::Bytes(value),
        }
    }
}

/// Equal to the last bit, so that NaN is itself and 0.0 is not -0.0.
pub fn same(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    match (a, b) {
        (ValueRef::Float(a), ValueRef::Float(b)) => a.to_bits() == b.to_bits(),
        (ValueRef::Double(a), ValueRef::Double(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}

pub fn columns(columns: &[(&str, ValueType)]) -> Vec<PageColumn> {
    columns
        .iter()
        .map(|&(name, value_type)| PageColumn { name: name.to_owned(), value_type })
        .collect()
}

pub fn page(columns: Vec<PageColumn>, rows: &[Vec<Value>]) -> Page {
    let mut builder = PageBuilder::new(columns, UNLIMITED);
    for value in rows.iter().flatten() {
        builder.push(value.as_ref()).unwrap();
    }
    builder.finish().unwrap()
}

/// Limits that refuse and split nothing.
pub fn generous() -> Limits {
    Limits {
        max_bound_values: 30_000,
        fast_chunk_rows: usize::MAX,
        max_packet_bytes: usize::MAX,
        keeps_nan: true,
        keeps_nul_in_text: true,
        dialect: Dialect::SQLITE,
    }
}

pub fn any_type() -> impl Strategy<Value = ValueType> {
    proptest::sample::select(ValueType::ALL)
}

/// A value of a type, null one time in five.
pub fn any_value(value_type: ValueType) -> BoxedStrategy<Value> {
    let integer = |least: i64, greatest: i64| (least..=greatest).prop_map(Value::Integer).boxed();
    let value = match value_type {
        ValueType::Boolean => any::<bool>().prop_map(Value::Boolean).boxed(),
        ValueType::TinyInt => integer(i8::MIN.into(), i8::MAX.into()),
        ValueType::SmallInt => integer(i16::MIN.into(), i16::MAX.into()),
        ValueType::Int | ValueType::Date => integer(i32::MIN.into(), i32::MAX.into()),
        ValueType::BigInt | ValueType::Timestamp | ValueType::Timespan => {
            integer(i64::MIN, i64::MAX)
        }
        ValueType::TimeOfDay => integer(0, 86_399_999_999),
        ValueType::Float => {
            any::<u32>().prop_map(|bits| Value::Float(f32::from_bits(bits))).boxed()
        }
        ValueType::Double => {
            any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))).boxed()
        }
        ValueType::Uuid => any::<[u8; 16]>().prop_map(Value::Uuid).boxed(),
        ValueType::Decimal | ValueType::String | ValueType::Text | ValueType::Json => {
            proptest::collection::vec(any::<char>(), 0..12)
                .prop_map(|chars| Value::Text(chars.into_iter().collect()))
                .boxed()
        }
        ValueType::Bytes
        | ValueType::Item
        | ValueType::Location
        | ValueType::Nbt
        | ValueType::Object => {
            proptest::collection::vec(any::<u8>(), 0..24).prop_map(Value::Bytes).boxed()
        }
    };
    prop_oneof![1 => Just(Value::Null), 4 => value].boxed()
}

/// Columns and rows of values that fit them.
pub fn any_rows() -> impl Strategy<Value = (Vec<PageColumn>, Vec<Vec<Value>>)> {
    let column = (proptest::collection::vec(any::<char>(), 0..6), any_type())
        .prop_map(|(name, value_type)| PageColumn { name: name.into_iter().collect(), value_type });
    (proptest::collection::vec(column, 1..7), 0_usize..20).prop_flat_map(|(columns, rows)| {
        let row: Vec<_> = columns.iter().map(|column| any_value(column.value_type)).collect();
        (Just(columns), proptest::collection::vec(row, rows))
    })
}
