//! One caller: a thread that submits at random, cancels, waits and runs transactions, and writes down
//! what it did; and the replay of that against the model of its rows.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use tickwell_engine::error::{Effect, Error, ErrorKind};
use tickwell_engine::page::Page;
use tickwell_engine::runtime::Completion;
use tickwell_engine::session::{Submission, Transaction, TransactionLimits};
use tickwell_engine::statement::{Change, InsertMode, RequestHeader, Statement};

use crate::Random;
use crate::database::{
    BANK_ROWS, BANK_SUM, BATCH_ROWS, Database, HOT_ROWS, TABLES, affected, delete, insert, pairs,
    rows, select, select_between, update,
};
use crate::support::PATIENCE;

/// Keys and values.
pub type Rows = BTreeMap<i64, i64>;

/// Keys of one caller in one table: few, so that they meet.
const KEYS: u64 = 6;
const LIMITS: TransactionLimits = TransactionLimits { total: PATIENCE, idle: PATIENCE };
/// Inserts until somebody stops it.
const ENDLESS: &str = "INSERT INTO bank (id, v) WITH RECURSIVE n(i) AS \
    (SELECT 1000 UNION ALL SELECT i + 1 FROM n) SELECT i, 1 FROM n";

/// What was tried and seen, over all rounds.
#[derive(Debug, Default)]
pub struct Counts {
    pub rounds: u64,
    pub closed: u64,
    requests: u64,
    stored: u64,
    grouped: u64,
    read: u64,
    refused: u64,
    cancelled: u64,
    cancelled_too_late: u64,
    timed_out: u64,
    committed: u64,
    rolled_back: u64,
}

impl Counts {
    /// A model that meets no case of a kind proves nothing about it.
    pub fn check_coverage(&self) {
        for (what, count) in [
            ("rounds with a database that closed", self.closed),
            ("writes that were stored", self.stored),
            ("writes that shared a transaction", self.grouped),
            ("reads", self.read),
            ("writes that the model refuses", self.refused),
            ("cancelled requests", self.cancelled),
            ("requests past their deadline", self.timed_out),
            ("transactions that were committed", self.committed),
            ("transactions that were not", self.rolled_back),
        ] {
            assert!(count > 0, "no {what}: {self:?}");
        }
    }
}

/// A write of own rows.
#[derive(Debug, Clone)]
enum Write {
    Insert(InsertMode, Vec<(i64, i64)>),
    Set(i64, i64),
    Add(i64, i64),
    Delete(i64),
}

impl Write {
    fn random(caller: i64, random: &mut Random) -> Self {
        let first = caller * 100;
        let key = |random: &mut Random| first + random.number(KEYS);
        let value = random.number(1_000);
        match random.below(8) {
            kind @ 0..=4 => {
                let mode = match kind {
                    0 | 1 => InsertMode::Plain,
                    2 => InsertMode::IfAbsent,
                    _ => InsertMode::Upsert { overwrite: Vec::new() },
                };
                let from = random.number(KEYS);
                let until = (from + 1 + random.number(4)).min(KEYS as i64);
                Self::Insert(mode, (from..until).map(|key| (first + key, value + key)).collect())
            }
            5 => Self::Set(key(random), value),
            6 => Self::Add(key(random), value),
            _ => Self::Delete(key(random)),
        }
    }

    fn request(&self, table: &str) -> (Statement, Option<Page>) {
        match self {
            Self::Insert(mode, rows) => {
                (insert(table, mode.clone()), Some(pairs(rows.iter().copied())))
            }
            Self::Set(id, v) => update(table, Change::Set, *id, *v),
            Self::Add(id, v) => update(table, Change::Add, *id, *v),
            Self::Delete(id) => delete(table, *id),
        }
    }

    /// What the model says of it: all or nothing.
    fn apply(&self, rows: &mut Rows) -> Result<u64, ErrorKind> {
        match self {
            Self::Insert(mode, inserted) => {
                let taken = inserted.iter().filter(|(id, _)| rows.contains_key(id)).count();
                match mode {
                    InsertMode::Plain if taken > 0 => Err(ErrorKind::UniqueViolation),
                    InsertMode::Plain | InsertMode::Upsert { .. } => {
                        rows.extend(inserted.iter().copied());
                        Ok(inserted.len() as u64)
                    }
                    InsertMode::IfAbsent => {
                        for &(id, v) in inserted {
                            rows.entry(id).or_insert(v);
                        }
                        Ok((inserted.len() - taken) as u64)
                    }
                }
            }
            Self::Set(id, v) => Ok(rows.get_mut(id).map_or(0, |value| {
                *value = *v;
                1
            })),
            Self::Add(id, v) => Ok(rows.get_mut(id).map_or(0, |value| {
                *value += v;
                1
            })),
            Self::Delete(id) => Ok(u64::from(rows.remove(id).is_some())),
        }
    }
}

