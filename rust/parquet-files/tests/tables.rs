//! Tables that are written and read, and tables that are damaged or hostile.
#![allow(clippy::unwrap_used)]

use parquet_files::{open, Cell, Kind, Shard, Table, Value};
use proptest::prelude::*;
use records::{Body, Problem, ProblemKind, Source};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

const ROWS: u64 = 300;

fn columns() -> Vec<(String, Kind)> {
    let columns = [
        ("text", Kind::Text),
        ("url", Kind::Text),
        ("languages", Kind::Text),
        ("date", Kind::Text),
    ];
    let more = [
        ("raw_bytes", Kind::Int),
        ("score", Kind::Float),
        ("gone", Kind::Bool),
        ("z", Kind::Text),
        ("counts", Kind::Map),
        ("seen", Kind::Time),
        ("published", Kind::Day),
    ];
    columns.into_iter().chain(more).map(|(name, kind)| (name.to_owned(), kind)).collect()
}

/// A row, with some nulls.
fn row(number: u64) -> Vec<Cell> {
    let text = |text: String| Cell::Text(text);
    vec![
        text(format!("صفحہ {number}\n\"{}\"", "متن ".repeat(number as usize % 40))),
        text(format!("http://a.pk/{number}")),
        text(format!("{{\"urd\":{number}}}")),
        if number.is_multiple_of(3) { Cell::Null } else { text("2026-11-24T00:00:00Z".to_owned()) },
        Cell::Int(number as i64 - 5),
        if number.is_multiple_of(7) { Cell::Float(f64::NAN) } else { Cell::Float(0.5) },
        Cell::Bool(number.is_multiple_of(2)),
        Cell::Null,
        match number % 4 {
            3 => Cell::Null,
            entries => Cell::Map((0..entries).map(|n| (format!("k{n}"), n as i64 - 1)).collect()),
        },
        Cell::Time(1_795_478_400_000 + number as i64),
        if number.is_multiple_of(2) { Cell::Null } else { Cell::Day(20_000 + number as i32) },
    ]
}

fn table(rows: u64) -> Vec<u8> {
    let mut shard = Shard::new(Vec::new(), columns(), &["languages".to_owned()]).unwrap();
    (0..rows).for_each(|number| shard.add(row(number)).unwrap());
    shard.finish().unwrap()
}

#[test]
fn a_table_that_the_file_system_cannot_read_is_not_damaged() {
    let folder = TempDir::new().unwrap();
    let (path, name) = (folder.path().to_owned(), "x".to_owned());
    // A folder can be opened, and not be read.
    let source = Source { path, name, bytes: Some(4096), ranges: None };
    let problem = open(&source, 1 << 20, &Arc::default()).unwrap().next().unwrap().unwrap_err();
    assert_eq!(problem.kind, ProblemKind::Unreadable, "{problem}");
    assert!(problem.what.starts_with("the file cannot be read: "), "{problem}");
}

fn read(path: &Path) -> Vec<Result<String, Problem>> {
    let source = Source::new(path).unwrap();
    let line = |body: Body| match body {
        Body::Json(line) => String::from_utf8(line).unwrap(),
        other => panic!("{other:?}"),
    };
    match open(&source, 1 << 20, &Arc::default()) {
        Ok(records) => records.map(|record| record.map(|record| line(record.body))).collect(),
        Err(error) => {
            let (kind, place) = (ProblemKind::BrokenTable, String::new());
            vec![Err(Problem { kind, place, what: error.to_string() })]
        }
    }
}

fn read_bytes(bytes: &[u8]) -> Vec<Result<String, Problem>> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.parquet");
    fs::write(&path, bytes).unwrap();
    read(&path)
}

#[test]
fn rows_are_records_with_the_fields_of_a_page() {
    let lines: Vec<String> = read_bytes(&table(ROWS)).into_iter().map(Result::unwrap).collect();
    assert_eq!(lines.len() as u64, ROWS);
    assert_eq!(
        lines[1],
        "{\"text\":\"صفحہ 1\\n\\\"متن \\\"\",\"url\":\"http://a.pk/1\",\"languages\":{\"urd\":1},\
         \"fetch_time\":\"2026-11-24T00:00:00Z\",\"raw_bytes\":-4,\"score\":0.5,\"gone\":false,\
         \"counts\":{\"k0\":-1},\"seen\":\"2026-11-24T00:00:00.001Z\",\"published\":\"2024-10-05\"}\n"
    );
    assert!(
        lines[0].ends_with(
            "\"raw_bytes\":-5,\"gone\":true,\"counts\":{},\"seen\":\"2026-11-24T00:00:00Z\"}\n"
        ),
        "no nulls and no NaN: {}",
        lines[0]
    );
    assert!(lines[2].contains("\"counts\":{\"k0\":-1,\"k1\":0}"), "{}", lines[2]);
    assert!(!lines[3].contains("\"counts\""), "{}", lines[3]);
    assert_eq!(table(ROWS), table(ROWS), "the same rows make the same bytes");
}

#[test]
fn many_rows_are_in_several_row_groups() {
    let lines = read_bytes(&table(60_000));
    assert_eq!(lines.len(), 60_000);
    assert!(lines[59_999].as_ref().unwrap().contains("a.pk/59999\""));
}

