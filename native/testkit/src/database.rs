//! A database as the contract sees it: one writer and the tables that were registered, each request
//! validated, planned and executed as a session does it, on the test's own thread.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tickwell_engine::backend::{
    Backend, Connection, Control, Counters, Outcome, Request, ResultLimits, Role,
};
use tickwell_engine::error::Result;
use tickwell_engine::page::Page;
use tickwell_engine::plan::plan;
use tickwell_engine::schema::{ColumnDefinition, TableDefinition};
use tickwell_engine::statement::{InsertMode, Statement};
use tickwell_engine::validate::validate;
use tickwell_engine::value::ValueType;

/// A backend under test.
pub struct Subject {
    /// The backend, of an empty database.
    pub backend: Box<dyn Backend>,
    /// A raw query that returns one row, but not within any deadline of a test.
    pub endless_query: &'static str,
}

/// A database with one writer connection.
pub struct Database<'a> {
    backend: &'a dyn Backend,
    /// The connection that everything runs on.
    pub connection: Box<dyn Connection>,
    tables: HashMap<String, Arc<TableDefinition>>,
    /// The limits of results.
    pub limits: ResultLimits,
    /// What the last request counted.
    pub counters: Counters,
}

impl<'a> Database<'a> {
    /// Connects a writer.
    ///
    /// # Panics
    /// When the backend cannot connect.
    #[must_use]
    pub fn open(backend: &'a dyn Backend) -> Self {
        Self {
            backend,
            connection: backend.connect(Role::Writer).expect("a writer connects"),
            tables: HashMap::new(),
            limits: ResultLimits { max_rows: 5_000, max_bytes: 16 << 20 },
            counters: Counters::default(),
        }
    }

    /// A control that gives a request a minute.
    #[must_use]
    pub fn control() -> Control {
        Control::new(Instant::now() + Duration::from_secs(60))
    }

    /// Registers a table in a transaction of its own.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn register(&mut self, definition: TableDefinition) -> Result<()> {
        self.register_with(definition, None).map(|_| ())
    }

    /// The same with the page of the defaults; gives the page of changes.
    ///
    /// # Errors
    /// What validation or the backend refuse.
    pub fn register_with(
        &mut self,
        definition: TableDefinition,
        page: Option<Page>,
    ) -> Result<Page> {
        let changes = self.rows(Statement::Register(definition.clone()), page)?;
        self.tables.insert(definition.name().to_owned(), Arc::new(definition));
        Ok(changes)
    }

    /// Registers a table of nullable columns and one key column, which comes first.
    ///
    /// # Panics
    /// When the backend refuses it.
    pub fn table(&mut self, name: &str, columns: &[(&str, ValueType)]) {
        let definition = TableDefinition::new(name.to_owned(), nullable(columns), vec![0], vec![]);
        self.register(definition.unwrap()).expect("the table is registered");
    }

    /// The request for a statement.
    ///
    /// # Errors
    /// What validation or planning refuse.
    pub fn request(&self, statement: Statement, page: Option<Page>) -> Result<Request> {
        let table = match &statement {
            Statement::Register(_) => None,
            other => other.table().and_then(|name| self.tables.get(name).cloned()),
        };
        validate(&statement, table.as_deref(), page.as_ref(), self.backend.limits())?;
        let plan = plan(&statement, table.as_deref(), page.as_ref(), self.backend.limits())?;
        Ok(Request { statement, table, page, plan, result_limits: self.limits })
    }

    /// Runs a request: a write in a transaction of its own, which is rolled back when it fails.
    ///
    /// # Errors
    /// What validation, planning or the backend refuse.
    pub fn run(&mut self, statement: Statement, page: Option<Page>) -> Result<Outcome> {
        self.run_under(statement, page, &Self::control())
    }

    /// The same under a control of the test's own.
    ///
    /// # Errors
    /// What validation, planning or the backend refuse.
    ///
    /// # Panics
    /// When the rollback of a failed write fails.
    pub fn run_under(
        &mut self,
        statement: Statement,
        page: Option<Page>,
        control: &Control,
    ) -> Result<Outcome> {
        let is_write = statement.is_write();
        let request = self.request(statement, page)?;
        self.counters = Counters::default();
        if !is_write {
            return self.connection.execute(&request, control, &mut self.counters);
        }
        self.connection.begin(control)?;
        let outcome = self
            .connection
            .execute(&request, control, &mut self.counters)
            .and_then(|outcome| self.connection.commit().map(|()| outcome));
        if outcome.is_err() {
            self.connection.rollback().expect("a failed write is rolled back");
        }
        outcome
    }

    /// Executes a request inside the transaction that the test has opened.
    ///
    /// # Errors
    /// What validation, planning or the backend refuse.
    pub fn execute(&mut self, statement: Statement, page: Option<Page>) -> Result<Outcome> {
        let request = self.request(statement, page)?;
        self.counters = Counters::default();
        self.connection.execute(&request, &Self::control(), &mut self.counters)
    }

    /// Inserts a page whose column names are those of the table, and gives the affected rows.
    ///
    /// # Errors
    /// What validation, planning or the backend refuse.
    pub fn insert(&mut self, table: &str, page: Page) -> Result<Option<u64>> {
        affected(self.run(insert_into(table, &page), Some(page)))
    }

    /// Runs a statement that returns rows.
    ///
    /// # Errors
    /// What validation, planning or the backend refuse.
    ///
    /// # Panics
    /// When it returns no rows.
    pub fn rows(&mut self, statement: Statement, page: Option<Page>) -> Result<Page> {
        match self.run(statement, page)? {
            Outcome::Rows(page) => Ok(page),
            other => panic!("rows were expected, not {other:?}"),
        }
    }

    /// How many rows a table has.
    ///
    /// # Panics
    /// When the backend fails to count.
    pub fn size(&mut self, table: &str) -> u64 {
        let count = Statement::Count { table: table.to_owned(), filter: None, exists: false };
        affected(self.run(count, None)).expect("counting works").expect("a count is exact")
    }
}

/// The insert of all columns of a page.
#[must_use]
pub fn insert_into(table: &str, page: &Page) -> Statement {
    let columns = (0..page.column_count())
        .map(|column| page.column_name(column).unwrap_or_default().to_owned())
        .collect();
    Statement::Insert {
        table: table.to_owned(),
        columns,
        mode: InsertMode::Plain,
        return_keys: false,
    }
}

/// The affected rows of an outcome.
///
/// # Errors
/// The outcome's own.
///
/// # Panics
/// When it is rows.
pub fn affected(outcome: Result<Outcome>) -> Result<Option<u64>> {
    match outcome? {
        Outcome::Affected(affected) => Ok(affected),
        other => panic!("no rows were expected, not {other:?}"),
    }
}

/// Column definitions of which all but the first may be null; strings have up to 32 characters.
#[must_use]
pub fn nullable(columns: &[(&str, ValueType)]) -> Vec<ColumnDefinition> {
    columns
        .iter()
        .enumerate()
        .map(|(index, &(name, value_type))| ColumnDefinition {
            name: name.to_owned(),
            value_type,
            max_length: if value_type == ValueType::String { 32 } else { 0 },
            nullable: index > 0,
            auto_increment: false,
            default: None,
        })
        .collect()
}