/// What a request was about.
#[derive(Debug)]
enum What {
    Write(usize, Write),
    /// Own rows of one table.
    Read(usize),
    /// Own rows of both tables, those of the second with their keys moved on.
    ReadBoth,
    Add(i64),
    /// What was known to be added when it was submitted.
    ReadHot(i64),
    Batch(i64),
    ReadBatch,
    ReadBank,
    Endless,
}

impl What {
    const fn is_write(&self) -> bool {
        matches!(self, Self::Write(..) | Self::Add(_) | Self::Batch(_) | Self::Endless)
    }
}

#[derive(Debug)]
struct Asked {
    id: u64,
    what: What,
    hurried: bool,
    /// What the last attempt to cancel it said.
    cancelled: Option<bool>,
    answer: Option<Completion>,
    /// How much the caller had done when it had the answer.
    seen: usize,
}

/// What a transaction did, in order, with what it got.
#[derive(Debug)]
enum Step {
    Write(usize, Write, Result<u64, ErrorKind>),
    Read(usize, Result<Rows, ErrorKind>),
}

#[derive(Debug)]
struct Transacted {
    id: u64,
    steps: Vec<Step>,
    /// `None` when it was given up.
    end: Option<Result<(), (ErrorKind, Effect)>>,
}

#[derive(Debug)]
enum Done {
    Asked(Box<Asked>),
    Transacted(Transacted),
}

/// What the replay leaves.
pub struct Settled {
    /// Own rows of each table.
    pub rows: [Rows; 2],
    /// What was added to the hot rows.
    pub added: i64,
    /// The batches that were stored.
    pub batches: Vec<i64>,
}

pub struct Caller<'d> {
    number: i64,
    database: &'d Database,
    random: Random,
    done: Vec<Done>,
    closed: bool,
}

impl<'d> Caller<'d> {
    pub const fn new(number: i64, database: &'d Database, random: Random) -> Self {
        Self { number, database, random, done: Vec::new(), closed: false }
    }

    const fn keys(&self) -> (i64, i64) {
        (self.number * 100, self.number * 100 + 99)
    }

    /// Does so many things, or until the database has closed.
    pub fn work(&mut self, steps: usize) {
        for _ in 0..steps {
            if self.closed {
                return;
            }
            let table = usize::from(self.random.one_in(3));
            match self.random.below(40) {
                0..=12 => {
                    let write = Write::random(self.number, &mut self.random);
                    let (statement, page) = write.request(TABLES[table]);
                    self.ask(What::Write(table, write), statement, page);
                }
                13..=17 => {
                    let (low, high) = self.keys();
                    let (statement, page) = select_between(TABLES[table], low, high);
                    self.ask(What::Read(table), statement, page);
                }
                18 => self.read_both(),
                19..=21 => {
                    let amount = self.random.number(9) + 1;
                    let id = self.random.number(HOT_ROWS as u64);
                    let (statement, page) = update("hot", Change::Add, id, amount);
                    self.database.adding.fetch_add(amount, Ordering::SeqCst);
                    self.ask(What::Add(amount), statement, page);
                }
                22 | 23 => {
                    let known = self.database.added.load(Ordering::SeqCst);
                    self.ask(What::ReadHot(known), select("hot", None), None);
                }
                24 | 25 => {
                    let token = i64::try_from(self.done.len()).unwrap() * 100 + self.number;
                    let page = pairs((0..BATCH_ROWS).map(|id| (id, token)));
                    let mode = InsertMode::Upsert { overwrite: Vec::new() };
                    self.ask(What::Batch(token), insert("batch", mode), Some(page));
                }
                26 | 27 => self.ask(What::ReadBatch, select("batch", None), None),
                28 => self.ask(What::ReadBank, select("bank", None), None),
                29 if self.random.one_in(3) => {
                    let statement = Statement::RawUpdate { sql: ENDLESS.to_owned() };
                    self.ask(What::Endless, statement, None);
                }
                29 | 30 => self.transact(),
                31..=34 => self.cancel(),
                35 => {
                    let choice = self.random.below(1_000) as usize;
                    self.database.cancel_transaction(choice);
                }
                36 => self.database.keep(self.database.session.execute()),
                _ => self.wait_for_one(),
            }
        }
    }

