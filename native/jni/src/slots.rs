//! Slots: objects behind numbers in place of pointers. A number is a slot's index and the slot's
//! generation, so that one that was given back, or never given, is found out and refused. Any thread;
//! looking something up only waits for another that is put in or taken out, which is short.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tickwell_engine::error::{Error, ErrorKind, Result};

/// Generations are below this, which keeps handles positive as signed 64-bit numbers.
const GENERATIONS: u32 = 1 << 31;

/// Objects with their handles.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    table: RwLock<Table<T>>,
}

#[derive(Debug)]
struct Table<T> {
    slots: Vec<Slot<T>>,
    /// The slots without an object.
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    object: Option<T>,
}

impl<T> Slots<T> {
    /// No objects.
    pub(crate) const fn new() -> Self {
        Self { table: RwLock::new(Table { slots: Vec::new(), free: Vec::new() }) }
    }

    /// Puts an object in; its handle is positive.
    pub(crate) fn insert(&self, object: T) -> Result<i64> {
        let mut table = self.write();
        let number = match table.free.pop() {
            Some(number) => number,
            None => {
                let number = u32::try_from(table.slots.len()).map_err(|_| {
                    Error::new(ErrorKind::Internal, "open", "too many handles are open")
                })?;
                table.slots.push(Slot { generation: 0, object: None });
                number
            }
        };
        let Some(slot) = table.slots.get_mut(number as usize) else {
            return Err(Error::new(ErrorKind::Internal, "open", "a free slot is not there"));
        };
        // Generation 0 is never used: no handle is 0 or as small as a number given by mistake.
        slot.generation = ((slot.generation + 1) % GENERATIONS).max(1);
        slot.object = Some(object);
        Ok(i64::from(slot.generation) << 32 | i64::from(number))
    }

    /// Takes an object out and gives it.
    pub(crate) fn remove(&self, handle: i64) -> Option<T> {
        let (generation, number) = split(handle)?;
        let mut table = self.write();
        let slot = table.slots.get_mut(number as usize);
        let object = slot.filter(|slot| slot.generation == generation)?.object.take()?;
        table.free.push(number);
        Some(object)
    }

    /// Takes out all objects of which this holds.
    pub(crate) fn remove_if(&self, chosen: impl Fn(&T) -> bool) -> Vec<T> {
        let mut table = self.write();
        let Table { slots, free } = &mut *table;
        let mut removed = Vec::new();
        for (number, slot) in (0..).zip(slots) {
            if slot.object.as_ref().is_some_and(&chosen) {
                removed.extend(slot.object.take());
                free.push(number);
            }
        }
        // Dropped by the caller, after the lock: what dropping one does may take long.
        removed
    }

    /// Runs `look` on an object without copying anything; `None` when there is none.
    pub(crate) fn with<R>(&self, handle: i64, look: impl FnOnce(&T) -> R) -> Option<R> {
        let (generation, number) = split(handle)?;
        let table = self.read();
        let slot = table.slots.get(number as usize)?;
        slot.object.as_ref().filter(|_| slot.generation == generation).map(look)
    }

    /// How many objects there are of which this holds.
    pub(crate) fn count(&self, chosen: impl Fn(&T) -> bool) -> usize {
        let table = self.read();
        table.slots.iter().filter_map(|slot| slot.object.as_ref()).filter(|o| chosen(o)).count()
    }

    // A panic is caught at the boundary; slots are whole after any of them.
    fn read(&self) -> RwLockReadGuard<'_, Table<T>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Table<T>> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn split(handle: i64) -> Option<(u32, u32)> {
    let handle = u64::try_from(handle).ok()?;
    let number = u32::try_from(handle & u64::from(u32::MAX)).ok()?;
    Some((u32::try_from(handle >> 32).ok()?, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again_and_its_handle_is_not() {
        let slots = Slots::new();
        let first = slots.insert('a').unwrap();
        let second = slots.insert('b').unwrap();
        assert_eq!(slots.remove(first), Some('a'));
        assert_eq!(slots.remove(first), None);
        let third = slots.insert('c').unwrap();
        assert_eq!(third & 0xFFFF_FFFF, first & 0xFFFF_FFFF, "the same slot");
        assert_ne!(third, first);
        assert_eq!(slots.with(first, |object| *object), None);
        assert_eq!(slots.with(second, |object| *object), Some('b'));
        assert_eq!(slots.with(third, |object| *object), Some('c'));
    }

    #[test]
    fn what_is_taken_out_together_leaves_free_slots() {
        let slots = Slots::new();
        let handles: Vec<i64> = (0..6).map(|number| slots.insert(number).unwrap()).collect();
        assert_eq!(slots.remove_if(|number| number % 2 == 0), [0, 2, 4]);
        assert_eq!(slots.count(|_| true), 3);
        assert_eq!(slots.with(handles[1], |number| *number), Some(1));
        for number in 6..9 {
            let handle = slots.insert(number).unwrap();
            assert!(handle & 0xFFFF_FFFF < 6, "a slot that was free");
        }
        assert_eq!(slots.count(|_| true), 6);
    }
}
