//! Registering a table: creates it, or compares the live one with the definition and refuses it
//! with every difference named; and keeps the book of whose table it is. Runs inside the writer's
//! transaction, so a failure leaves nothing, and writes nothing when all is as it should be.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, Row};
use tickwell_engine::backend::Counters;
use tickwell_engine::error::{Error, ErrorKind, Result};
use tickwell_engine::page::Page;
use tickwell_engine::schema::{ColumnDefinition, IndexDefinition, TableDefinition};
use tickwell_engine::value::{MICROS_PER_DAY, ValueRef, ValueType};

use crate::dialect;
use crate::error::Site;

/// The book of tables, described in `docs/semantics.md`; its types are those of the dialect.
const CREATE_BOOK: &str = "CREATE TABLE tickwell_tables(name TEXT NOT NULL, plugin TEXT NOT NULL, \
     shared BOOLEAN_INT NOT NULL, created TIMESTAMP_INT NOT NULL, \
     last_registered DATE_INT NOT NULL, PRIMARY KEY(name))";

/// The most characters of a default that a message shows.
const SHOWN_DEFAULT_CHARS: usize = 60;

/// A table as the database has it.
struct Live {
    /// With the letters as they were written; SQLite takes small and capital ones for the same.
    name: String,
    kind: String,
    columns: Vec<LiveColumn>,
    auto_increment: bool,
}

struct LiveColumn {
    name: String,
    declared: String,
    nullable: bool,
    /// As the schema writes it.
    default: Option<String>,
    /// The position in the primary key, from 1; 0 outside of it.
    key: usize,
    generated: bool,
}

struct LiveIndex {
    unique: bool,
    columns: Vec<String>,
}

/// What the book says of a table.
struct Entry {
    plugin: String,
    shared: bool,
    /// Days since 1970-01-01.
    last_registered: i64,
}

/// Creates the table and its indexes as far as they are absent, and gives what it changed of a table
/// that was there, one text for each change. `page` holds the defaults. `error` makes errors of SQLite's; an index over many
/// rows takes long enough to be stopped by a deadline.
///
/// # Errors
/// `TableOwned` for a table of another plugin; `TableMismatch` with all differences; `Unsupported`
/// for a key of a type whose equal values may be stored differently.
pub(crate) fn register(
    connection: &Connection,
    definition: &TableDefinition,
    page: Option<&Page>,
    counters: &mut Counters,
    site: Site<'_>,
    error: impl Fn(rusqlite::Error) -> Error,
) -> Result<Vec<String>> {
    check_supported(definition, site)?;
    let failed = |cause| error(cause).with("table", definition.name().escape_debug());
    let live = describe(connection, definition.name(), counters).map_err(failed)?;
    let has_book = has_book(connection, counters).map_err(failed)?;
    if let Some(live) = live.as_ref().filter(|live| live.name != definition.name()) {
        let owner = match has_book {
            true => entry(connection, &live.name, counters).map_err(failed)?,
            false => None,
        };
        return Err(other_letters(definition, live, owner, site));
    }
    let entry = match has_book {
        true => entry(connection, definition.name(), counters).map_err(failed)?,
        false => None,
    };
    check_owner(definition, entry.as_ref(), site)?;
    check_reals(connection, definition, page, counters, site, failed)?;

    let mut changes = Vec::new();
    match live {
        None => {
            counters.statements_sent += 1;
            let create = dialect::create_table(definition, page);
            connection.execute_batch(&create).map_err(failed)?;
            for index in definition.indexes() {
                add_index(connection, definition, index, counters).map_err(failed)?;
            }
        }
        Some(live) => {
            for column in missing_columns(definition, page, &live, site)? {
                counters.statements_sent += 1;
                let add = dialect::add_column(definition.name(), column, page);
                connection
                    .execute_batch(&add)
                    .map_err(|cause| failed(cause).with("column", column.name.escape_debug()))?;
                changes.push(format!("added column {}", column.name.escape_debug()));
            }
            let live = live_indexes(connection, definition.name(), counters).map_err(failed)?;
            for index in definition.indexes() {
                let there =
                    |live: &LiveIndex| live.unique == index.unique && live.columns == index.columns;
                if !live.iter().any(there) {
                    add_index(connection, definition, index, counters)
                        .map_err(|cause| failed(cause).with("index", index.columns.join(", ")))?;
                    let name = index.name(definition.name());
                    changes.push(format!("added index {}", name.escape_debug()));
                }
            }
        }
    }
    note(connection, definition, has_book, entry.as_ref(), counters).map_err(failed)?;
    Ok(changes)
}