    fn read_both(&mut self) {
        let (low, high) = self.keys();
        let sql = format!(
            "SELECT id, v FROM own_a WHERE id BETWEEN {low} AND {high} \
             UNION ALL SELECT id + 10000, v FROM own_b WHERE id BETWEEN {low} AND {high}"
        );
        self.ask(What::ReadBoth, Statement::RawQuery { sql }, None);
    }

    fn ask(&mut self, what: What, statement: Statement, page: Option<Page>) {
        let hurried = matches!(what, What::Endless) || self.random.one_in(12);
        let deadline = if hurried { self.random.below(3) as u32 + 1 } else { 0 };
        let offer = self.random.one_in(3);
        let id = self.database.next_id();
        let reads = !statement.is_write();
        let left = match self.database.submit(id, statement, page, deadline, offer) {
            Ok(left) => left,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Closed);
                self.closed = true;
                return;
            }
        };
        let asked = Asked { id, what, hurried, cancelled: None, answer: None, seen: usize::MAX };
        self.done.push(Done::Asked(Box::new(asked)));
        if left && self.random.one_in(4) {
            self.database.session.wake();
        } else if left && reads && self.random.one_in(2) {
            self.database.keep(self.database.session.execute_read());
        } else if left {
            self.database.keep(self.database.session.execute());
        }
    }

    /// One of the requests that were not answered yet, mostly of the last.
    fn pending(&mut self) -> Option<&mut Asked> {
        let mut skip = self.random.below(4);
        self.done.iter_mut().rev().find_map(|done| match done {
            Done::Asked(asked) if asked.answer.is_none() => {
                let found = skip == 0;
                skip = skip.saturating_sub(1);
                found.then_some(asked.as_mut())
            }
            _ => None,
        })
    }

    fn cancel(&mut self) {
        let session = &self.database.session;
        if let Some(asked) = self.pending()
            && asked.cancelled != Some(true)
        {
            asked.cancelled = session.cancel(asked.id);
        }
    }

    fn wait_for_one(&mut self) {
        let (database, seen) = (self.database, self.done.len());
        if let Some(asked) = self.pending() {
            wait(asked, database, seen);
        }
    }

    pub fn wait_for_all(&mut self) {
        let seen = self.done.len();
        for done in &mut self.done {
            if let Done::Asked(asked) = done
                && asked.answer.is_none()
            {
                wait(asked, self.database, seen);
            }
        }
    }

    /// Runs a transaction about its own rows, or one that moves something between rows of all.
    fn transact(&mut self) {
        let id = self.database.next_id();
        self.database.begun(id);
        let done = self.transact_as(id);
        self.database.ended(id);
        self.done.push(Done::Transacted(done));
    }

    fn transact_as(&mut self, id: u64) -> Transacted {
        let session = &self.database.session;
        let wait = self.random.one_in(5).then(|| Duration::from_millis(self.random.below(3) + 1));
        let transaction = match session.begin(id, "Model".to_owned(), wait, LIMITS) {
            Ok(transaction) => transaction,
            Err(error) => {
                let short = error.kind() == ErrorKind::Timeout && wait.is_some();
                self.closed |= error.kind() == ErrorKind::Closed;
                assert!(
                    short || matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Closed),
                    "{error:?}"
                );
                assert_eq!(error.effect(), Effect::None);
                return Transacted { id, steps: Vec::new(), end: None };
            }
        };
        let mut steps = Vec::new();
        if self.random.one_in(2) {
            let from = self.random.number(BANK_ROWS as u64);
            let to = (from + 1 + self.random.number(BANK_ROWS as u64 - 1)) % BANK_ROWS;
            for (row, amount) in [(from, -3), (to, 3)] {
                let answer = run(&transaction, update("bank", Change::Add, row, amount));
                assert!(
                    matches!(
                        affected(&answer.outcome),
                        Ok(1) | Err(ErrorKind::Cancelled | ErrorKind::Closed)
                    ),
                    "{answer:?}"
                );
            }
        } else {
            for _ in 0..=self.random.below(4) {
                let table = self.random.below(2) as usize;
                if self.random.one_in(3) {
                    let (low, high) = self.keys();
                    let answer = run(&transaction, select_between(TABLES[table], low, high));
                    let read = answer.outcome.map(|outcome| rows(&outcome));
                    steps.push(Step::Read(table, read.map_err(|error| error.kind())));
                } else {
                    let write = Write::random(self.number, &mut self.random);
                    let answer = run(&transaction, write.request(TABLES[table]));
                    steps.push(Step::Write(table, write, affected(&answer.outcome)));
                }
            }
        }
        let end = match self.random.below(6) {
            0 => {
                transaction.rollback();
                None
            }
            1 => None,
            _ => Some(transaction.commit().map_err(|error| (error.kind(), error.effect()))),
        };
        Transacted { id, steps, end }
    }

    /// Takes what is not answered yet, and goes through it all again beside the model.
    pub fn replay(
        mut self,
        closes: bool,
        cancelled: &HashSet<u64>,
        counts: &mut Counts,
    ) -> Settled {
        self.wait_for_all();
        let mut settled = Settled { rows: Default::default(), added: 0, batches: Vec::new() };
        // The state before each thing that was done, and the last.
        let mut versions = Vec::with_capacity(self.done.len() + 1);
        for done in &self.done {
            versions.push(settled.rows.clone());
            match done {
                Done::Asked(asked) if asked.what.is_write() => {
                    check_write(asked, closes, &mut settled, counts);
                }
                Done::Asked(_) => {}
                Done::Transacted(transacted) => {
                    check_transaction(transacted, closes, cancelled, &mut settled.rows, counts);
                }
            }
        }
        versions.push(settled.rows.clone());
        for (index, done) in self.done.iter().enumerate() {
            if let Done::Asked(asked) = done
                && !asked.what.is_write()
            {
                let until = asked.seen.min(versions.len() - 1);
                self.check_read(asked, closes, &versions[index..=until], counts);
            }
        }
        settled
    }

    /// A read shows the state at its submission, or a later one up to its answer.
    fn check_read(&self, asked: &Asked, closes: bool, versions: &[[Rows; 2]], counts: &mut Counts) {
        counts.requests += 1;
        let answer = asked.answer.as_ref().expect("it was waited for");
        let outcome = match &answer.outcome {
            Ok(outcome) => outcome,
            Err(error) => return check_given_up(asked, error, closes, counts),
        };
        assert_ne!(asked.cancelled, Some(true), "it was cancelled: {asked:?}");
        counts.read += 1;
        let read = rows(outcome);
        let fits = |shows: &dyn Fn(&[Rows; 2]) -> bool| {
            assert!(
                versions.iter().any(shows),
                "caller {} read {read:?}, which is none of {versions:?}",
                self.number
            );
        };
        match &asked.what {
            What::Read(table) => fits(&|version| version[*table] == read),
            What::ReadBoth => fits(&|version| {
                let second = version[1].iter().map(|(&id, &v)| (id + 10_000, v));
                version[0].clone().into_iter().chain(second).collect::<Rows>() == read
            }),
            What::ReadHot(known) => {
                let sum = read.values().sum::<i64>();
                assert!(sum >= *known, "{sum} was read after {known} was stored");
            }
            What::ReadBatch => self.database.check_batch(&read),
            What::ReadBank => assert_eq!(
                (read.len() as i64, read.values().sum::<i64>()),
                (BANK_ROWS, BANK_SUM),
                "half of a transaction, or of a write that was stopped"
            ),
            _ => unreachable!("a write"),
        }
    }
}

