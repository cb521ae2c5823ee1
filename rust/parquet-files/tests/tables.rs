//! Tables that are written and read, and tables that are damaged or hostile.
#![allow(clippy::unwrap_used)]

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use parquet_files::{open, Cell, Kind, Shard, Table, Value};
use proptest::prelude::*;
use records::{Body, Fault, Problem, ProblemKind, Random, Source};
use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex};
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
    assert_eq!(problem.kind(), ProblemKind::Unreadable, "{problem}");
    assert!(problem.fault.to_string().starts_with("the file cannot be read: "), "{problem}");
}

fn read(path: &Path) -> Vec<Result<String, Problem>> {
    let source = Source::new(path).unwrap();
    let line = |body: Body| match body {
        Body::Json(line) => String::from_utf8(line).unwrap(),
        other => panic!("{other:?}"),
    };
    match open(&source, 1 << 20, &Arc::default()) {
        Ok(records) => records.map(|record| record.map(|record| line(record.body))).collect(),
        Err(error) => vec![Err(Fault::Table(error.to_string()).at(""))],
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
        assert_eq!(read[0].as_ref().unwrap_err().kind(), ProblemKind::BrokenTable, "{cut}");
    }
    assert!(read_bytes(b"no table")
        .into_iter()
        .all(|one| one.unwrap_err().fault.to_string() == "is no Parquet file"));
}

#[test]
fn a_long_value_is_a_problem_of_its_own() {
    let mut shard = Shard::new(Vec::new(), columns(), &[]).unwrap();
    shard.add(vec![Cell::Text("x".repeat(2 << 20))]).unwrap();
    shard.add(row(1)).unwrap();
    let read = read_bytes(&shard.finish().unwrap());
    assert_eq!(read[0].as_ref().unwrap_err().kind(), ProblemKind::TooLong);
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
    assert_eq!(problem.kind(), ProblemKind::BrokenTable);
    assert!(problem.to_string().contains("column counts its pages take more than"), "{problem}");
}

#[test]
fn a_table_without_text_is_refused() {
    let mut shard = Shard::new(Vec::new(), vec![("url".to_owned(), Kind::Text)], &[]).unwrap();
    shard.add(vec![Cell::Text("http://a.pk/".to_owned())]).unwrap();
    let read = read_bytes(&shard.finish().unwrap());
    let what = "has no column `text`; its columns are: url; --fields text=COLUMN names the one with the text";
    assert_eq!(read[0].as_ref().unwrap_err().fault.to_string(), what);
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
    let problem = read[0].as_ref().unwrap_err();
    assert!(problem.to_string().contains("in more than 64 levels"), "{read:?}");
    // A length of metadata that is not there.
    let mut forged = with_footer(&[0]);
    let at = forged.len() - 8;
    forged[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let read = read_bytes(&forged);
    let problem = read[0].as_ref().unwrap_err();
    assert!(problem.to_string().contains("allowed are at most 16777216"));
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
            prop_assert!([ProblemKind::BrokenTable, ProblemKind::TooLong].contains(&problem.kind()), "{problem}");
        }
    }
}