/// SQLite takes both names for one table, so each of both plugins would use the other's.
fn other_letters(
    definition: &TableDefinition,
    live: &Live,
    owner: Option<Entry>,
    site: Site<'_>,
) -> Error {
    let other = live.name.escape_debug();
    let message = format!(
        "there is a table {other}, and SQLite takes names that differ only in small and capital \
         letters for one; write the name as it is there, or choose another one"
    );
    let error = site
        .fail(ErrorKind::TableMismatch, message)
        .with("table", definition.name().escape_debug())
        .with("other", other);
    match owner {
        Some(entry) => error.with("owner", entry.plugin.escape_debug()),
        None => error,
    }
}

fn add_index(
    connection: &Connection,
    definition: &TableDefinition,
    index: &IndexDefinition,
    counters: &mut Counters,
) -> rusqlite::Result<()> {
    counters.statements_sent += 1;
    connection.execute_batch(&dialect::create_index(definition.name(), index))
}

fn has_book(connection: &Connection, counters: &mut Counters) -> rusqlite::Result<bool> {
    counters.statements_sent += 1;
    connection
        .prepare_cached(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tickwell_tables'",
        )?
        .exists([])
}

fn entry(
    connection: &Connection,
    table: &str,
    counters: &mut Counters,
) -> rusqlite::Result<Option<Entry>> {
    counters.statements_sent += 1;
    connection
        .prepare_cached(
            "SELECT plugin, shared, last_registered FROM tickwell_tables WHERE name = ?",
        )?
        .query_row([table], |row| {
            Ok(Entry { plugin: row.get(0)?, shared: row.get(1)?, last_registered: row.get(2)? })
        })
        .optional()
}

/// Refuses the table of another plugin, unless both share it.
fn check_owner(definition: &TableDefinition, entry: Option<&Entry>, site: Site<'_>) -> Result<()> {
    let options = definition.options();
    let Some(entry) = entry else { return Ok(()) };
    if options.owner.is_empty() || options.owner == entry.plugin || (options.shared && entry.shared)
    {
        return Ok(());
    }
    let advice = if entry.shared {
        "it is shared: call shared() before register() to use it too".to_owned()
    } else {
        format!(
            "both plugins must call shared() before register() to use it together; should {} be \
             gone for good, delete the table's row in tickwell_tables",
            entry.plugin.escape_debug()
        )
    };
    let message =
        format!("the table belongs to the plugin {}; {advice}", entry.plugin.escape_debug());
    Err(site
        .fail(ErrorKind::TableOwned, message)
        .with("table", definition.name().escape_debug())
        .with("owner", entry.plugin.escape_debug()))
}

/// Notes whose table it is. The day of the last registration alone changes when nothing else does,
/// so that a restart of the server writes nothing more than once a day.
fn note(
    connection: &Connection,
    definition: &TableDefinition,
    has_book: bool,
    entry: Option<&Entry>,
    counters: &mut Counters,
) -> rusqlite::Result<()> {
    let options = definition.options();
    if options.owner.is_empty() {
        return Ok(());
    }
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX);
    let today = now / MICROS_PER_DAY;
    match entry {
        None => {
            if !has_book {
                counters.statements_sent += 1;
                connection.execute_batch(CREATE_BOOK)?;
            }
            counters.statements_sent += 1;
            connection
                .prepare_cached("INSERT INTO tickwell_tables VALUES(?, ?, ?, ?, ?)")?
                .execute((definition.name(), &options.owner, options.shared, now, today))?;
        }
        Some(entry) => {
            // What another plugin shares stays its own.
            let shared = if entry.plugin == options.owner { options.shared } else { entry.shared };
            if shared != entry.shared || today != entry.last_registered {
                counters.statements_sent += 1;
                connection
                    .prepare_cached(
                        "UPDATE tickwell_tables SET shared = ?, last_registered = ? WHERE name = ?",
                    )?
                    .execute((shared, today, definition.name()))?;
            }
        }
    }
    Ok(())
}

