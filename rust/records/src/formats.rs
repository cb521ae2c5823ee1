//! Names of the formats that are not read.

use crate::http::{sniff, Sniffed};

/// The formats that are read, for messages.
pub(crate) const FORMATS: &str =
    "JSON lines, WARC, WET, ARC, WACZ and Parquet, and gzip, Zstandard, XZ and bzip2 around them";

/// First bytes of files that are not read, and the names of their formats.
const UNREAD: [(&[u8], &str); 26] = [
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"\x02\x21\x4c\x18", "LZ4"),
    (b"\xff\x06\0\0sNaPpY", "Snappy"),
    (b"\x89LZO", "LZO"),
    (b"LZIP", "lzip"),
    (b"\x5d\0\0", "LZMA (.lzma)"),
    (b"\x1f\x8b", "gzip within compressed data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard within compressed data"),
    (b"\xfd7zXZ", "XZ within compressed data"),
    (b"\x1f\x9d", "compress (.Z)"),
    (b"%PDF-", "PDF"),
    (b"SQLite format 3\0", "SQLite"),
    (b"Obj\x01", "Avro"),
    (b"ORC", "ORC"),
    (b"ARROW1", "Arrow"),
    (b"\x89HDF\r\n", "HDF5"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"SEQ\x06", "a Hadoop sequence file"),
    (b"<mediawiki", "a dump of a wiki (see `corpulyzer wikipedia`)"),
    (b" CDX ", "a CDX index"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
];

/// Place and bytes of the name in the first header of a TAR file.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Returns the name of a format that is not read, by a file's first bytes; `None` if it may be one
/// that is.
pub(crate) fn unread_format(start: &[u8]) -> Option<&'static str> {
    let known = UNREAD.iter().find(|(first, _)| start.starts_with(first)).map(|(_, name)| *name);
    let is_tar = || start.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1));
    known.or_else(|| is_tar().then_some("TAR")).or_else(|| match sniff(start) {
        Sniffed::Html => Some("a page in HTML (see `corpulyzer extract`)"),
        Sniffed::Binary => Some("an image or a document"),
        Sniffed::Unknown => start.starts_with(b"<?xml").then_some("XML"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named_by_their_first_bytes() {
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        for (start, name) in [
            (&b"PK\x03\x04rest"[..], Some("ZIP")),
            (b"%PDF-1.4", Some("PDF")),
            (b"\x5d\0\0\x80\0", Some("LZMA (.lzma)")),
            (b"\x1f\x8b\x08", Some("gzip within compressed data")),
            (b"\x89PNG\r\n\x1a\n", Some("an image or a document")),
            (b"<?xml version='1.0'?><rss>", Some("XML")),
            (b"\n<!DOCTYPE html><p>", Some("a page in HTML (see `corpulyzer extract`)")),
            (tar.as_slice(), Some("TAR")),
            (b"WARC/1.0", None),
            (b"{\"text\": \"<p>\"}", None),
            (b"", None),
        ] {
            assert_eq!(unread_format(start), name, "{start:?}");
        }
    }
}
