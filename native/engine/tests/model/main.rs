//! Random concurrent callers against a simple model, on SQLite. Each caller knows what it submitted
//! and in which order, and is the only one that writes its rows, so whatever the others do the model
//! of its rows is exact: every outcome, every read and what is stored at the end. Rows that all
//! share are there for what must hold between callers: sums, and writes that nobody sees half of.
//!
//! A failure prints its seed. `TICKWELL_MODEL_SEED=n` runs that one again (the callers' choices, not
//! their interleaving), and `TICKWELL_MODEL_SECONDS=n` runs new ones for that long.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a failing helper fails its test, and names the seed"
)]

mod caller;
mod database;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of sessions")]
mod support;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use caller::{Caller, Counts, Rows};
use database::{BANK_ROWS, BANK_SUM, Database, TABLES};
use support::PATIENCE;

const CALLERS: i64 = 5;
/// Steps of one caller in one round.
const STEPS: usize = 60;
const ROUNDS: u64 = 150;

/// SplitMix64: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// What this seed gives.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    /// True once in so many times.
    pub fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// A key or a small value.
    pub fn number(&mut self, limit: u64) -> i64 {
        i64::try_from(self.below(limit)).unwrap()
    }
}

/// Names the seed of a round that fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the model failed with TICKWELL_MODEL_SEED={}", self.0);
        }
    }
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a whole number"))
}

#[test]
fn concurrent_callers_get_what_the_model_says() {
    let mut counts = Counts::default();
    if let Some(seed) = variable("TICKWELL_MODEL_SEED") {
        round(seed, &mut counts);
        return;
    }
    let started = Instant::now();
    match variable("TICKWELL_MODEL_SECONDS").map(Duration::from_secs) {
        None => (0..ROUNDS).for_each(|seed| round(seed, &mut counts)),
        Some(limit) => {
            // Other seeds than those that every check runs.
            let mut seed =
                started.elapsed().as_nanos() as u64 ^ u64::from(std::process::id()) << 32;
            while started.elapsed() < limit {
                round(seed, &mut counts);
                seed += 1;
            }
        }
    }
    eprintln!("{counts:?} in {:?}", started.elapsed());
    counts.check_coverage();
}

/// Callers at work, in one round of four with the database closing under them; then everything that
/// was answered is compared with the model, and so is the file.
fn round(seed: u64, counts: &mut Counts) {
    let _named = Seed(seed);
    let mut random = Random::new(seed);
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let database = Database::open(&folder, true);
    let closes = random.one_in(4);
    // Between nothing and all of the callers' steps.
    let close_after = random.below(CALLERS as u64 * STEPS as u64 / 2) + 1;

    let (callers, report) = std::thread::scope(|scope| {
        let collector = scope.spawn(|| database.collect());
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                let random = Random::new(seed ^ (number as u64 + 1) << 48);
                let mut caller = Caller::new(number, &database, random);
                scope.spawn(move || {
                    caller.work(STEPS);
                    caller
                })
            })
            .collect();
        if closes {
            database.wait_for_submissions(close_after);
            let limit = Duration::from_millis(random.below(4));
            let report = database.runtime.close(limit);
            let callers: Vec<_> = callers.into_iter().map(|c| c.join().unwrap()).collect();
            collector.join().unwrap();
            (callers, report)
        } else {
            let mut callers: Vec<_> = callers.into_iter().map(|c| c.join().unwrap()).collect();
            callers.iter_mut().for_each(Caller::wait_for_all);
            let report = database.runtime.close(PATIENCE);
            collector.join().unwrap();
            (callers, report)
        }
    });
    if !closes {
        assert_eq!(report, Vec::new(), "everything had ended before it closed");
    }

    let cancelled: HashSet<u64> = database.cancelled_transactions();
    let mut expected: [Rows; 2] = [BTreeMap::new(), BTreeMap::new()];
    let mut added = 0;
    let mut tokens = HashSet::new();
    for caller in callers {
        let settled = caller.replay(closes, &cancelled, counts);
        for (all, own) in expected.iter_mut().zip(settled.rows) {
            all.extend(own);
        }
        added += settled.added;
        tokens.extend(settled.batches);
    }
    database.check_batches(&tokens);
    assert_eq!(database.answers_left(), 0, "answers that nobody had asked for");
    drop(database);

    // Another runtime, which knows nothing but the file.
    let database = Database::open(&folder, false);
    for (table, expected) in TABLES.iter().zip(&expected) {
        assert_eq!(&database.all(table), expected, "{table} as it was stored");
    }
    assert_eq!(database.all("hot").values().sum::<i64>(), added);
    let bank = database.all("bank");
    assert_eq!((bank.len() as i64, bank.values().sum::<i64>()), (BANK_ROWS, BANK_SUM));
    database.check_batch(&database.all("batch"));
    database.check_batches(&tokens);
    assert_eq!(database.runtime.close(PATIENCE), Vec::new());
    counts.rounds += 1;
    counts.closed += u64::from(closes);
}
