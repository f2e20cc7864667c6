//! Only real parameters are found, in each dialect, and only real table names replaced.

use proptest::prelude::*;
use tickwell_engine::error::{Error, ErrorKind};
use tickwell_engine::statement::placeholder::{Dialect, resolve_tables, scan};

const ALL: [Dialect; 3] = [Dialect::SQLITE, Dialect::POSTGRES, Dialect::MYSQL];

/// Asserts that exactly the marked places `¿` of a text are parameters, the marks being `?`.
fn found(dialect: Dialect, marked: &str) {
    let expected: Vec<_> = marked
        .match_indices('¿')
        .enumerate()
        // The mark has two bytes, the parameter one.
        .map(|(index, (at, _))| at - index)
        .collect();
    let sql = marked.replace('¿', "?");
    let scanned = scan(&sql, &dialect).unwrap();
    assert_eq!(scanned.parameters(), expected, "{sql}");
    assert_eq!(scanned.parameter_count(), expected.len());
}

#[test]
fn text_names_and_comments_hold_no_parameters() {
    for dialect in ALL {
        found(dialect, "SELECT ¿, '?', 'it''s ?' FROM t WHERE a = ¿");
        found(dialect, "SELECT \"a?\", \"b\"\"?\" FROM t WHERE a IN (¿,¿,¿)");
        found(dialect, "SELECT 1 -- why?\n WHERE a = ¿ -- ?");
        found(dialect, "SELECT /* ? * / ' */ ¿ /* ? **/");
        found(dialect, "¿");
        found(dialect, "");
        found(dialect, "SELECT '' || ¿ || ''");
        found(dialect, "SELECT '😀?', ¿, 'é'");
        found(dialect, "UPDATE t SET a = a - ¿ / ¿ * -¿");
    }
}

#[test]
fn sqlite_quotes_names_three_ways() {
    found(Dialect::SQLITE, "SELECT `a?`, `b``?`, [c?'] FROM t WHERE d = ¿");
    // It has neither of these.
    found(Dialect::SQLITE, r"SELECT '\', ¿");
    found(Dialect::SQLITE, "SELECT 1 # ¿");
    found(Dialect::SQLITE, "/* /* */ ¿");
    found(Dialect::SQLITE, "SELECT $$ ¿ $$");
}

#[test]
fn postgres_has_dollar_quotes_escape_strings_and_nested_comments() {
    let pg = Dialect::POSTGRES;
    found(pg, "DO $$ BEGIN '?' ? END $$; SELECT ¿");
    found(pg, "SELECT $body$ ? $$ ? $other$ ' $body$, ¿");
    found(pg, "SELECT $1, a$b$ + ¿ + c$b$");
    found(pg, r"SELECT E'\'?', e'\\', ¿, '\', ¿");
    found(pg, r"SELECT name'\', ¿");
    found(pg, "SELECT a[¿], b[1] # ¿");
    found(pg, "/* /* ? */ ? */ ¿");
    found(pg, "SELECT $é$ ? $é$, ¿");
}

#[test]
fn postgres_writes_its_question_operators_doubled() {
    let sql = "SELECT * FROM t WHERE data ?? 'a?' AND data ??| array[?] AND data ??& ?";
    let scanned = scan(sql, &Dialect::POSTGRES).unwrap();
    assert_eq!(scanned.parameter_count(), 2);
    assert_eq!(
        scanned.render(|_| unreachable!("no table")).unwrap(),
        "SELECT * FROM t WHERE data ? 'a?' AND data ?| array[?] AND data ?& ?"
    );
    // Elsewhere there are no such operators, and nothing to escape.
    assert_eq!(scan("a ?? b", &Dialect::SQLITE).unwrap().parameter_count(), 2);
}