/// Makes sure that SQLite reads the digits of a default as the number that they are of.
fn check_reals(
    connection: &Connection,
    definition: &TableDefinition,
    page: Option<&Page>,
    counters: &mut Counters,
    site: Site<'_>,
    failed: impl Fn(rusqlite::Error) -> Error,
) -> Result<()> {
    for column in definition.columns() {
        let wanted = match column.default_value(page) {
            Some(ValueRef::Float(value)) => f64::from(value),
            Some(ValueRef::Double(value)) => value,
            _ => continue,
        };
        counters.statements_sent += 1;
        let text = format!("SELECT {}", dialect::literal(ValueRef::Double(wanted)));
        let read: f64 = connection.query_row(&text, [], |row| row.get(0)).map_err(&failed)?;
        if read != wanted {
            let message =
                "SQLite cannot keep this number exactly as a default; give each row the value";
            return Err(site
                .fail(ErrorKind::InvalidValue, message)
                .with("table", definition.name().escape_debug())
                .with("column", column.name.escape_debug()));
        }
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
    counters.statements_sent += 2;
    let create: Option<String> = connection
        .prepare_cached("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'")?
        .query_row([&name], |row| row.get(0))
        .optional()?
        .flatten();
    let auto_increment = create.is_some_and(|create| dialect::is_auto_increment(&create));
    let columns = connection
        .prepare_cached(
            "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pragma_table_xinfo(?)",
        )?
        .query_map([table], |row| {
            Ok(LiveColumn {
                name: row.get(0)?,
                declared: row.get(1)?,
                nullable: !row.get::<_, bool>(2)?,
                key: usize::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
                generated: row.get::<_, i64>(4)? != 0,
                // A default of null is what a column without one has.
                default: row
                    .get::<_, Option<String>>(5)?
                    .filter(|d| !d.eq_ignore_ascii_case("null")),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(Live { name, kind, columns, auto_increment }))
}

/// The columns to add to the live table.
///
/// # Errors
/// `TableMismatch` when it differs in anything else.
fn missing_columns<'a>(
    definition: &'a TableDefinition,
    page: Option<&Page>,
    live: &Live,
    site: Site<'_>,
) -> Result<Vec<&'a ColumnDefinition>> {
    let mut missing = Vec::new();
    let differences = differences(definition, page, live, &mut missing);
    if differences.is_empty() {
        return Ok(missing);
    }
    let message = format!(
        "the table is there already and differs: {}; change the definition or migrate the table",
        differences.join("; ")
    );
    Err(site
        .fail(ErrorKind::TableMismatch, message)
        .with("table", definition.name().escape_debug())
        .with("differences", differences.len()))
}

/// All differences but the columns that can be added and shall be, which go into `missing`.
fn differences<'a>(
    definition: &'a TableDefinition,
    page: Option<&Page>,
    live: &Live,
    missing: &mut Vec<&'a ColumnDefinition>,
) -> Vec<String> {
    let mut differences = Vec::new();
    if live.kind != "table" {
        differences.push(format!("it is a {} and no table", live.kind));
    }
    for column in definition.columns() {
        match live.columns.iter().find(|live| live.name == column.name) {
            Some(found) => compare_column(column, page, live, found, &mut differences),
            None if !definition.options().add_missing_columns => {
                differences.push(format!("column {} is missing", column.name.escape_debug()));
            }
            None if column.nullable || column.default.is_some() => missing.push(column),
            None => differences.push(format!(
                "column {} is missing, and cannot be added since it may not be null and has no \
                 default",
                column.name.escape_debug()
            )),
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

fn compare_column(
    column: &ColumnDefinition,
    page: Option<&Page>,
    live: &Live,
    found: &LiveColumn,
    differences: &mut Vec<String>,
) {
    let name = column.name.escape_debug();
    let numbered = live.auto_increment && found.key > 0;
    let declared = dialect::parse_declared(&found.declared);
    // SQLite numbers rows in columns of one type only, which has the numbers of every other.
    let same_type = declared == Some((column.value_type, column.max_length))
        || (numbered && column.auto_increment && declared == Some((ValueType::BigInt, 0)));
    if !same_type {
        let wanted = dialect::declared_type(column.value_type, column.max_length);
        let is = if found.declared.is_empty() { "without a type" } else { &found.declared };
        differences.push(format!("column {name} is {is} instead of {wanted}"));
    }
    if found.nullable != column.nullable {
        let is = if found.nullable { "may be null" } else { "may not be null" };
        differences.push(format!("column {name} {is}"));
    }
    if numbered != column.auto_increment {
        let has = if numbered { "has an" } else { "has no" };
        differences.push(format!("column {name} {has} auto increment"));
    }
    let wanted = column.default_value(page).map(dialect::literal);
    if found.default != wanted {
        differences.push(format!(
            "column {name} has {} instead of {}",
            default_text(found.default.as_deref()),
            default_text(wanted.as_deref())
        ));
    }
    if found.generated {
        differences.push(format!("column {name} is computed by the database"));
    }
}

fn default_text(default: Option<&str>) -> String {
    match default {
        None => "no default".to_owned(),
        Some(text) if text.chars().count() > SHOWN_DEFAULT_CHARS => {
            let start: String = text.chars().take(SHOWN_DEFAULT_CHARS).collect();
            format!("the default {}…", start.escape_debug())
        }
        Some(text) => format!("the default {}", text.escape_debug()),
    }
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