/// Takes an answer, and makes known what it says of the rows of all.
fn wait(asked: &mut Asked, database: &Database, seen: usize) {
    let answer = database.answer(asked.id);
    match (&asked.what, &answer.outcome) {
        (What::Add(amount), Ok(_)) => {
            database.added.fetch_add(*amount, Ordering::SeqCst);
        }
        (What::ReadHot(_), Ok(outcome)) => {
            let sum = rows(outcome).values().sum::<i64>();
            let most = database.adding.load(Ordering::SeqCst);
            assert!(sum <= most, "{sum} was read while {most} had been handed in");
        }
        _ => {}
    }
    asked.answer = Some(answer);
    asked.seen = seen;
}

fn run(transaction: &Transaction, (statement, page): (Statement, Option<Page>)) -> Completion {
    let header = RequestHeader::default();
    transaction.execute(Submission { request_id: 1, header, statement, statement_bytes: 100, page })
}

fn check_write(asked: &Asked, closes: bool, settled: &mut Settled, counts: &mut Counts) {
    counts.requests += 1;
    let answer = asked.answer.as_ref().expect("it was waited for");
    let got = affected(&answer.outcome);
    if let Err(error) = &answer.outcome {
        assert_eq!(error.effect(), Effect::None, "{asked:?}");
    }
    let mut after = settled.rows.clone();
    let expected = match &asked.what {
        What::Write(table, write) => write.apply(&mut after[*table]),
        What::Add(_) => Ok(1),
        What::Batch(_) => Ok(BATCH_ROWS as u64),
        _ => Err(ErrorKind::Timeout),
    };
    match got {
        Ok(_) => {
            assert_eq!(got, expected, "{asked:?} on {:?}", settled.rows);
            assert_ne!(asked.cancelled, Some(true), "it was cancelled: {asked:?}");
            counts.stored += 1;
            counts.grouped += u64::from(answer.timings.grouped_with > 0);
            settled.rows = after;
            match asked.what {
                What::Add(amount) => settled.added += amount,
                What::Batch(token) => settled.batches.push(token),
                _ => {}
            }
        }
        Err(ErrorKind::UniqueViolation) => {
            assert_eq!(got, expected, "{asked:?} on {:?}", settled.rows);
            counts.refused += 1;
        }
        Err(_) => {
            let error = answer.outcome.as_ref().expect_err("it has a kind");
            check_given_up(asked, error, closes, counts);
        }
    }
}