#[test]
fn columns_are_read_by_their_names() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, table(3)).unwrap();
    let read = Arc::default();
    let table = Table::open(&path, 1 << 20, &read).unwrap();
    let rows: Vec<_> = table.rows(&["raw_bytes", "absent"]).map(Result::unwrap).collect();
    assert_eq!(rows[2], [Value::Int(-3), Value::Null]);
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_table_that_is_cut_anywhere_is_a_problem() {
    let whole = table(50);
    for cut in (4..whole.len()).step_by(61).chain([whole.len() - 1]) {
        let read = read_bytes(&whole[..cut]);
        assert_eq!(read.len(), 1, "{cut}");
        assert_eq!(read[0].as_ref().unwrap_err().kind, ProblemKind::BrokenTable, "{cut}");
    }
    assert!(read_bytes(b"no table")
        .into_iter()
        .all(|one| one.unwrap_err().what == "is no Parquet file"));
}

#[test]
fn a_long_value_is_a_problem_of_its_own() {
    let mut shard = Shard::new(Vec::new(), columns(), &[]).unwrap();
    shard.add(vec![Cell::Text("x".repeat(2 << 20))]).unwrap();
    shard.add(row(1)).unwrap();
    let read = read_bytes(&shard.finish().unwrap());
    assert_eq!(read[0].as_ref().unwrap_err().kind, ProblemKind::TooLong);
    assert!(read[1].is_ok() && read.len() == 2);
}

#[test]
fn a_map_of_more_entries_than_memory_is_a_problem() {
    let columns = vec![("text".to_owned(), Kind::Text), ("counts".to_owned(), Kind::Map)];
    let entries = |count: u64| {
        let mut shard = Shard::new(Vec::new(), columns.clone(), &[]).unwrap();
        let map = Cell::Map((0..count).map(|_| ("a".to_owned(), 1)).collect());
        shard.add(vec![Cell::Text("x".to_owned()), map]).unwrap();
        shard.finish().unwrap()
    };
    let few = read_bytes(&entries(20_000));
    assert!(few[0].as_ref().unwrap().starts_with("{\"text\":\"x\",\"counts\":{\"a\":1,"));
    // Equal entries take next to nothing in the file.
    let file = entries(3_000_000);
    assert!(file.len() < 30_000, "{}", file.len());
    let many = read_bytes(&file);
    let problem = many[0].as_ref().unwrap_err();
    assert_eq!(problem.kind, ProblemKind::BrokenTable);
    assert!(problem.what.contains("column counts its pages take more than"), "{problem}");
}

#[test]
fn a_table_without_text_is_refused() {
    let mut shard = Shard::new(Vec::new(), vec![("url".to_owned(), Kind::Text)], &[]).unwrap();
    shard.add(vec![Cell::Text("http://a.pk/".to_owned())]).unwrap();
    let read = read_bytes(&shard.finish().unwrap());
    let what = "has no column `text`; its columns are: url; --fields text=COLUMN names the one with the text";
    assert_eq!(read[0].as_ref().unwrap_err().what, what);
}

#[test]
fn columns_of_other_programs_have_our_names() {
    let columns = ["content", "warc-target-uri", "warc-date"];
    let columns = columns.map(|name| (name.to_owned(), Kind::Text)).to_vec();
    let mut shard = Shard::new(Vec::new(), columns, &[]).unwrap();
    let row = ["a text", "http://a.pk/", "2024-05-06T07:08:09Z"];
    shard.add(row.map(|text| Cell::Text(text.to_owned())).to_vec()).unwrap();
    let read = read_bytes(&shard.finish().unwrap());
    let expected = r#"{"text":"a text","url":"http://a.pk/","fetch_time":"2024-05-06T07:08:09Z"}"#;
    assert_eq!(read[0].as_ref().unwrap().trim_end(), expected);
}

/// A footer in Thrift's compact protocol, in a file.
fn with_footer(footer: &[u8]) -> Vec<u8> {
    let mut file = b"PAR1".to_vec();
    file.extend(footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

#[test]
fn a_tree_of_columns_without_bound_is_refused_before_it_is_built() {
    // Field 1 version, field 2 a list of structs, each a group with one child (name "a",
    // num_children 1).
    let levels = 9_000u32;
    let mut footer = vec![0x15, 2, 0x19, 0xfc];
    footer.extend([(levels & 0x7f | 0x80) as u8, (levels >> 7) as u8]);
    for _ in 0..levels {
        footer.extend([0x48, 1, b'a', 0x15, 2, 0]);
    }
    footer.push(0);
    let read = read_bytes(&with_footer(&footer));
    assert!(read[0].as_ref().unwrap_err().what.contains("in more than 64 levels"), "{read:?}");
    // A length of metadata that is not there.
    let mut forged = with_footer(&[0]);
    let at = forged.len() - 8;
    forged[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(read_bytes(&forged)[0]
        .as_ref()
        .unwrap_err()
        .what
        .contains("allowed are at most 16777216"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damage_costs_rows_of_the_table_alone(at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 1..6), from_end in any::<bool>()) {
        let mut file = table(60);
        let length = file.len();
        let range = if from_end { at.index(900.min(length)) } else { at.index(length) };
        let place = if from_end { length - 1 - range } else { range };
        for (offset, byte) in bytes.iter().enumerate() {
            if let Some(old) = file.get_mut(place + offset) {
                *old = *byte;
            }
        }
        let read = read_bytes(&file);
        prop_assert!(read.len() <= 64 * file.len());
        for problem in read.iter().filter_map(|one| one.as_ref().err()) {
            prop_assert!([ProblemKind::BrokenTable, ProblemKind::TooLong].contains(&problem.kind), "{problem}");
        }
    }
}
