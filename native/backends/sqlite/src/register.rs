//! Registering a table: creates it, or compares the live one with the definition and refuses it
//! with every difference named. Runs inside the writer's transaction, so a failure leaves nothing.

use rusqlite::{Connection, OptionalExtension, Row};
use tickwell_engine::backend::Counters;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::schema::{IndexDefinition, TableDefinition};
use tickwell_engine::value::ValueType;

use crate::dialect;
use crate::error::Site;

/// A table as the database has it.
struct Live {
    /// With the letters as they were written; SQLite takes small and capital ones for the same.
    name: String,
    kind: String,
    columns: Vec<LiveColumn>,
}

struct LiveColumn {
    name: String,
    declared: String,
    nullable: bool,
    /// The position in the primary key, from 1; 0 outside of it.
    key: usize,
    generated: bool,
}

struct LiveIndex {
    unique: bool,
    columns: Vec<String>,
}

/// Creates the table and its indexes as far as they are absent. `error` makes errors of SQLite's;
/// an index over many rows takes long enough to be stopped by a deadline.
///
/// # Errors
/// `TableMismatch` with all differences; `Unsupported` for a key of a type whose equal values may
/// be stored differently.
pub(crate) fn register(
    connection: &Connection,
    definition: &TableDefinition,
    counters: &mut Counters,
    site: Site<'_>,
    error: impl Fn(rusqlite::Error) -> Error,
) -> Result<()> {
    check_supported(definition, site)?;
    let failed = |cause| error(cause).with("table", definition.name().escape_debug());
    match describe(connection, definition.name(), counters).map_err(failed)? {
        None => {
            counters.statements_sent += 1;
            connection.execute_batch(&dialect::create_table(definition)).map_err(failed)?;
        }
        Some(live) => {
            let differences = differences(definition, &live);
            if !differences.is_empty() {
                let message = format!(
                    "the table is there already and differs: {}; change the definition or migrate \
                     the table",
                    differences.join("; ")
                );
                return Err(site
                    .fail(ErrorKind::TableMismatch, message)
                    .with("table", definition.name().escape_debug())
                    .with("differences", differences.len()));
            }
        }
    }
    let live = live_indexes(connection, definition.name(), counters).map_err(failed)?;
    for index in definition.indexes() {
        if live.iter().any(|live| live.unique == index.unique && live.columns == index.columns) {
            continue;
        }
        counters.statements_sent += 1;
        connection
            .execute_batch(&dialect::create_index(definition.name(), index))
            .map_err(|cause| failed(cause).with("index", index.columns.join(", ")))?;
    }
    Ok(())
}

fn check_supported(definition: &TableDefinition, site: Site<'_>) -> Result<()> {
    let table = definition.name();
    if table.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_")) {
        return Err(site
            .fail(
                ErrorKind::InvalidStatement,
                "SQLite keeps names that begin with sqlite_ for itself; choose another name",
            )
            .with("table", table.escape_debug()));
    }
    let unique = definition
        .indexes()
        .iter()
        .filter(|IndexDefinition { unique, .. }| *unique)
        .flat_map(|index| &index.columns)
        .filter_map(|name| definition.column(name));
    // 1.0 and 1.00 are one value and two texts, so SQLite would let both in.
    if let Some(column) =
        definition.key().chain(unique).find(|column| column.value_type == ValueType::Decimal)
    {
        return Err(site
            .fail(
                ErrorKind::Unsupported,
                "SQLite cannot keep decimals unique; use a bigint of the smallest unit, or text",
            )
            .with("table", table.escape_debug())
            .with("column", column.name.escape_debug()));
    }
    Ok(())
}

fn describe(
    connection: &Connection,
    table: &str,
    counters: &mut Counters,
) -> rusqlite::Result<Option<Live>> {
    counters.statements_sent += 1;
    let found = connection
        .prepare_cached(
            "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
        )?
        .query_row([table], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((name, kind)) = found else { return Ok(None) };
    counters.statements_sent += 1;
    let columns = connection
        .prepare_cached("SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)")?
        .query_map([table], |row| {
            Ok(LiveColumn {
                name: row.get(0)?,
                declared: row.get(1)?,
                nullable: !row.get::<_, bool>(2)?,
                key: usize::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
                generated: row.get::<_, i64>(4)? != 0,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(Live { name, kind, columns }))
}

fn differences(definition: &TableDefinition, live: &Live) -> Vec<String> {
    let mut differences = Vec::new();
    if live.name != definition.name() {
        differences.push(format!("its name is written {}", live.name.escape_debug()));
    }
    if live.kind != "table" {
        differences.push(format!("it is a {} and no table", live.kind));
    }
    for column in definition.columns() {
        let name = column.name.escape_debug();
        let Some(found) = live.columns.iter().find(|live| live.name == column.name) else {
            differences.push(format!("column {name} is missing"));
            continue;
        };
        if dialect::parse_declared(&found.declared) != Some((column.value_type, column.max_length))
        {
            let wanted = dialect::declared_type(column.value_type, column.max_length);
            differences.push(format!(
                "column {name} is {} instead of {wanted}",
                if found.declared.is_empty() { "without a type" } else { &found.declared }
            ));
        }
        if found.nullable != column.nullable {
            let is = if found.nullable { "may be null" } else { "may not be null" };
            differences.push(format!("column {name} {is}"));
        }
        if found.generated {
            differences.push(format!("column {name} is computed by the database"));
        }
    }
    for found in &live.columns {
        if definition.column(&found.name).is_none() {
            differences
                .push(format!("column {} is not in the definition", found.name.escape_debug()));
        }
    }
    let mut live_key: Vec<&LiveColumn> = live.columns.iter().filter(|c| c.key > 0).collect();
    live_key.sort_by_key(|column| column.key);
    let live_key: Vec<&str> = live_key.iter().map(|column| column.name.as_str()).collect();
    let key: Vec<&str> = definition.key().map(|column| column.name.as_str()).collect();
    if live_key != key {
        let list =
            |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        differences.push(format!("its key is {} instead of {}", list(&live_key), list(&key)));
    }
    differences
}

/// The indexes that do the same as a registered one would: whole, over columns in ascending order.
fn live_indexes(
    connection: &Connection,
    table: &str,
    counters: &mut Counters,
) -> rusqlite::Result<Vec<LiveIndex>> {
    counters.statements_sent += 1;
    let listed: Vec<(String, bool)> = connection
        .prepare_cached("SELECT name, \"unique\" FROM pragma_index_list(?) WHERE partial = 0")?
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut indexes = Vec::with_capacity(listed.len());
    for (name, unique) in listed {
        counters.statements_sent += 1;
        let columns: Vec<Option<String>> = connection
            .prepare_cached(
                "SELECT CASE WHEN \"desc\" = 0 AND coll = 'BINARY' THEN name END \
                 FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno",
            )?
            .query_map([&name], |row: &Row<'_>| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        if let Some(columns) = columns.into_iter().collect() {
            indexes.push(LiveIndex { unique, columns });
        }
    }
    Ok(indexes)
}
