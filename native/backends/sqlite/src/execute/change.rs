//! Updates, deletes and raw updates.

use rusqlite::Statement as Prepared;
use tickwell_engine::backend::{Control, Counters, Outcome, Request};
use tickwell_engine::error::{ErrorKind, Result};
use tickwell_engine::schema::TableDefinition;
use tickwell_engine::statement::{Assignment, Filter};

use super::{SqliteConnection, bind_all, bind_raw, stopped};
use crate::dialect;
use crate::error::Site;

impl SqliteConnection {
    pub(super) fn update(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (assignments, filter, limit): (&[Assignment], Option<&Filter>, Option<u32>),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("update");
        let page = request.page.as_ref();
        let sql = dialect::update(definition, assignments, filter, limit, page)?;
        let mut statement = self.prepare("update", &sql.text)?;
        bind_all(&mut statement, &sql, page, site)?;
        self.failures.take();
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        self.change(&mut statement, control, site).map_err(|error| {
            let column = |place: usize| Some(assignments.get(place)?.column.as_str());
            self.refused_sum(error, site, definition, column)
        })
    }

    pub(super) fn delete(
        &self,
        request: &Request,
        definition: &TableDefinition,
        (filter, limit): (Option<&Filter>, Option<u32>),
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("delete");
        let sql = dialect::delete(definition, filter, limit, request.page.as_ref())?;
        let mut statement = self.prepare("delete", &sql.text)?;
        bind_all(&mut statement, &sql, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        self.change(&mut statement, control, site)
            .map_err(|error| error.with("table", definition.name().escape_debug()))
    }

    pub(super) fn raw_update(
        &self,
        request: &Request,
        text: &str,
        control: &Control,
        counters: &mut Counters,
    ) -> Result<Outcome> {
        let site = self.site("raw-update");
        let _closed = self.raw_gate.close();
        let mut statement = self.prepare("raw-update", text)?;
        if statement.column_count() > 0 {
            return Err(site.fail(
                ErrorKind::InvalidStatement,
                "an update returns no rows; send a statement that reads as a query, and leave out \
                 RETURNING",
            ));
        }
        bind_raw(&mut statement, request.page.as_ref(), site)?;
        let _armed = self.watch.arm(control);
        counters.statements_sent += 1;
        self.change(&mut statement, control, site)
    }

    /// Runs a statement that changes rows and tells how many.
    fn change(
        &self,
        statement: &mut Prepared<'_>,
        control: &Control,
        site: Site<'_>,
    ) -> Result<Outcome> {
        let before = self.connection.total_changes();
        let changed = statement.raw_execute().map_err(|error| stopped(error, control, site))?;
        // What changes the schema leaves the count of the statement before it.
        let any = self.connection.total_changes() != before;
        Ok(Outcome::Affected(Some(if any { changed as u64 } else { 0 })))
    }
}
