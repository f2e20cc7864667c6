//! Finds the parameters `?` and the table names `{name}` in SQL that a plugin wrote, and only the
//! real ones: what stands inside a literal, a quoted name or a comment is text. Understands the
//! quoting of each dialect, not its grammar. Pure functions, for any thread.
//!
//! Where a dialect has operators with `?`, the operator is written `??`: `data ?? 'key'`,
//! `data ??| array['a', 'b']`.
#![deny(clippy::indexing_slicing)]

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, ErrorKind, Result};

/// How a database quotes text and names and writes comments. Single quotes, double quotes (both
/// doubled to stand for themselves), `--` and `/* */` are common to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// `` `name` ``.
    pub backtick_names: bool,
    /// `[name]`.
    pub bracket_names: bool,
    /// `\` escapes the next character in single and double quotes.
    pub backslash_escapes: bool,
    /// `\` escapes the next character in `E'…'`.
    pub escape_strings: bool,
    /// `$$…$$` and `$tag$…$tag$`.
    pub dollar_quotes: bool,
    /// `/* /* */ */` is one comment.
    pub nested_comments: bool,
    /// `# …` up to the end of the line.
    pub hash_comments: bool,
    /// `--` begins a comment only before a blank or a control character.
    pub dashes_need_blank: bool,
    /// What stands in `/*! … */` is executed.
    pub executed_comments: bool,
    /// `??` stands for an operator's `?`.
    pub question_operators: bool,
    /// The quote around identifiers, doubled to stand for itself.
    pub identifier_quote: char,
}

impl Dialect {
    /// An identifier as this database quotes it.
    #[must_use]
    pub fn quote(&self, identifier: &str) -> String {
        let quote = self.identifier_quote;
        let mut quoted = String::with_capacity(identifier.len() + 2);
        quoted.push(quote);
        for c in identifier.chars() {
            if c == quote {
                quoted.push(quote);
            }
            quoted.push(c);
        }
        quoted.push(quote);
        quoted
    }

    /// SQLite.
    pub const SQLITE: Self = Self {
        backtick_names: true,
        bracket_names: true,
        backslash_escapes: false,
        escape_strings: false,
        dollar_quotes: false,
        nested_comments: false,
        hash_comments: false,
        dashes_need_blank: false,
        executed_comments: false,
        question_operators: false,
        identifier_quote: '"',
    };

    /// PostgreSQL with `standard_conforming_strings` on, its default.
    pub const POSTGRES: Self = Self {
        backtick_names: false,
        bracket_names: false,
        escape_strings: true,
        dollar_quotes: true,
        nested_comments: true,
        question_operators: true,
        ..Self::SQLITE
    };

    /// MySQL and MariaDB without `NO_BACKSLASH_ESCAPES`, their default.
    pub const MYSQL: Self = Self {
        bracket_names: false,
        backslash_escapes: true,
        hash_comments: true,
        dashes_need_blank: true,
        executed_comments: true,
        identifier_quote: '`',
        ..Self::SQLITE
    };
}

/// SQL with the places that matter in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedSql<'a> {
    sql: &'a str,
    parameters: Vec<usize>,
    rewrites: Vec<Rewrite>,
}

/// A part of the text that the database does not get as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Rewrite {
    /// `{name}`, with the braces.
    Table(Range<usize>),
    /// `??`.
    Operator(Range<usize>),
}

impl<'a> ScannedSql<'a> {
    /// How many parameters.
    #[must_use]
    pub fn parameter_count(&self) -> usize {
        self.parameters.len()
    }

    /// Where each parameter's `?` is, in bytes from the beginning, ascending.
    #[must_use]
    pub fn parameters(&self) -> &[usize] {
        &self.parameters
    }

    /// The names in `{name}`, in their order.
    pub fn tables(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.rewrites.iter().filter_map(|rewrite| match rewrite {
            Rewrite::Table(range) => self.table_name(range),
            Rewrite::Operator(_) => None,
        })
    }

