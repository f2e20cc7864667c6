//! Pages keep every value, and no bytes make the reader fail.

use proptest::prelude::*;
use tickwell_engine::backend::ResultLimits;
use tickwell_engine::error::ErrorKind;
use tickwell_engine::page::{Page, PageBuilder, PageColumn, Scratch};
use tickwell_engine::value::{ValueRef, ValueType};

use super::support::{Value, any_rows, columns, page, same};

/// Reads every value and one position past each edge.
fn read_all(page: &Page) -> usize {
    let mut present = 0;
    for column in 0..=page.column_count() {
        let exists = column < page.column_count();
        assert_eq!(page.column_type(column).is_some(), exists);
        assert!(exists || (page.column_name(column).is_none() && !page.has_nulls(column)));
        for row in 0..=page.rows() {
            let inside = row < page.rows() && column < page.column_count();
            assert_eq!(page.value(row, column).is_some(), inside, "row {row} column {column}");
            let uuid = match page.value(row, column) {
                Some(ValueRef::Uuid(uuid)) => Some(uuid),
                _ => None,
            };
            assert_eq!(page.uuid(row, column).copied(), uuid, "row {row} column {column}");
            present += usize::from(inside);
        }
    }
    present
}

proptest! {
    #[test]
    fn the_short_ways_of_numbers_build_the_same_page(
        (columns, rows) in any_rows(),
        max_rows in 0_usize..8,
        max_bytes in 0_usize..4_096,
    ) {
        let limits = ResultLimits { max_rows, max_bytes };
        let build = |short: bool| {
            let mut builder = PageBuilder::new(columns.clone(), limits);
            for value in rows.iter().flatten() {
                match value.as_ref() {
                    ValueRef::Integer(value) if short => builder.push_integer(value)?,
                    ValueRef::Double(value) if short => builder.push_double(value)?,
                    value => builder.push(value)?,
                }
            }
            builder.finish()
        };
        match (build(true), build(false)) {
            (Ok(short), Ok(long)) => prop_assert_eq!(short.bytes(), long.bytes()),
            (short, long) => prop_assert_eq!(
                short.map(Page::into_bytes).map_err(|error| error.to_string()),
                long.map(Page::into_bytes).map_err(|error| error.to_string())
            ),
        }
    }

    #[test]
    fn a_walk_gives_the_values_of_its_rows(
        (columns, rows) in any_rows(),
        start in 0_usize..10,
        length in 0_usize..10,
    ) {
        let page = page(columns, &rows);
        let range = start..start + length;
        for column in 0..=page.column_count() {
            let mut expected = range.clone().filter_map(|row| Some((row, page.value(row, column)?)));
            page.walk(column, range.clone(), |row, value| match expected.next() {
                Some((at, other)) if at == row && same(value, other) => Ok(()),
                _ => Err(TestCaseError::fail(format!("row {row} column {column}"))),
            })?;
            prop_assert_eq!(expected.next().map(|(row, _)| row), None);

            // The first error ends it.
            let mut visited = 0;
            let ended = page.walk(column, range.clone(), |row, _| {
                visited += 1;
                Err(row)
            });
            prop_assert_eq!(visited, usize::from(ended.is_err()));
            let first = range.clone().find(|&row| page.value(row, column).is_some());
            prop_assert_eq!(ended.err(), first);
        }
    }

    #[test]
    fn values_come_back((columns, rows) in any_rows()) {
        let built = page(columns.clone(), &rows);
        let read = Page::parse(built.bytes().to_vec()).unwrap();
        for page in [&built, &read] {
            prop_assert_eq!(page.rows(), rows.len());
            prop_assert_eq!(page.column_count(), columns.len());
            for (index, column) in columns.iter().enumerate() {
                prop_assert_eq!(page.column_type(index), Some(column.value_type));
                prop_assert_eq!(page.column_name(index).unwrap_or(""), &column.name);
                let nulls = rows.iter().any(|row| row[index].as_ref().is_null());
                prop_assert_eq!(page.has_nulls(index), nulls);
                for (row, values) in rows.iter().enumerate() {
                    let found = page.value(row, index).unwrap();
                    prop_assert!(same(found, values[index].as_ref()), "row {} column {}", row, index);
                    let bytes = match values[index].as_ref() {
                        ValueRef::Text(text) => text.len(),
                        ValueRef::Bytes(bytes) => bytes.len(),
                        _ => column.value_type.fixed_width().unwrap_or(0),
                    };
                    prop_assert_eq!(page.value_bytes(row, index), bytes);
                }
            }
            read_all(page);
        }
    }

    #[test]
    fn the_builder_foretells_the_length((columns, rows) in any_rows()) {
        let mut builder = PageBuilder::new(columns, super::support::UNLIMITED);
        for value in rows.iter().flatten() {
            builder.push(value.as_ref()).unwrap();
        }
        prop_assert_eq!(builder.rows(), rows.len());
        let foretold = builder.bytes();
        prop_assert_eq!(builder.finish().unwrap().bytes().len(), foretold);
    }

    #[test]
    fn arbitrary_bytes_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(page) = Page::parse(bytes) {
            read_all(&page);
        }
    }

    #[test]
    fn changed_bytes_are_no_trouble(
        (columns, rows) in any_rows(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = page(columns, &rows).into_bytes();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        match Page::parse(bytes) {
            Ok(page) => { read_all(&page); }
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::InvalidPage),
        }
    }

    #[test]
    fn a_part_of_a_page_is_refused((columns, rows) in any_rows(), cut in any::<prop::sample::Index>()) {
        let bytes = page(columns, &rows).into_bytes();
        let cut = cut.index(bytes.len());
        prop_assert_eq!(Page::parse(bytes[..cut].to_vec()).unwrap_err().kind(), ErrorKind::InvalidPage);
    }
}

