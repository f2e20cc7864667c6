//! Changes at random, and what they mean without a database: rows in a map by their key. Test threads
//! only.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tickwell_engine::statement::Filter;

use crate::filters::{self, Row};

/// The rows of a table by their key.
pub(crate) type Table = BTreeMap<i64, Row>;

/// One change of a table.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Rows whose key is taken are left out.
    IfAbsent(Vec<(i64, Row)>),
    /// Rows whose key is taken overwrite both columns, or `a` alone.
    Upsert(Vec<(i64, Row)>, bool),
    /// Sets `a` to a parameter, or adds the parameter to it.
    Update { adds: bool, parameter: u16, filter: Filter, limit: Option<u32> },
    /// Deletes.
    Delete { filter: Filter, limit: Option<u32> },
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let row = || {
        let value = || prop::option::weighted(0.8, 0_i64..6);
        (0_i64..12, value(), value()).prop_map(|(id, a, b)| (id, Row { a, b }))
    };
    let rows = move || prop::collection::vec(row(), 0..8);
    let limit = || prop::option::of(0_u32..4);
    let step = prop_oneof![
        rows().prop_map(Step::IfAbsent),
        (rows(), any::<bool>()).prop_map(|(rows, only_a)| Step::Upsert(rows, only_a)),
        (any::<bool>(), 0..filters::PARAMETERS, filters::filters(), limit()).prop_map(
            |(adds, parameter, filter, limit)| Step::Update { adds, parameter, filter, limit }
        ),
        (filters::filters(), limit()).prop_map(|(filter, limit)| Step::Delete { filter, limit }),
    ];
    prop::collection::vec(step, 1..10)
}

/// Makes the change; gives how many rows it affects, or `None` when it is refused because its filter
/// has a group of nothing.
pub(crate) fn apply(table: &mut Table, step: &Step, parameters: &[i64]) -> Option<u64> {
    let chosen = |table: &Table, filter: &Filter, limit: Option<u32>| -> Vec<i64> {
        let chosen = table
            .iter()
            .filter(|(_, row)| filters::chooses(filter, row, parameters) == Some(true))
            .map(|(&id, _)| id);
        chosen.take(limit.map_or(usize::MAX, |limit| limit as usize)).collect()
    };
    match step {
        Step::IfAbsent(rows) => {
            let before = table.len();
            for (id, row) in rows {
                table.entry(*id).or_insert_with(|| row.clone());
            }
            Some((table.len() - before) as u64)
        }
        Step::Upsert(rows, only_a) => {
            let last: Table = rows.iter().cloned().collect();
            let count = last.len() as u64;
            for (id, row) in last {
                match table.get_mut(&id) {
                    Some(stored) if *only_a => stored.a = row.a,
                    _ => {
                        table.insert(id, row);
                    }
                }
            }
            Some(count)
        }
        Step::Update { filter, .. } | Step::Delete { filter, .. } if has_empty_group(filter) => {
            None
        }
        Step::Update { adds, parameter, filter, limit } => {
            let ids = chosen(table, filter, *limit);
            let value = parameters[usize::from(*parameter)];
            for id in &ids {
                let Some(row) = table.get_mut(id) else { continue };
                row.a = if *adds { row.a.map(|a| a + value) } else { Some(value) };
            }
            Some(ids.len() as u64)
        }
        Step::Delete { filter, limit } => {
            let ids = chosen(table, filter, *limit);
            table.retain(|id, _| !ids.contains(id));
            Some(ids.len() as u64)
        }
    }
}

fn has_empty_group(filter: &Filter) -> bool {
    match filter {
        Filter::And(filters) | Filter::Or(filters) => {
            filters.is_empty() || filters.iter().any(has_empty_group)
        }
        Filter::Not(filter) => has_empty_group(filter),
        _ => false,
    }
}