    /// The text for the database: `quoted` gives the quoted identifier for each `{name}`, and `??`
    /// becomes `?`. Parameters stay as they are.
    ///
    /// # Errors
    /// What `quoted` gives, such as `UnknownTable`.
    pub fn render(&self, mut quoted: impl FnMut(&str) -> Result<String>) -> Result<Cow<'a, str>> {
        if self.rewrites.is_empty() {
            return Ok(Cow::Borrowed(self.sql));
        }
        let mut rendered = String::with_capacity(self.sql.len() + 16);
        let mut copied = 0;
        for rewrite in &self.rewrites {
            let (Rewrite::Table(range) | Rewrite::Operator(range)) = rewrite;
            rendered.push_str(self.sql.get(copied..range.start).unwrap_or_default());
            match rewrite {
                Rewrite::Table(range) => {
                    rendered.push_str(&quoted(self.table_name(range).unwrap_or_default())?);
                }
                Rewrite::Operator(_) => rendered.push('?'),
            }
            copied = range.end;
        }
        rendered.push_str(self.sql.get(copied..).unwrap_or_default());
        Ok(Cow::Owned(rendered))
    }

    fn table_name(&self, braces: &Range<usize>) -> Option<&'a str> {
        self.sql.get(braces.start + 1..braces.end - 1)
    }
}

/// Raw SQL as the database gets it: each `{name}` becomes the quoted physical table that `tables`
/// gives it.
///
/// # Errors
/// `Syntax` as [`scan`]; `UnknownTable` naming a name that `tables` lacks.
pub fn resolve_tables<'a>(
    operation: &'static str,
    sql: &'a str,
    tables: &[(String, String)],
    dialect: &Dialect,
) -> Result<Cow<'a, str>> {
    if !sql.contains('{') && !dialect.question_operators {
        return Ok(Cow::Borrowed(sql));
    }
    scan(sql, dialect)?.render(|name| {
        let physical = tables.iter().find(|(known, _)| known == name);
        physical.map(|(_, physical)| dialect.quote(physical)).ok_or_else(|| {
            let message = "this plugin has registered no table of that name; register it first";
            Error::new(ErrorKind::UnknownTable, operation, message).with("table", name)
        })
    })
}

/// Scans SQL.
///
/// # Errors
/// `Syntax` with line and character for a literal, quoted name or comment that does not end, for a
/// numbered parameter (`?1`) and for U+0000.
pub fn scan<'a>(sql: &'a str, dialect: &Dialect) -> Result<ScannedSql<'a>> {
    let mut scanner = Scanner { sql, bytes: sql.as_bytes(), at: 0, dialect };
    let mut scanned = ScannedSql { sql, parameters: Vec::new(), rewrites: Vec::new() };
    while let Some(byte) = scanner.peek(0) {
        scanner.token(byte, &mut scanned)?;
    }
    Ok(scanned)
}

struct Scanner<'a> {
    sql: &'a str,
    bytes: &'a [u8],
    /// Always on a code point's boundary when a token begins.
    at: usize,
    dialect: &'a Dialect,
}