#[test]
fn a_page_over_the_limit_is_refused_by_its_length() {
    let error = Page::parse(vec![0; (64 << 20) + 1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidPage);
    assert!(error.message().contains("67108865 bytes"), "{error}");
}

#[test]
fn a_bitmap_with_every_bit_set_means_no_null() {
    let columns = columns(&[("a", ValueType::TinyInt)]);
    let mut bytes = page(columns, &[vec![Value::Null], vec![Value::Integer(1)]]).into_bytes();
    let bitmap = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    assert_eq!(bytes[bitmap], 0b10);
    bytes[bitmap] = 0b11;
    let page = Page::parse(bytes).unwrap();
    assert!(!page.has_nulls(0));
    assert_eq!(page.value(0, 0), Some(ValueRef::Integer(0)));
}

#[test]
fn bits_behind_the_last_row_do_not_count_as_values() {
    let columns = columns(&[("a", ValueType::TinyInt)]);
    let mut bytes = page(columns, &[vec![Value::Null], vec![Value::Integer(1)]]).into_bytes();
    let bitmap = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    bytes[bitmap] = 0b1111_1110;
    let page = Page::parse(bytes).unwrap();
    assert!(page.has_nulls(0));
    assert_eq!(page.value(0, 0), Some(ValueRef::Null));
}

fn refused(value_type: ValueType, value: ValueRef<'_>) {
    let mut builder =
        PageBuilder::new(columns(&[("first", value_type)]), super::support::UNLIMITED);
    builder.push(ValueRef::Null).unwrap();
    let error = builder.push(value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidValue, "{value_type:?}");
    assert_eq!(
        error.context(),
        [
            ("row", "1".to_owned()),
            ("column", "first".to_owned()),
            ("type", value_type.name().to_owned())
        ]
    );
}

#[test]
fn values_outside_of_their_type_are_refused_by_name() {
    refused(ValueType::TinyInt, ValueRef::Integer(128));
    refused(ValueType::TinyInt, ValueRef::Integer(-129));
    refused(ValueType::SmallInt, ValueRef::Integer(32_768));
    refused(ValueType::Int, ValueRef::Integer(2_147_483_648));
    refused(ValueType::Date, ValueRef::Integer(-2_147_483_649));
    refused(ValueType::TimeOfDay, ValueRef::Integer(-1));
    refused(ValueType::TimeOfDay, ValueRef::Integer(86_400_000_000));
    refused(ValueType::BigInt, ValueRef::Double(1.0));
    refused(ValueType::Double, ValueRef::Float(1.0));
    refused(ValueType::Boolean, ValueRef::Integer(1));
    refused(ValueType::Text, ValueRef::Bytes(b"x"));
    refused(ValueType::Bytes, ValueRef::Text("x"));
    refused(ValueType::Uuid, ValueRef::Bytes(&[0; 16]));
}

#[test]
fn the_short_ways_refuse_what_the_long_one_refuses() {
    let limits = ResultLimits { max_rows: 1, max_bytes: 1_024 };
    for value_type in [ValueType::Int, ValueType::Text, ValueType::Double] {
        let builder = || PageBuilder::new(columns(&[("a", value_type)]), limits);
        let long = builder().push(ValueRef::Integer(1 << 40)).unwrap_err();
        let short = builder().push_integer(1 << 40).unwrap_err();
        assert_eq!(short.to_string(), long.to_string());
    }
    let mut integers = PageBuilder::new(columns(&[("a", ValueType::BigInt)]), limits);
    assert_eq!(integers.push_double(1.0).unwrap_err().kind(), ErrorKind::InvalidValue);
}

#[test]
fn one_row_past_the_limit_is_refused_by_name() {
    let limits = ResultLimits { max_rows: 2, max_bytes: 1 << 20 };
    let mut builder = PageBuilder::new(columns(&[("a", ValueType::Int)]), limits);
    builder.push(ValueRef::Integer(1)).unwrap();
    builder.push(ValueRef::Integer(2)).unwrap();
    let error = builder.push(ValueRef::Integer(3)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResultTooLarge);
    assert_eq!(error.context(), [("max_rows", "2".to_owned())]);
    assert_eq!(builder.finish().unwrap().rows(), 2);
}

#[test]
fn the_limit_of_bytes_is_exact() {
    let build = |max_bytes| {
        let limits = ResultLimits { max_rows: 100, max_bytes };
        let mut builder = PageBuilder::new(columns(&[("a", ValueType::Text)]), limits);
        for _ in 0..100 {
            builder.push(ValueRef::Text("0123456789"))?;
        }
        builder.finish()
    };
    let whole = build(usize::MAX).unwrap().bytes().len();
    assert_eq!(build(whole).unwrap().bytes().len(), whole);
    for less in [whole - 1, whole / 2, 0] {
        let error = build(less).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResultTooLarge, "{less} of {whole}");
        assert_eq!(error.context(), [("max_bytes", less.to_string())]);
    }
}

