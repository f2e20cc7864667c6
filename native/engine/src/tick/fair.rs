//! Deficit round robin over work whose cost is known only afterwards: the entry in front may go on
//! until it has used up its credit, then it goes to the back. An overrun stays as debt, so that
//! entries share the time fairly however long their single values take. One lane uses two levels of
//! it: owners, and each owner's requests. Owned by a lane; no threads of its own.

use std::collections::VecDeque;

/// The time that an entry may use before the next one has its turn, in nanoseconds. Small enough
/// that twenty owners have a turn in one tick's 2 ms, large enough that a typical delivery of some
/// microseconds is not followed by a rotation each time.
pub(super) const QUANTUM_NANOS: i64 = 100_000;

/// How large an empty ring is kept at most.
const KEPT_ENTRIES: usize = 64;

#[derive(Debug)]
pub(super) struct FairRing<T> {
    entries: VecDeque<Entry<T>>,
}

#[derive(Debug)]
struct Entry<T> {
    item: T,
    credit: i64,
    /// Whether it got its quantum for the present turn.
    granted: bool,
}

impl<T> FairRing<T> {
    pub(super) const fn new() -> Self {
        Self { entries: VecDeque::new() }
    }

    /// Itself to be used again, when that keeps little memory.
    pub(super) fn emptied(mut self) -> Option<Self> {
        self.entries.clear();
        (self.entries.capacity() <= KEPT_ENTRIES).then_some(self)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|entry| &entry.item)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.item)
    }

    /// Adds an entry at the back, with the debt (at most 0) that it has from before.
    pub(super) fn push(&mut self, item: T, debt: i64) {
        self.entries.push_back(Entry { item, credit: debt.min(0), granted: false });
    }

    /// The entry that did the last step: the one that [`turn`](Self::turn) gave.
    pub(super) fn front_mut(&mut self) -> Option<&mut T> {
        self.entries.front_mut().map(|entry| &mut entry.item)
    }

    /// Gives the turn: the front goes on while it has credit, else the next one with credit comes
    /// to the front.
    pub(super) fn turn(&mut self) -> Option<&mut T> {
        let mut rotated = 0;
        loop {
            let front = self.entries.front_mut()?;
            if !front.granted {
                front.granted = true;
                front.credit = front.credit.saturating_add(QUANTUM_NANOS);
            }
            if front.credit > 0 {
                break;
            }
            front.granted = false;
            self.entries.rotate_left(1);
            rotated += 1;
            if rotated == self.entries.len() {
                self.skip_rounds();
                rotated = 0;
            }
        }
        self.front_mut()
    }

    /// Everyone is in debt: grants at once as many rounds as pass before the first has credit, in
    /// place of going round for each of them.
    fn skip_rounds(&mut self) {
        let least = self.entries.iter().map(|entry| entry.credit.saturating_neg()).min();
        let rounds = least.unwrap_or(0).max(0) / QUANTUM_NANOS;
        for entry in &mut self.entries {
            entry.credit = entry.credit.saturating_add(rounds.saturating_mul(QUANTUM_NANOS));
        }
    }

    /// Charges the front for a step.
    pub(super) fn charge(&mut self, cost: i64) {
        if let Some(front) = self.entries.front_mut() {
            front.credit = front.credit.saturating_sub(cost);
        }
    }

    /// Removes the front; gives it with its debt (at most 0).
    pub(super) fn pop(&mut self) -> Option<(T, i64)> {
        self.entries.pop_front().map(|entry| (entry.item, entry.credit.min(0)))
    }

    /// Keeps the entries that `keep` wants, in their order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.entries.retain_mut(|entry| keep(&mut entry.item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debtor_waits_until_the_others_have_had_as_much() {
        let mut ring = FairRing::new();
        ring.push("slow", 0);
        ring.push("quick", 0);
        let mut turns = Vec::new();
        let mut time = [0_i64, 0];
        for _ in 0..400 {
            let name = *ring.turn().unwrap();
            let cost = if name == "slow" { 1_000_000 } else { 20_000 };
            time[usize::from(name == "quick")] += cost;
            ring.charge(cost);
            turns.push(name);
        }
        assert!((time[0] - time[1]).abs() <= 1_000_000 + QUANTUM_NANOS, "{time:?}");
        assert!(turns.contains(&"slow") && turns.contains(&"quick"));
    }

    #[test]
    fn all_in_deep_debt_still_gives_a_turn_at_once() {
        let mut ring = FairRing::new();
        ring.push(1, -90_000_000_000);
        ring.push(2, -80_000_000_000);
        assert_eq!(ring.turn(), Some(&mut 2));
    }
}
