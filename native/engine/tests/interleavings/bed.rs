//! A session on the store, a thread that takes its results, and the answers that came.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use shuttle::rand::{Rng, thread_rng};
use shuttle::sync::{Condvar, Mutex};
use shuttle::thread::{self, JoinHandle};
use tickwell_engine::backend::{Outcome, ResultLimits};
use tickwell_engine::error::ErrorKind;
use tickwell_engine::page::{Page, PageBuilder, PageColumn};
use tickwell_engine::runtime::{BytesInFlight, Completion, Completions, Event};
use tickwell_engine::schema::{ColumnDefinition, TableDefinition};
use tickwell_engine::session::{
    Session, SessionConfig, SessionEnvironment, Submission, Transaction, TransactionLimits,
};
use tickwell_engine::statement::{Comparison, Filter, InsertMode, RequestHeader, Statement};
use tickwell_engine::value::{ValueRef, ValueType};

use crate::store::{Rows, Store};

/// Longer than any test; nothing here waits for it.
pub const LONG: Duration = Duration::from_secs(3_600);

type Answer = Result<u64, ErrorKind>;

#[derive(Default)]
struct Answers {
    came: Mutex<HashMap<u64, Answer>>,
    changed: Condvar,
}

impl Answers {
    fn keep(&self, results: Vec<Completion>) {
        let mut came = self.came.lock().unwrap();
        for completion in results {
            let id = completion.request_id;
            assert!(came.insert(id, answer(&completion)).is_none(), "two answers for {id}");
        }
        drop(came);
        self.changed.notify_all();
    }
}

fn answer(completion: &Completion) -> Answer {
    match &completion.outcome {
        Ok(Outcome::Affected(Some(count))) => Ok(*count),
        Ok(other) => panic!("no count but {other:?}"),
        Err(error) => Err(error.kind()),
    }
}

pub struct Bed {
    pub session: Session,
    completions: Arc<Completions>,
    rows: Arc<Mutex<Rows>>,
    answers: Arc<Answers>,
    collector: Mutex<Option<JoinHandle<()>>>,
    /// Not a matter of the scheduler: any number will do that is not used yet.
    next_id: AtomicU64,
}

impl Bed {
    /// With the table `t` registered.
    pub fn new(readers: usize) -> Arc<Self> {
        let rows = Arc::new(Mutex::new(Rows::default()));
        let completions = Arc::new(Completions::default());
        let environment = SessionEnvironment {
            completions: Arc::clone(&completions),
            read_bytes: BytesInFlight::new("read", 1 << 20),
            write_bytes: BytesInFlight::new("write", 1 << 20),
            recording: false,
            thread_started: None,
        };
        let config = SessionConfig {
            name: "main".to_owned(),
            readers,
            statement_deadline: LONG,
            transaction_limits: TransactionLimits { total: LONG, idle: LONG },
            result_limits: ResultLimits { max_rows: 10, max_bytes: 1 << 20 },
        };
        let store = Box::new(Store::new(Arc::clone(&rows)));
        let session = Session::open(store, config, environment).unwrap();
        let answers = Arc::new(Answers::default());
        let collector = {
            let (completions, answers) = (Arc::clone(&completions), Arc::clone(&answers));
            thread::spawn(move || {
                while let Some(events) = completions.take(10, LONG) {
                    let results = events.into_iter().map(|event| match event {
                        Event::Result(completion) => *completion,
                        Event::Tick(_) | Event::Page(_) => panic!("no lane or stream is open"),
                    });
                    answers.keep(results.collect());
                }
            })
        };
        let bed = Arc::new(Self {
            session,
            completions,
            rows,
            answers,
            collector: Mutex::new(Some(collector)),
            next_id: AtomicU64::new(1_000),
        });
        let registration = bed.submit(Statement::Register(definition()), None, false).unwrap();
        assert_eq!(bed.answer(registration), Ok(0));
        bed
    }