impl<'a> Scanner<'a> {
    fn token(&mut self, byte: u8, scanned: &mut ScannedSql<'_>) -> Result<()> {
        let dialect = self.dialect;
        let start = self.at;
        match byte {
            b'\'' => {
                let escapes = dialect.backslash_escapes
                    || (dialect.escape_strings && self.follows_escape_prefix());
                self.quoted(b'\'', escapes, "a literal")
            }
            b'"' => self.quoted(b'"', dialect.backslash_escapes, "a quoted name or literal"),
            b'`' if dialect.backtick_names => self.quoted(b'`', false, "a quoted name"),
            b'[' if dialect.bracket_names => self.past("]", "a name in brackets"),
            b'$' if dialect.dollar_quotes => match self.dollar_tag() {
                Some(tag) => {
                    self.at += tag.len();
                    self.past_from(start, tag, "a dollar-quoted literal")
                }
                None => self.skip(1),
            },
            b'-' if self.peek(1) == Some(b'-') && self.dashes_are_comment() => self.line_comment(),
            b'#' if dialect.hash_comments => self.line_comment(),
            b'/' if self.peek(1) == Some(b'*') => {
                let executed = self.peek(2) == Some(b'!')
                    || (self.peek(2) == Some(b'M') && self.peek(3) == Some(b'!'));
                if dialect.executed_comments && executed {
                    self.skip(2)
                } else {
                    self.block_comment()
                }
            }
            b'?' if dialect.question_operators && self.peek(1) == Some(b'?') => {
                scanned.rewrites.push(Rewrite::Operator(start..start + 2));
                self.skip(2)
            }
            b'?' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => Err(self.syntax(
                start,
                "parameters have no numbers; write ? for each value, in the order of the values",
            )),
            b'?' => {
                scanned.parameters.push(start);
                self.skip(1)
            }
            b'{' => {
                if let Some(length) = self.table_name() {
                    scanned.rewrites.push(Rewrite::Table(start..start + length + 2));
                    self.skip(length + 2)
                } else {
                    self.skip(1)
                }
            }
            // Some databases stop reading there and would run half of the statement.
            0 => Err(self.syntax(start, "the text holds U+0000")),
            _ => self.skip(1),
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) -> Result<()> {
        self.at += bytes;
        Ok(())
    }

    fn quoted(&mut self, quote: u8, escapes: bool, what: &str) -> Result<()> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            if byte == b'\\' && escapes {
                self.at += 2;
            } else if byte != quote {
                self.at += 1;
            } else if self.peek(1) == Some(quote) {
                self.at += 2;
            } else {
                self.at += 1;
                return Ok(());
            }
        }
        Err(self.unterminated(start, what))
    }

    /// Moves behind the next `end`.
    fn past(&mut self, end: &str, what: &str) -> Result<()> {
        self.past_from(self.at, end, what)
    }

    fn past_from(&mut self, start: usize, end: &str, what: &str) -> Result<()> {
        match self.sql.get(self.at..).and_then(|rest| rest.find(end)) {
            Some(offset) => self.skip(offset + end.len()),
            None => Err(self.unterminated(start, what)),
        }
    }

    fn line_comment(&mut self) -> Result<()> {
        let end = self.rest().iter().position(|&byte| byte == b'\n');
        self.skip(end.unwrap_or(self.rest().len()))
    }

    fn block_comment(&mut self) -> Result<()> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) if depth == 0 || self.dialect.nested_comments => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => self.at += 1,
            }
        }
        Err(self.unterminated(start, "a comment"))
    }

    fn dashes_are_comment(&self) -> bool {
        !self.dialect.dashes_need_blank
            || self.peek(2).is_none_or(|byte| byte == b' ' || byte.is_ascii_control())
    }

    /// Whether the quote here belongs to `E'…'`: an `e` that does not end a longer word.
    fn follows_escape_prefix(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        match before.split_last() {
            Some((b'e' | b'E', before)) => !before.last().is_some_and(|&byte| in_word(byte)),
            _ => false,
        }
    }

    /// The opening `$tag$` here; `$1` and a `$` inside of a word are none.
    fn dollar_tag(&self) -> Option<&'a str> {
        let inside_word = self.bytes.get(..self.at)?.last().is_some_and(|&byte| in_word(byte));
        let rest = self.sql.get(self.at + 1..)?;
        let length = rest.bytes().position(|byte| byte == b'$' || !in_word(byte))?;
        let is_tag = rest.as_bytes().get(length) == Some(&b'$')
            && !rest.starts_with(|first: char| first.is_ascii_digit());
        if inside_word || !is_tag {
            return None;
        }
        self.sql.get(self.at..self.at + length + 2)
    }

    /// How long the name of `{name}` is; `None` when it is no name, such as JSON or `{d '…'}`.
    fn table_name(&self) -> Option<usize> {
        let rest = self.sql.get(self.at + 1..)?;
        let length = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'))?;
        (length > 0 && rest.as_bytes().get(length) == Some(&b'}')).then_some(length)
    }

    fn unterminated(&self, start: usize, what: &str) -> Error {
        self.syntax(start, &format!("{what} does not end"))
    }

    fn syntax(&self, at: usize, message: &str) -> Error {
        let before = self.sql.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let character = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error::new(ErrorKind::Syntax, "scan", message)
            .with("line", line)
            .with("character", character)
    }
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}