#[test]
fn a_value_too_large_for_any_page_is_refused_before_it_is_copied() {
    let limits = ResultLimits { max_rows: 1, max_bytes: usize::MAX };
    let mut builder = PageBuilder::new(columns(&[("a", ValueType::Bytes)]), limits);
    let before = builder.bytes();
    let error = builder.push(ValueRef::Bytes(&vec![0; 64 << 20])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResultTooLarge);
    assert_eq!(builder.bytes(), before);
}

#[test]
fn an_incomplete_row_is_no_page() {
    let columns = columns(&[("a", ValueType::Int), ("b", ValueType::Int)]);
    let mut builder = PageBuilder::new(columns, super::support::UNLIMITED);
    builder.push(ValueRef::Integer(1)).unwrap();
    assert_eq!(builder.finish().unwrap_err().kind(), ErrorKind::Internal);
}

#[test]
fn a_page_without_columns_has_no_rows() {
    let mut builder = PageBuilder::new(Vec::new(), super::support::UNLIMITED);
    assert_eq!(builder.push(ValueRef::Null).unwrap_err().kind(), ErrorKind::Internal);
    let page = builder.finish().unwrap();
    assert_eq!((page.rows(), page.column_count(), page.bytes().len()), (0, 0, 16));
}

#[test]
fn a_page_in_used_buffers_is_the_same() {
    let limits = ResultLimits { max_rows: 10, max_bytes: 1 << 20 };
    let column = |name: &str, value_type| PageColumn { name: name.to_owned(), value_type };
    let columns = || vec![column("a", ValueType::Text), column("b", ValueType::BigInt)];
    let rows = [(Some("first"), Some(1)), (None, Some(2)), (Some("third"), None)];
    let fill = |builder: &mut PageBuilder| {
        for (text, number) in rows {
            builder.push(text.map_or(ValueRef::Null, ValueRef::Text)).unwrap();
            builder.push(number.map_or(ValueRef::Null, ValueRef::Integer)).unwrap();
        }
    };
    let mut fresh = PageBuilder::new(columns(), limits);
    fill(&mut fresh);
    let fresh = fresh.finish().unwrap();

    let mut scratch = Scratch::default();
    for round in 0..3 {
        let mut builder = PageBuilder::reusing(columns(), limits, &mut scratch);
        fill(&mut builder);
        assert_eq!(builder.finish_reusing(&mut scratch).unwrap(), fresh, "round {round}");
    }
}