/// A request ends without its effect only for a reason that somebody gave.
fn check_given_up(asked: &Asked, error: &Error, closes: bool, counts: &mut Counts) {
    match error.kind() {
        ErrorKind::Timeout if asked.hurried && asked.cancelled != Some(true) => {
            counts.timed_out += 1;
        }
        ErrorKind::Cancelled if asked.cancelled == Some(true) => counts.cancelled += 1,
        ErrorKind::Cancelled if closes => {}
        _ => panic!("nobody stopped {asked:?}"),
    }
    counts.cancelled_too_late += u64::from(asked.cancelled == Some(false));
}

fn check_transaction(
    transacted: &Transacted,
    closes: bool,
    cancelled: &HashSet<u64>,
    rows: &mut [Rows; 2],
    counts: &mut Counts,
) {
    let stopped = cancelled.contains(&transacted.id);
    let mut inside = rows.clone();
    // Its first error is the one that everything later repeats.
    let mut first = None;
    for step in &transacted.steps {
        let failed = match step {
            Step::Write(table, write, got) => {
                let expected =
                    if first.is_none() { write.apply(&mut inside[*table]) } else { Ok(0) };
                if got.is_ok() || *got == Err(ErrorKind::UniqueViolation) && first.is_none() {
                    assert_eq!(*got, expected, "{transacted:?} on {rows:?}");
                }
                got.as_ref().err()
            }
            Step::Read(table, read) => {
                if let Ok(read) = read {
                    assert_eq!(read, &inside[*table], "{transacted:?} on {rows:?}");
                }
                read.as_ref().err()
            }
        };
        match (first, failed) {
            (Some(first), failed) => assert_eq!(failed, Some(&first), "{transacted:?}"),
            (None, Some(&error)) => {
                let reason = match error {
                    ErrorKind::UniqueViolation => true,
                    ErrorKind::Cancelled => stopped || closes,
                    ErrorKind::Closed => closes,
                    _ => false,
                };
                assert!(reason, "nobody stopped {transacted:?}");
                first = Some(error);
            }
            (None, None) => {}
        }
    }
    match transacted.end {
        Some(Ok(())) => {
            assert!(first.is_none() && !stopped, "{transacted:?}");
            counts.committed += 1;
            *rows = inside;
        }
        Some(Err((error, effect))) => {
            assert_eq!(effect, Effect::None, "{transacted:?}");
            let reason = match first {
                Some(first) => error == first,
                None => stopped || closes,
            };
            assert!(reason, "nobody stopped {transacted:?}");
            counts.rolled_back += 1;
        }
        None => counts.rolled_back += 1,
    }
}