/// A table of languages and URLs in row groups of 2,000 rows.
fn paged(
    languages: &[Option<&str>],
    page_rows: usize,
    has_index: bool,
    compression: Compression,
) -> Vec<u8> {
    let schema = "message index { optional binary url (utf8); optional binary language (utf8); \
                  required int64 offset; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_data_page_row_count_limit(page_rows)
        .set_column_dictionary_enabled(ColumnPath::from("url"), false)
        .set_write_batch_size(50)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(!has_index)
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for (number, rows) in languages.chunks(2000).enumerate() {
        let mut group = writer.next_row_group().unwrap();
        let offsets: Vec<i64> = (0..rows.len()).map(|row| (number * 2000 + row) as i64).collect();
        let url = |at: &i64| format!("http://h{}.pk/{}", at % 97, at * 7919 % 10_007);
        let urls: Vec<Option<String>> =
            offsets.iter().map(|at| Some(url(at)).filter(|_| at % 5 > 0)).collect();
        let levels = |present: Vec<bool>| present.into_iter().map(i16::from).collect::<Vec<_>>();
        let mut column = group.next_column().unwrap().unwrap();
        let values: Vec<ByteArray> = urls.iter().flatten().map(|url| url.as_str().into()).collect();
        let present = levels(urls.iter().map(Option::is_some).collect());
        column.typed::<ByteArrayType>().write_batch(&values, Some(&present), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let values: Vec<ByteArray> = rows.iter().flatten().map(|code| (*code).into()).collect();
        let present = levels(rows.iter().map(Option::is_some).collect());
        column.typed::<ByteArrayType>().write_batch(&values, Some(&present), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&offsets, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// A file in memory, and which of its bytes were read.
struct Counted(Cursor<Vec<u8>>, Arc<Mutex<Vec<bool>>>);

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.0.position() as usize;
        let read = self.0.read(buffer)?;
        self.1.lock().unwrap()[at..at + read].fill(true);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Random for Counted {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.get_ref().len() as u64)
    }
}

fn is_urdu(values: &[Value]) -> bool {
    values[0].text().is_some_and(|codes| codes.contains("urd"))
}

const NAMES: [&str; 4] = ["language", "none", "url", "offset"];

fn open_counted(bytes: Vec<u8>) -> (Table, Arc<Mutex<Vec<bool>>>) {
    let read = Arc::new(Mutex::new(vec![false; bytes.len()]));
    let file = Counted(Cursor::new(bytes), Arc::clone(&read));
    (Table::of_random(Box::new(file), 1 << 20, &Arc::default()).unwrap(), read)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn wanted_rows_are_those_of_all_rows_that_are_wanted(
        rows in 1usize..5000,
        wanted in proptest::collection::vec((0usize..5000, 1usize..200), 0..4),
        has_index: bool,
        is_gzip: bool,
    ) {
        let mut languages: Vec<Option<&str>> =
            (0..rows).map(|row| if row % 11 == 0 { None } else { Some("eng") }).collect();
        for (start, length) in wanted {
            languages.iter_mut().skip(start).take(length).step_by(3).for_each(|code| {
                *code = Some("eng,urd");
            });
        }
        let gzip = Compression::GZIP(Default::default());
        let compression = if is_gzip { gzip } else { Compression::UNCOMPRESSED };
        let bytes = paged(&languages, 50, has_index, compression);
        let (table, _) = open_counted(bytes.clone());
        let mut all = table.rows(&NAMES);
        let mut expected = Vec::new();
        while let Some(row) = all.next() {
            let row = row.unwrap();
            if is_urdu(&row) {
                expected.push((all.number(), row));
            }
        }
        let (table, _) = open_counted(bytes);
        let mut some = table.rows_where(&NAMES, 2, is_urdu);
        let mut found = Vec::new();
        while let Some(row) = some.next() {
            found.push((some.number(), row.unwrap()));
        }
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn pages_without_a_wanted_row_are_not_read() {
    let mut languages = vec![Some("eng"); 20_000];
    languages[7_000..7_020].fill(Some("urd"));
    for has_index in [true, false] {
        let bytes = paged(&languages, 500, has_index, Compression::UNCOMPRESSED);
        let length = bytes.len();
        let (table, read) = open_counted(bytes);
        assert_eq!(table.rows_where(&NAMES, 1, is_urdu).count(), 20);
        let read = read.lock().unwrap().iter().filter(|&&is_read| is_read).count();
        assert!(read * if has_index { 6 } else { 2 } < length, "{has_index}: {read} of {length}");
    }
}

#[test]
fn what_is_before_damage_is_read_and_the_place_of_the_damage_named() {
    let mut languages = vec![Some("eng"); 6_000];
    languages[2_010..2_015].fill(Some("urd"));
    languages[3_000..3_010].fill(Some("urd"));
    languages[5_000..5_010].fill(Some("urd"));
    let whole = paged(&languages, 50, true, Compression::UNCOMPRESSED);
    let find = |text: &str| {
        let places = whole.windows(text.len()).enumerate();
        places.filter(|(_, bytes)| *bytes == text.as_bytes()).map(|(at, _)| at).next().unwrap()
    };
    // The header of the page of URLs with row 3,000 is before its first value.
    let url = find(&format!("http://h{}.pk/{}", 3001 % 97, 3001 * 7919 % 10_007));
    let mut bytes = whole.clone();
    bytes[url - 40..url - 4].fill(0xff);
    let (table, _) = open_counted(bytes);
    let (mut read, mut bad) = (0, Vec::new());
    for row in table.rows_where(&NAMES, 1, is_urdu) {
        match row {
            Ok(_) => read += 1,
            Err(error) => bad.push(error.to_string()),
        }
    }
    assert_eq!((read, bad.len()), (15, 1), "{bad:?}");
    assert!(bad[0].contains("column url") && bad[0].contains("(page at byte "), "{bad:?}");
}
