//! The golden pages: what each holds, and where its parts lie.

use tickwell_engine::backend::ResultLimits;
use tickwell_engine::page::{MAX_PAGE_BYTES, Page, PageBuilder, PageColumn};
use tickwell_engine::value::{ValueRef, ValueType};

/// A part of a file that gets a comment of its own.
pub struct Section {
    pub offset: usize,
    pub what: String,
}

/// One golden page by its values.
pub struct Golden {
    pub name: &'static str,
    pub title: &'static str,
    columns: Vec<PageColumn>,
    rows: Vec<Vec<ValueRef<'static>>>,
}

impl Golden {
    pub fn build(&self) -> Page {
        let limits = ResultLimits { max_rows: usize::MAX, max_bytes: MAX_PAGE_BYTES };
        let mut builder = PageBuilder::new(self.columns.clone(), limits);
        for value in self.rows.iter().flatten() {
            builder.push(*value).unwrap();
        }
        builder.finish().unwrap()
    }

    pub fn assert_values(&self, page: &Page) {
        assert_eq!(page.rows(), self.rows.len(), "{}", self.name);
        assert_eq!(page.column_count(), self.columns.len(), "{}", self.name);
        for (index, column) in self.columns.iter().enumerate() {
            assert_eq!(page.column_type(index), Some(column.value_type));
            assert_eq!(page.column_name(index).unwrap_or(""), column.name);
            for (row, values) in self.rows.iter().enumerate() {
                let found = page.value(row, index).unwrap();
                assert!(same(found, values[index]), "{} row {row} column {index}", self.name);
            }
        }
    }
}