#[test]
fn mysql_has_backslashes_hashes_and_executed_comments() {
    let mysql = Dialect::MYSQL;
    found(mysql, r#"SELECT '\'?', "\"?", '\\', ¿"#);
    found(mysql, "SELECT 1 # why?\n + ¿");
    found(mysql, "SELECT 5--¿, 5--\t?\n, ¿ --");
    found(mysql, "SELECT /*! STRAIGHT_JOIN */ ¿ /*!50000 + ¿ */ /*M! + ¿ */ /* ? */");
    found(mysql, "SELECT `a?`, `b``?`, ¿");
    // The nested opening is text there.
    found(mysql, "/* /* ? */ ¿");
}

#[test]
fn what_does_not_end_is_refused_with_its_place() {
    let refusal = |dialect: &Dialect, sql: &str| {
        let error = scan(sql, dialect).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{sql}");
        error.to_string()
    };
    for dialect in ALL {
        assert_eq!(
            refusal(&dialect, "SELECT é\n, 'open"),
            "scan: a literal does not end (line: 2, character: 3)"
        );
        assert!(refusal(&dialect, "SELECT \"a\"\"").contains("a quoted name or literal"));
        assert!(refusal(&dialect, "/* a * /").contains("a comment does not end (line: 1"));
        assert!(refusal(&dialect, "/*/").contains("a comment does not end"));
        assert!(refusal(&dialect, "SELECT 1\0, ?").contains("U+0000 (line: 1, character: 9)"));
        assert!(refusal(&dialect, "SELECT ?1").contains("no numbers"));
    }
    assert!(refusal(&Dialect::SQLITE, "SELECT [a").contains("a name in brackets"));
    assert!(refusal(&Dialect::SQLITE, "SELECT `a").contains("a quoted name"));
    assert!(refusal(&Dialect::POSTGRES, "SELECT $a$ $b$").contains("a dollar-quoted literal"));
    assert!(refusal(&Dialect::POSTGRES, "/* /* */").contains("a comment"));
    assert!(refusal(&Dialect::MYSQL, r"SELECT '\'").contains("a literal"));
}

#[test]
fn table_names_are_replaced_outside_of_text() {
    let sql = "SELECT '{a}', {balances}.x, {b-2.c_} -- {d}\n FROM {balances} WHERE \"{e}\" = ?";
    let scanned = scan(sql, &Dialect::SQLITE).unwrap();
    assert_eq!(scanned.tables().collect::<Vec<_>>(), ["balances", "b-2.c_", "balances"]);
    assert_eq!(scanned.parameter_count(), 1);
    assert_eq!(
        scanned.render(|name| Ok(format!("\"demo_{name}\""))).unwrap(),
        "SELECT '{a}', \"demo_balances\".x, \"demo_b-2.c_\" -- {d}\n FROM \"demo_balances\" WHERE \"{e}\" = ?"
    );
}

#[test]
fn other_braces_stay() {
    for sql in ["{}", "{", "a{b", "{d '2024-01-01'}", "{ts?}", "}{", "{a b}"] {
        let scanned = scan(sql, &Dialect::MYSQL).unwrap();
        assert_eq!(scanned.tables().count(), 0, "{sql}");
        assert_eq!(scanned.render(|_| unreachable!("no table")).unwrap(), sql);
    }
}

#[test]
fn names_become_quoted_physical_tables() {
    let tables = [("t".to_owned(), "p_t".to_owned()), ("odd".to_owned(), "a`{t}\"b".to_owned())];
    for (sql, expected) in [
        ("SELECT 1", "SELECT 1"),
        ("SELECT * FROM {t}", r#"SELECT * FROM "p_t""#),
        ("SELECT 'it''s {t}', {t}", r#"SELECT 'it''s {t}', "p_t""#),
        ("SELECT \"{t}\", `{t}`, [{t}]", "SELECT \"{t}\", `{t}`, [{t}]"),
        ("SELECT 1 /* {t} */ - {t} / {t}", r#"SELECT 1 /* {t} */ - "p_t" / "p_t""#),
        ("-- {t}\n{t}", "-- {t}\n\"p_t\""),
        ("SELECT {odd}", r#"SELECT "a`{t}""b""#),
    ] {
        assert_eq!(resolve_tables("query", sql, &tables, &Dialect::SQLITE).unwrap(), expected);
    }
    let mysql = resolve_tables("query", "SELECT {odd}", &tables, &Dialect::MYSQL).unwrap();
    assert_eq!(mysql, "SELECT `a``{t}\"b`");
    let operator = resolve_tables("query", "SELECT a ?? 'k'", &[], &Dialect::POSTGRES).unwrap();
    assert_eq!(operator, "SELECT a ? 'k'");
    let error =
        resolve_tables("query", "SELECT 1 FROM {nobody}", &tables, &Dialect::SQLITE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTable);
    assert_eq!(error.context(), [("table", "nobody".to_owned())]);
}

#[test]
fn an_unknown_table_stops_the_statement() {
    let scanned = scan("SELECT * FROM {a}", &Dialect::SQLITE).unwrap();
    let error =
        scanned.render(|name| Err(Error::new(ErrorKind::UnknownTable, "query", name))).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::UnknownTable, "a"));
}

/// Pieces of SQL that matter to a scanner, in any order.
fn any_sql() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "?", "??", "'", "''", "\"", "`", "[", "]", "--", "\n", "/*", "*/", "/*!", "#", "$", "$$",
        "$a$", "E'", "\\", "{", "}", "{t}", " ", "a", "1", "é", "😀",
    ]);
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_scanned_or_refused(sql in any_sql()) {
        for dialect in ALL {
            let Ok(scanned) = scan(&sql, &dialect) else { continue };
            let all = scanned.parameters().iter().all(|&at| sql.as_bytes()[at] == b'?');
            prop_assert!(all);
            prop_assert!(scanned.parameters().is_sorted());
            let rendered = scanned.render(|name| Ok(format!("\"{name}\""))).unwrap();
            // Rendering changes names and operators alone: the parameters are the same ones.
            if !dialect.question_operators {
                prop_assert_eq!(scan(&rendered, &dialect).unwrap().parameter_count(), scanned.parameter_count());
            }
        }
    }

    #[test]
    fn a_quoted_text_hides_whatever_it_holds(text in any_sql(), before in 0_usize..3) {
        // Doubled quotes and backslashes make any text a literal of every dialect but for the
        // backslashes of those that have no escapes, which stand for themselves there.
        let literal = text.replace('\'', "''");
        for dialect in ALL {
            let literal = if dialect.backslash_escapes { literal.replace('\\', "\\\\") } else { literal.clone() };
            let sql = format!("SELECT {}'{literal}', ?", "?, ".repeat(before));
            prop_assert_eq!(scan(&sql, &dialect).unwrap().parameter_count(), before + 1);
        }
    }
}
