//! The golden files in `tests/golden/`: bytes and numbers on which Rust and Java must agree. This
//! test builds each of them anew and compares; with `TICKWELL_WRITE_GOLDEN=1` in the environment it
//! writes them instead. Java's tests read the same files.

#[cfg(test)]
mod pages;
#[cfg(test)]
mod requests;

#[cfg(test)]
mod golden {
    use std::fmt::Write as _;
    use std::path::{Path, PathBuf};

    use tickwell_engine::error::ErrorKind;
    use tickwell_engine::page::Page;
    use tickwell_engine::statement::{decode_request, encode_request};

    use super::pages::{self, Section};
    use super::requests;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
    }

    fn writing() -> bool {
        std::env::var_os("TICKWELL_WRITE_GOLDEN").is_some_and(|value| value == "1")
    }

    /// Compares a golden file with what it should hold, or writes it when asked to.
    fn agree(name: &str, expected: &str) {
        let path = folder().join(name);
        if writing() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, expected).unwrap();
            return;
        }
        let found = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            found, expected,
            "{name} differs; when the format was changed on purpose, run this test with TICKWELL_WRITE_GOLDEN=1"
        );
    }

    /// The bytes of a golden file: pairs of hex digits, `#` begins a comment.
    fn bytes_of(name: &str) -> Vec<u8> {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        text.lines()
            .flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace())
            .map(|pair| u8::from_str_radix(pair, 16).unwrap())
            .collect()
    }

    /// Hex, 16 bytes a line, a comment and a new line where a section begins.
    fn hex(title: &str, bytes: &[u8], sections: &[Section]) -> String {
        let mut text = format!("# {title}\n");
        let mut at = 0;
        let ends = sections.iter().skip(1).map(|section| section.offset).chain([bytes.len()]);
        for (section, end) in sections.iter().zip(ends) {
            assert_eq!(section.offset, at, "sections are in order");
            writeln!(text, "\n# {at}: {}", section.what).unwrap();
            for line in bytes[at..end].chunks(16) {
                let pairs: Vec<_> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                writeln!(text, "{}", pairs.join(" ")).unwrap();
            }
            at = end;
        }
        text
    }

    #[test]
    fn pages_have_these_bytes_and_these_values() {
        for golden in pages::good() {
            let name = format!("{}.hex", golden.name);
            let built = golden.build();
            agree(&name, &hex(golden.title, built.bytes(), &pages::sections(built.bytes())));

            let read = Page::parse(bytes_of(&name)).unwrap();
            assert_eq!(read, built, "{name}");
            golden.assert_values(&read);
        }
    }

    #[test]
    fn bad_pages_are_refused() {
        for bad in pages::bad() {
            let file = format!("bad-pages/{}.hex", bad.name);
            let whole = [Section { offset: 0, what: "the whole page".to_owned() }];
            agree(&file, &hex(bad.title, &bad.bytes, &whole));

            let error = Page::parse(bytes_of(&file)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidPage, "{file}");
            assert!(error.message().contains(bad.refusal), "{file}: {error}");
        }
    }

    #[test]
    fn requests_have_these_bytes_and_this_meaning() {
        for (name, title, statement) in requests::all() {
            let file = format!("requests/{name}.hex");
            let header = requests::header(name);
            let bytes = encode_request(&header, &statement).unwrap();
            let sections = [
                Section { offset: 0, what: "version, kind, flags, deadline".to_owned() },
                Section { offset: 8, what: "statement".to_owned() },
            ];
            agree(&file, &hex(title, &bytes, &sections));
            assert_eq!(decode_request(&bytes_of(&file)).unwrap(), (header, statement), "{name}");
        }
    }

    #[test]
    fn errors_have_these_numbers() {
        let mut text = String::new();
        for kind in ErrorKind::ALL {
            let mut name = String::new();
            for (index, letter) in format!("{kind:?}").char_indices() {
                if index > 0 && letter.is_uppercase() {
                    name.push('_');
                }
                name.push(letter.to_ascii_uppercase());
            }
            writeln!(text, "{} {name}", kind.code()).unwrap();
        }
        agree("errors.txt", &text);
    }

    #[test]
    fn no_golden_file_is_left_over() {
        if writing() {
            return;
        }
        let expected: Vec<String> = pages::good()
            .iter()
            .map(|golden| format!("./{}.hex", golden.name))
            .chain(pages::bad().iter().map(|bad| format!("bad-pages/{}.hex", bad.name)))
            .chain(requests::all().iter().map(|(name, ..)| format!("requests/{name}.hex")))
            .collect();
        for kind in [".", "bad-pages", "requests"] {
            for entry in std::fs::read_dir(folder().join(kind)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let path = format!("{kind}/{name}");
                if !name.ends_with(".hex") {
                    continue;
                }
                assert!(expected.contains(&path), "nothing builds {path}");
            }
        }
    }
}