    fn submit(&self, statement: Statement, page: Option<Page>, offer: bool) -> Option<u64> {
        let request_id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let header = RequestHeader::default();
        let reads = !statement.is_write();
        let submission = Submission { request_id, header, statement, statement_bytes: 10, page };
        match self.session.submit(submission, offer) {
            Ok(left) => {
                if left && thread_rng().gen_range(0..3) == 0 {
                    self.session.wake();
                } else if left && reads {
                    self.answers.keep(self.session.execute_read());
                } else if left {
                    self.run_what_is_next();
                }
                Some(request_id)
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Closed);
                None
            }
        }
    }

    /// Submits an insert, and offers by chance to execute it.
    pub fn try_insert(&self, row: i64) -> Option<u64> {
        self.submit(insert(), Some(page(row)), thread_rng().gen_range(0..2) == 0)
    }

    pub fn insert(&self, row: i64) -> u64 {
        self.try_insert(row).expect("it is open")
    }

    /// Counts the rows with this key, one or none.
    pub fn count(&self, row: i64) -> u64 {
        let filter =
            Filter::Compare { column: "id".to_owned(), comparison: Comparison::Eq, parameter: 0 };
        let statement =
            Statement::Count { table: "t".to_owned(), filter: Some(filter), exists: false };
        let offer = thread_rng().gen_range(0..2) == 0;
        self.submit(statement, Some(page(row)), offer).expect("it is open")
    }

    pub fn run_what_is_next(&self) {
        self.answers.keep(self.session.execute());
    }

    /// Waits for the answer of a request.
    pub fn answer(&self, id: u64) -> Answer {
        let came = self.answers.came.lock().unwrap();
        let mut came =
            self.answers.changed.wait_while(came, |came| !came.contains_key(&id)).unwrap();
        came.remove(&id).expect("it came")
    }

    pub fn begin(&self, id: u64, limits: TransactionLimits) -> Result<Transaction, ErrorKind> {
        self.session.begin(id, "Test".to_owned(), None, limits).map_err(|error| error.kind())
    }

    /// Inserts a row in a transaction.
    pub fn execute(&self, transaction: &Transaction, row: i64) -> Answer {
        let header = RequestHeader::default();
        answer(&transaction.execute(Submission {
            request_id: 1,
            header,
            statement: insert(),
            statement_bytes: 10,
            page: Some(page(row)),
        }))
    }

    /// Closes the session and then the queue of results; how many threads are left.
    pub fn close(&self, limit: Duration) -> usize {
        let report = self.session.close(limit);
        self.completions.close();
        let collector = self.collector.lock().unwrap().take();
        collector.expect("it is closed once").join().unwrap();
        report.threads_left
    }

    /// The rows that were committed.
    pub fn stored(&self) -> Vec<i64> {
        let mut stored = self.rows.lock().unwrap().stored.clone();
        stored.sort_unstable();
        stored
    }
}

fn definition() -> TableDefinition {
    let id = ColumnDefinition {
        name: "id".to_owned(),
        value_type: ValueType::BigInt,
        max_length: 0,
        nullable: false,
        auto_increment: false,
        default: None,
    };
    TableDefinition::new("t".to_owned(), vec![id], vec![0], Vec::new()).unwrap()
}

fn insert() -> Statement {
    Statement::Insert {
        table: "t".to_owned(),
        columns: vec!["id".to_owned()],
        mode: InsertMode::Plain,
        return_keys: false,
    }
}

/// One row, or one parameter.
fn page(row: i64) -> Page {
    let columns = vec![PageColumn { name: "id".to_owned(), value_type: ValueType::BigInt }];
    let mut builder = PageBuilder::new(columns, ResultLimits { max_rows: 1, max_bytes: 1 << 10 });
    builder.push(ValueRef::Integer(row)).unwrap();
    builder.finish().unwrap()
}
