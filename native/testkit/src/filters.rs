//! Filters at random, and what they mean without a database: logic of three values, in which a
//! comparison with a column that is null is neither true nor false. Test threads only.

use proptest::prelude::*;
use tickwell_engine::statement::{Comparison, Filter};

/// How many parameters the filters may name; each is a number from 0 to 5.
pub(crate) const PARAMETERS: u16 = 6;

/// A row of the columns that the filters name.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) a: Option<i64>,
    pub(crate) b: Option<i64>,
}

pub(crate) fn rows() -> impl Strategy<Value = Vec<Row>> {
    let value = || prop::option::weighted(0.8, 0_i64..6);
    prop::collection::vec((value(), value()).prop_map(|(a, b)| Row { a, b }), 0..12)
}

pub(crate) fn filters() -> impl Strategy<Value = Filter> {
    let column = || prop::sample::select(vec!["a".to_owned(), "b".to_owned()]);
    let parameter = || 0..PARAMETERS;
    let comparison = prop::sample::select(vec![
        Comparison::Eq,
        Comparison::Ne,
        Comparison::Lt,
        Comparison::Le,
        Comparison::Gt,
        Comparison::Ge,
    ]);
    let leaf = prop_oneof![
        4 => (column(), comparison, parameter()).prop_map(|(column, comparison, parameter)| {
            Filter::Compare { column, comparison, parameter }
        }),
        2 => (column(), parameter(), parameter())
            .prop_map(|(column, low, high)| Filter::Between { column, low, high }),
        2 => (column(), prop::collection::vec(parameter(), 0..4))
            .prop_map(|(column, parameters)| Filter::In { column, parameters }),
        1 => column().prop_map(|column| Filter::IsNull { column }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|filter| Filter::Not(Box::new(filter))),
        ]
    })
}

/// Whether a row is chosen: true, false, or neither. Parameter *n* has the value `parameters[n]`.
pub(crate) fn chooses(filter: &Filter, row: &Row, parameters: &[i64]) -> Option<bool> {
    let value = |column: &str| if column == "a" { row.a } else { row.b };
    let parameter = |position: u16| parameters[usize::from(position)];
    match filter {
        Filter::And(filters) => all(filters.iter().map(|f| chooses(f, row, parameters))),
        // Not all are not.
        Filter::Or(filters) => {
            all(filters.iter().map(|f| chooses(f, row, parameters).map(|is| !is))).map(|is| !is)
        }
        Filter::Not(filter) => chooses(filter, row, parameters).map(|is| !is),
        Filter::Compare { column, comparison, parameter: position } => {
            let (left, right) = (value(column)?, parameter(*position));
            Some(match comparison {
                Comparison::Eq => left == right,
                Comparison::Ne => left != right,
                Comparison::Lt => left < right,
                Comparison::Le => left <= right,
                Comparison::Gt => left > right,
                Comparison::Ge => left >= right,
            })
        }
        Filter::Between { column, low, high } => {
            value(column).map(|value| (parameter(*low)..=parameter(*high)).contains(&value))
        }
        Filter::In { parameters: positions, .. } if positions.is_empty() => Some(false),
        Filter::In { column, parameters: positions } => {
            value(column).map(|value| positions.iter().any(|&p| parameter(p) == value))
        }
        Filter::IsNull { column } => Some(value(column).is_none()),
        Filter::Like { .. } => unreachable!("like is not among the random filters"),
    }
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}
