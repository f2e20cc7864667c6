//! What requests cost, gathered: for each statement kind of a database, histograms of the five times
//! that a server owner looks at and sums of the others. Java records a request once, when it is
//! over; `docs/phases.md` says which side measures which field.
//!
//! Histograms keep two significant digits (an error of at most 1 %) from 1 ns to 60 s: 5 of them
//! take about 100 KiB for each statement kind that a database has really seen.

use std::sync::{Mutex, PoisonError};

use hdrhistogram::Histogram;

use crate::error::{Error, ErrorKind, Result};
use crate::pairs::Pairs;
use crate::statement::StatementKind;

/// The longest time that a histogram tells apart, in nanoseconds; longer ones count as this.
const LONGEST_NANOS: u64 = 60_000_000_000;
const SIGNIFICANT_DIGITS: u8 = 2;

/// The fields of one record in the boundary's order; all in nanoseconds.
pub const FIELDS: [&str; 13] = [
    "wall",
    "async-wall",
    "main",
    "main-tick-max",
    "prepare-main",
    "prepare-async",
    "conversion-main",
    "result-main",
    "result-async",
    "publish-main",
    "execution",
    "queue-wait",
    "pool-wait",
];

/// Which fields have a histogram: wall, main, execution, queue wait, pool wait.
const WITH_HISTOGRAM: [usize; 5] = [0, 2, 10, 11, 12];

const PERCENTILES: [(&str, f64); 3] = [("p50", 50.0), ("p95", 95.0), ("p99", 99.0)];

/// The phases of one database's requests. Any thread may record.
#[derive(Debug)]
pub struct Recorder {
    kinds: [Mutex<Option<Box<KindPhases>>>; StatementKind::ALL.len()],
    enabled: bool,
}

#[derive(Debug)]
struct KindPhases {
    requests: u64,
    sums: [u64; FIELDS.len()],
    histograms: [Histogram<u32>; WITH_HISTOGRAM.len()],
}

impl KindPhases {
    fn new() -> Result<Self> {
        let empty = Histogram::new_with_bounds(1, LONGEST_NANOS, SIGNIFICANT_DIGITS)
            .map_err(|e| Error::new(ErrorKind::Internal, "record", e.to_string()))?;
        Ok(Self {
            requests: 0,
            sums: [0; FIELDS.len()],
            histograms: std::array::from_fn(|_| empty.clone()),
        })
    }
}

impl Recorder {
    /// An empty recorder; one that is not enabled keeps nothing.
    #[must_use]
    pub fn new(enabled: bool) -> Self {
        Self { kinds: std::array::from_fn(|_| Mutex::new(None)), enabled }
    }

    /// Records one request; negative times count as 0.
    ///
    /// # Errors
    /// `InvalidStatement` when the number of fields differs from [`FIELDS`].
    pub fn record(&self, kind: StatementKind, fields: &[i64]) -> Result<()> {
        let Ok(fields) = <&[i64; FIELDS.len()]>::try_from(fields) else {
            return Err(Error::new(
                ErrorKind::InvalidStatement,
                "record",
                format!("{} fields were given, a record has {}", fields.len(), FIELDS.len()),
            ));
        };
        if !self.enabled {
            return Ok(());
        }
        let Some(slot) = self.kinds.get(kind as usize - 1) else { return Ok(()) };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.is_none() {
            *slot = Some(Box::new(KindPhases::new()?));
        }
        let Some(phases) = slot.as_mut() else { return Ok(()) };
        phases.requests += 1;
        for (sum, &field) in phases.sums.iter_mut().zip(fields) {
            *sum = sum.saturating_add(u64::try_from(field).unwrap_or(0));
        }
        for (histogram, &field) in phases.histograms.iter_mut().zip(&WITH_HISTOGRAM) {
            let nanos = fields.get(field).map_or(0, |&nanos| u64::try_from(nanos).unwrap_or(0));
            histogram.saturating_record(nanos.max(1));
        }
        Ok(())
    }

    /// Appends what was recorded as `<prefix>.<kind>.requests`, `….<field>.sum`, and `….<field>.p50`,
    /// `.p95`, `.p99`, `.max` where the field has a histogram.
    pub fn report(&self, prefix: &str, pairs: &mut Pairs) {
        for (kind, slot) in StatementKind::ALL.iter().zip(&self.kinds) {
            let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(phases) = slot.as_ref() else { continue };
            let kind = kind.name();
            let mut put = |name: String, value: u64| pairs.push((name, value.to_string()));
            put(format!("{prefix}.{kind}.requests"), phases.requests);
            for (field, sum) in FIELDS.iter().zip(phases.sums) {
                put(format!("{prefix}.{kind}.{field}.sum"), sum);
            }
            for (histogram, index) in phases.histograms.iter().zip(WITH_HISTOGRAM) {
                let field = FIELDS.get(index).copied().unwrap_or_default();
                for (name, percentile) in PERCENTILES {
                    let value = histogram.value_at_percentile(percentile);
                    put(format!("{prefix}.{kind}.{field}.{name}"), value);
                }
                put(format!("{prefix}.{kind}.{field}.max"), histogram.max());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(pairs: &Pairs, name: &str) -> u64 {
        pairs.iter().find(|(candidate, _)| candidate == name).unwrap().1.parse().unwrap()
    }

    #[test]
    fn percentiles_are_within_one_percent_and_sums_exact() {
        let recorder = Recorder::new(true);
        for wall in 1..=1_000 {
            let mut fields = [0; FIELDS.len()];
            fields[0] = wall * 1_000;
            fields[9] = 7;
            recorder.record(StatementKind::Select, &fields).unwrap();
        }
        let mut pairs = Pairs::new();
        recorder.report("main", &mut pairs);
        assert_eq!(value(&pairs, "main.select.requests"), 1_000);
        assert_eq!(value(&pairs, "main.select.wall.sum"), 500_500_000);
        assert_eq!(value(&pairs, "main.select.publish-main.sum"), 7_000);
        let p99 = value(&pairs, "main.select.wall.p99");
        assert!((980_100..=999_900).contains(&p99), "{p99}");
        assert!(!pairs.iter().any(|(name, _)| name.starts_with("main.insert")));
    }

    #[test]
    fn a_time_beyond_the_range_counts_as_the_longest_and_a_negative_one_as_none() {
        let recorder = Recorder::new(true);
        let mut fields = [-5; FIELDS.len()];
        fields[2] = i64::MAX;
        recorder.record(StatementKind::Insert, &fields).unwrap();
        let mut pairs = Pairs::new();
        recorder.report("main", &mut pairs);
        assert_eq!(value(&pairs, "main.insert.wall.sum"), 0);
        assert!(value(&pairs, "main.insert.main.max") >= LONGEST_NANOS);
    }

    #[test]
    fn switched_off_it_keeps_nothing_and_a_wrong_length_is_refused() {
        let recorder = Recorder::new(false);
        recorder.record(StatementKind::Insert, &[0; FIELDS.len()]).unwrap();
        let mut pairs = Pairs::new();
        recorder.report("main", &mut pairs);
        assert!(pairs.is_empty());
        let error = recorder.record(StatementKind::Insert, &[0; 3]).unwrap_err();
        assert!(error.message().contains("3 fields"));
    }
}
