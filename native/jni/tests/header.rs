//! The committed header is what cbindgen makes of the C interface's sources and of the engine's tables
//! of codes, types and effects. With `TICKWELL_WRITE_GOLDEN=1` it is written anew.

use std::path::Path;

use cbindgen::{
    Builder, Config, DocumentationStyle, EnumConfig, ExportConfig, Language, LineEndingStyle,
    RenameRule, Style,
};

/// Relative to this crate; declarations come in this order.
const SOURCES: [&str; 4] = [
    "../engine/src/error.rs",
    "../engine/src/value.rs",
    "src/capi/types.rs",
    "src/capi/exports.rs",
];

/// What the header calls the engine's enumerations.
const NAMES: [(&str, &str); 3] =
    [("ErrorKind", "TickwellCode"), ("Effect", "TickwellEffect"), ("ValueType", "TickwellType")];

/// Enumerations whose numbers go into plain fields, which cbindgen cannot see.
const NUMBERS: [&str; 3] = ["TickwellInsertMode", "TickwellFilterKind", "TickwellChange"];

const INTRODUCTION: &str = "\
/*
 * The C interface of Tickwell. docs/c-api.md is its manual: linking, the way of a request, ownership,
 * threads. This file is generated; `TICKWELL_WRITE_GOLDEN=1 cargo test --release -p tickwell-jni`
 * writes it anew.
 *
 * - Any thread may call any function, at the same time. Functions that wait say so.
 * - A function that can fail returns a TickwellStatus and fills in its TickwellError, which may be NULL.
 * - Handles are numbers that are checked: a closed, foreign or made up one is refused.
 * - A pointer that is given is read until the function returns and not kept; only the context of a
 *   callback is kept, and never followed. It is NULL, where that is refused or has a meaning, or
 *   points to what its type says, as many of them as its count says; a text without a length ends in a
 *   NUL. Text is UTF-8. Structures are to be zeroed before they are filled in.
 * - A pointer into a result that a function gives stays until the request is closed.
 */";

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut export = ExportConfig::default();
    export.include.extend(NAMES.iter().map(|(name, _)| (*name).to_owned()));
    export.include.extend(NUMBERS.map(str::to_owned));
    export.rename.extend(NAMES.map(|(name, shown)| (name.to_owned(), shown.to_owned())));
    // The engine's sources have other public types.
    export.exclude.extend(["Error", "Result", "ValueRef", "MICROS_PER_DAY"].map(str::to_owned));
    let config = Config {
        language: Language::C,
        cpp_compat: true,
        style: Style::Both,
        header: Some(INTRODUCTION.to_owned()),
        include_guard: Some("TICKWELL_H".to_owned()),
        no_includes: true,
        sys_includes: ["stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
        usize_is_size_t: true,
        documentation_style: DocumentationStyle::C99,
        line_endings: LineEndingStyle::LF,
        line_length: 100,
        tab_width: 4,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        export,
        ..Config::default()
    };
    let builder = SOURCES
        .iter()
        .fold(Builder::new().with_config(config), |b, source| b.with_src(folder.join(source)));
    let mut fresh = Vec::new();
    builder.generate().unwrap().write(&mut fresh);
    let fresh = String::from_utf8(fresh).unwrap();

    let file = folder.join("include/tickwell.h");
    if std::env::var_os("TICKWELL_WRITE_GOLDEN").is_some() {
        std::fs::write(&file, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap();
    let differs = fresh.lines().zip(committed.lines()).position(|(a, b)| a != b);
    assert!(
        fresh == committed,
        "{} is not that of the sources, from line {:?} on; write it with TICKWELL_WRITE_GOLDEN=1",
        file.display(),
        differs.map(|line| line + 1),
    );
}