/// Equal to the last bit: NaN is itself and 0.0 is not -0.0.
fn same(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    match (a, b) {
        (ValueRef::Float(a), ValueRef::Float(b)) => a.to_bits() == b.to_bits(),
        (ValueRef::Double(a), ValueRef::Double(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}

/// Longer than all the rest of a small page.
const LONG: &str = match std::str::from_utf8(&[b'x'; 128]) {
    Ok(text) => text,
    Err(_) => "",
};

const UUID: [u8; 16] = [
    0x06, 0x9a, 0x79, 0xf4, 0x44, 0xe9, 0x47, 0x26, 0xa5, 0xbe, 0xfc, 0xa9, 0x0e, 0x38, 0xaa, 0xf5,
];

pub fn good() -> Vec<Golden> {
    let every_type: Vec<_> = ValueType::ALL
        .iter()
        .map(|&value_type| PageColumn { name: value_type.name().to_owned(), value_type })
        .collect();
    let [typical, least, greatest] = every_value();
    let null = vec![ValueRef::Null; every_type.len()];
    vec![
        Golden {
            name: "all-types",
            title: "Every type, named after itself, with a typical, a least and a greatest value.",
            columns: every_type.clone(),
            rows: vec![typical.clone(), least, greatest],
        },
        Golden {
            name: "nulls",
            title: "Every type: null, the typical value, null.",
            columns: every_type.clone(),
            rows: vec![null.clone(), typical, null],
        },
        Golden {
            name: "zero-rows",
            title: "Every type and no row.",
            columns: every_type,
            rows: vec![],
        },
        Golden {
            name: "no-names",
            title: "Parameters: one row of columns without names.",
            columns: [ValueType::Int, ValueType::Text]
                .map(|value_type| PageColumn { name: String::new(), value_type })
                .to_vec(),
            rows: vec![vec![ValueRef::Integer(7), ValueRef::Text("Steve")]],
        },
        Golden {
            name: "multi-byte",
            title: "Names and texts of one to four bytes a code point, and U+0000.",
            columns: vec![
                PageColumn { name: "naïve_😀".to_owned(), value_type: ValueType::Text },
                PageColumn { name: "漢字".to_owned(), value_type: ValueType::String },
            ],
            rows: vec![
                vec![ValueRef::Text("😀"), ValueRef::Text("é")],
                vec![ValueRef::Text("a\0b"), ValueRef::Text("漢")],
                vec![ValueRef::Text(""), ValueRef::Text("a😀é漢")],
            ],
        },
        Golden {
            name: "nine-rows",
            title: "Nine rows, so that a bitmap takes two bytes; one column with nulls at both ends, one without.",
            columns: vec![
                PageColumn { name: "id".to_owned(), value_type: ValueType::BigInt },
                PageColumn { name: "alive".to_owned(), value_type: ValueType::Boolean },
                PageColumn { name: "name".to_owned(), value_type: ValueType::Text },
            ],
            rows: (0..9)
                .map(|row| {
                    let alive = match row {
                        0 | 8 => ValueRef::Null,
                        _ => ValueRef::Boolean(row % 2 == 1),
                    };
                    let name = if row == 4 { ValueRef::Null } else { ValueRef::Text("x") };
                    vec![ValueRef::Integer(row), alive, name]
                })
                .collect(),
        },
    ]
}

/// For every type, in the order of the codes, a typical, a least and a greatest value.
fn every_value() -> [Vec<ValueRef<'static>>; 3] {
    use ValueRef::{Boolean, Bytes, Double, Float, Integer, Text, Uuid};
    let rows = [
        (Boolean(true), Boolean(false), Boolean(true)),
        (Integer(1), Integer(-128), Integer(127)),
        (Integer(1), Integer(-32_768), Integer(32_767)),
        (Integer(1), Integer(-2_147_483_648), Integer(2_147_483_647)),
        (Integer(1), Integer(i64::MIN), Integer(i64::MAX)),
        (Float(1.5), Float(-0.0), Float(f32::NAN)),
        (Double(1.5), Double(-0.0), Double(f64::INFINITY)),
        (Text("1.50"), Text("-0.001"), Text("12345678901234567890.123456789")),
        (Text("Steve"), Text(""), Text("Zoë")),
        (Text("line one\nline two"), Text(""), Text("😀")),
        (Bytes(&[0, 1, 2]), Bytes(&[]), Bytes(&[0xff])),
        (Uuid(UUID), Uuid([0; 16]), Uuid([0xff; 16])),
        (Integer(19_782), Integer(-1), Integer(2_932_896)),
        (Integer(45_296_789_012), Integer(0), Integer(86_399_999_999)),
        (Integer(1_709_210_096_789_012), Integer(-1), Integer(253_402_300_799_999_999)),
        (Integer(1_000_000_000), Integer(i64::MIN), Integer(i64::MAX)),
        (Text("{\"a\":1}"), Text("[]"), Text("null")),
        (Bytes(&[0x0a, 0, 0, 0]), Bytes(&[]), Bytes(&[0xff; 9])),
        (Bytes(&HOME), Bytes(&[0; 48]), Bytes(&NETHER)),
        (Bytes(&[0x0a, 0]), Bytes(&[]), Bytes(&[0x7f])),
        (Bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), Bytes(&[]), Bytes(&[0x7f])),
    ];
    [
        rows.iter().map(|row| row.0).collect(),
        rows.iter().map(|row| row.1).collect(),
        rows.iter().map(|row| row.2).collect(),
    ]
}

const HOME: [u8; 53] = location(UUID, [0.5, 64.0, -0.5], [90.0, -45.0], *b"world");
const NETHER: [u8; 54] =
    location([0xff; 16], [-29_999_984.0, 320.0, 29_999_984.0], [-180.0, 90.0], *b"w\xc3\xb6rld");

/// A location's bytes; `TOTAL` is 48 and the length of the world's name.
const fn location<const NAME: usize, const TOTAL: usize>(
    world: [u8; 16],
    position: [f64; 3],
    angles: [f32; 2],
    name: [u8; NAME],
) -> [u8; TOTAL] {
    let mut bytes = [0; TOTAL];
    put(&mut bytes, 0, &world);
    put(&mut bytes, 16, &position[0].to_le_bytes());
    put(&mut bytes, 24, &position[1].to_le_bytes());
    put(&mut bytes, 32, &position[2].to_le_bytes());
    put(&mut bytes, 40, &angles[0].to_le_bytes());
    put(&mut bytes, 44, &angles[1].to_le_bytes());
    put(&mut bytes, 48, &name);
    bytes
}

const fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    let mut index = 0;
    while index < value.len() {
        bytes[at + index] = value[index];
        index += 1;
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The parts of a valid page in their order.
pub fn sections(bytes: &[u8]) -> Vec<Section> {
    let page = Page::parse(bytes.to_vec()).unwrap();
    let mut sections = vec![Section { offset: 0, what: "header".to_owned() }];
    let mut names = None;
    let mut behind = Vec::new();
    for column in 0..page.column_count() {
        let at = 16 + column * 32;
        let value_type = page.column_type(column).unwrap();
        let label = format!("column {column}, {}", value_type.name());
        sections.push(Section { offset: at, what: format!("descriptor of {label}") });
        if page.column_name(column).is_some() && names.is_none() {
            names = Some(word(bytes, at + 4));
        }
        if bytes[at + 1] == 1 {
            behind.push((word(bytes, at + 8), format!("bitmap of {label}")));
        }
        behind.push((word(bytes, at + 12), format!("data of {label}")));
        if value_type.fixed_width().is_none() {
            behind.push((word(bytes, at + 20), format!("heap of {label}")));
        }
    }
    if let Some(offset) = names {
        sections.push(Section { offset, what: "names".to_owned() });
    }
    sections.extend(behind.into_iter().map(|(offset, what)| Section { offset, what }));
    sections
}

/// A page with one thing wrong.
pub struct Bad {
    pub name: &'static str,
    pub title: &'static str,
    /// A part of the message that refuses it, so that it is refused for the right reason.
    pub refusal: &'static str,
    pub bytes: Vec<u8>,
}

pub fn bad() -> Vec<Bad> {
    let base = Golden {
        name: "",
        title: "",
        columns: [ValueType::Boolean, ValueType::Text, ValueType::TimeOfDay]
            .map(|value_type| PageColumn { name: value_type.name().to_owned(), value_type })
            .to_vec(),
        rows: vec![
            vec![ValueRef::Boolean(true), ValueRef::Text("😀"), ValueRef::Integer(0)],
            vec![ValueRef::Null, ValueRef::Text("é"), ValueRef::Integer(1)],
        ],
    }
    .build()
    .into_bytes();
    let (boolean, text, time) = (16, 48, 80);
    let data = |descriptor: usize| word(&base, descriptor + 12);
    let heap = word(&base, text + 20);
    let patched = |at: usize, value: &[u8]| {
        let mut bytes = base.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let length = base.len() as u32;
    let mut rows_without_columns = base[..16].to_vec();
    rows_without_columns[6..16].copy_from_slice(&[0, 0, 2, 0, 0, 0, 16, 0, 0, 0]);
    let overlapping = {
        let text = PageColumn { name: String::new(), value_type: ValueType::Text };
        let page = Golden {
            name: "",
            title: "",
            columns: vec![text.clone(), text],
            rows: vec![vec![ValueRef::Text(LONG), ValueRef::Text("")]],
        };
        let mut bytes = page.build().into_bytes();
        let heap = bytes[16 + 20..16 + 28].to_vec();
        let last_offset = bytes[word(&bytes, 16 + 12) + 4..][..4].to_vec();
        bytes[48 + 20..48 + 28].copy_from_slice(&heap);
        let at = word(&bytes, 48 + 12) + 4;
        bytes[at..at + 4].copy_from_slice(&last_offset);
        bytes
    };
    vec![
        ("empty", "No byte at all.", "0 bytes are no page", Vec::new()),
        ("short-header", "The header is cut off.", "15 bytes are no page", base[..15].to_vec()),
        ("magic", "Another magic.", "begins with", patched(0, b"PK")),
        ("version", "Version 2.", "version 2", patched(4, &[2, 0])),
        (
            "truncated",
            "The last byte is missing.",
            "the header tells",
            base[..base.len() - 1].to_vec(),
        ),
        (
            "trailing",
            "One byte more than the header tells.",
            "the header tells",
            [base.as_slice(), &[0]].concat(),
        ),
        (
            "columns",
            "More columns than there are descriptors.",
            "65535 columns need",
            patched(6, &[0xff, 0xff]),
        ),
        (
            "rows",
            "More rows than there is data.",
            "the bitmap (536870912",
            patched(8, &[0xff, 0xff, 0xff, 0xff]),
        ),
        (
            "rows-without-columns",
            "Two rows without a column.",
            "2 rows without a column",
            rows_without_columns,
        ),
        ("type-zero", "Type code 0.", "type code 0", patched(boolean, &[0])),
        ("type-unknown", "Type code 22.", "type code 22", patched(boolean, &[22])),
        ("flags", "An unknown flag.", "reserved flag", patched(boolean + 1, &[3])),
        ("reserved", "A reserved field is not 0.", "reserved flag", patched(boolean + 28, &[1])),
        (
            "name-outside",
            "A name behind the end.",
            "the name (",
            patched(boolean + 4, &length.to_le_bytes()),
        ),
        (
            "name-utf8",
            "A name that is not UTF-8.",
            "the name is not UTF-8",
            patched(word(&base, boolean + 4), &[0xff]),
        ),
        (
            "bitmap-outside",
            "A bitmap behind the end.",
            "the bitmap (",
            patched(boolean + 8, &length.to_le_bytes()),
        ),
        (
            "bitmap-without-flag",
            "A bitmap's offset without the flag.",
            "without the flag",
            patched(boolean + 1, &[0]),
        ),
        (
            "data-in-header",
            "Data inside of the descriptors.",
            "the data (",
            patched(boolean + 12, &[16, 0, 0, 0]),
        ),
        (
            "data-overflow",
            "Offset plus length is past 32 bits.",
            "the data (",
            patched(time + 12, &[0xf8, 0xff, 0xff, 0xff]),
        ),
        (
            "data-length",
            "One byte of data too few.",
            "do not have 1 bytes",
            patched(boolean + 16, &[1, 0, 0, 0]),
        ),
        (
            "heap-of-fixed",
            "A heap of a fixed type.",
            "a heap in a column of type boolean",
            patched(boolean + 24, &[1, 0, 0, 0]),
        ),
        (
            "heap-outside",
            "A heap that ends behind the end.",
            "the heap (",
            patched(text + 24, &length.to_le_bytes()),
        ),
        (
            "offsets-first",
            "The first offset is not 0.",
            "the offsets run from 1",
            patched(data(text), &[1]),
        ),
        (
            "offsets-descend",
            "An offset before the one before it.",
            "the offsets go back",
            patched(data(text) + 4, &[7]),
        ),
        (
            "offsets-last",
            "The last offset is not the heap's length.",
            "the offsets run from 0 to 5",
            patched(data(text) + 8, &[5]),
        ),
        (
            "text-utf8",
            "Text that is not UTF-8.",
            "row 0: text that is not UTF-8",
            patched(heap, &[0xff]),
        ),
        (
            "text-split",
            "A value that begins inside of a code point.",
            "row 1: text that begins inside",
            patched(data(text) + 4, &[3]),
        ),
        (
            "sections-overlap",
            "Two heaps over the same bytes, together longer than the page.",
            "the sections are longer than the page",
            overlapping,
        ),
        ("boolean", "A boolean of 2.", "row 0: a boolean", patched(data(boolean), &[2])),
        (
            "time-of-day",
            "A time of day at the end of the day.",
            "row 0: a time of day",
            patched(data(time), &86_400_000_000_i64.to_le_bytes()),
        ),
        (
            "time-of-day-negative",
            "A negative time of day.",
            "row 0: a time of day",
            patched(data(time), &(-1_i64).to_le_bytes()),
        ),
    ]
    .into_iter()
    .map(|(name, title, refusal, bytes)| Bad { name, title, refusal, bytes })
    .collect()
}
