package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.jobs.PageRow.Column;

/** A row of the web table as a corpus has it. One holder serves a whole scan: {@link #read} points it at the next row. */
public final class CorpusPage {

  /** Bytes of rows that a region server sends at a time. */
  private static final long SCAN_BYTES = 2 << 20;
  private static final String FIGURES = "crp.";

  private final WebTable table;
  private final PageRow row;
  private final HBaseColumn headers;
  private final HBaseColumn metadata;
  private final HostCursor cursor = new HostCursor();
  private Result result;

  /**
   * @param conf Nutch's configuration, with {@code storage.crawl.id}
   * @throws org.corpulyzer.engine.CorpulyzerException as {@link WebTable#of}
   */
  public CorpusPage(Configuration conf) throws IOException {
    table = WebTable.of(conf);
    row = new PageRow(table, Column.STATUS, Column.BATCH, Column.PROTOCOL_STATUS, Column.CONTENT_TYPE, Column.SIGNATURE, Column.TITLE,
        Column.TEXT, Column.VERSION, Column.JUNK, Column.LANGUAGES, Column.LANGUAGE_SET, Column.DECISION, Column.CHARSET, Column.RAW_BYTES,
        Column.VISIBLE_BYTES, Column.MAIN_BYTES, Column.CONTENT);
    headers = table.column(WebPage.Field.HEADERS);
    metadata = table.column(WebPage.Field.METADATA);
  }

  /** @return a scan of what documents of this format need */
  public Scan scan(DocumentFormat format) {
    Scan scan = row.scan();
    scan.setMaxResultSize(SCAN_BYTES);
    if (format == DocumentFormat.warc) {
      scan.addFamily(headers.getFamily()).addFamily(metadata.getFamily());
    } else {
      HBaseColumn content = Column.CONTENT.in(table);
      scan.getFamilyMap().get(content.getFamily()).remove(content.getQualifier());
    }
    return scan;
  }

  /** Limits a scan to rows that the parser kept, and some that it did not; of others the region servers read no contents. */
  void onlyKept(Scan scan) {
    only(scan, Column.DECISION, new BinaryPrefixComparator(HBase.utf8("keep")));
  }

  /** Limits a scan to rows with bytes in a language (ISO 639-3), and some without; of others the region servers read no contents. */
  void onlyIn(Scan scan, String language) {
    only(scan, Column.LANGUAGES, new SubstringComparator(language + ":"));
  }

  private void only(Scan scan, Column column, ByteArrayComparable value) {
    HBaseColumn place = column.in(table);
    SingleColumnValueFilter filter = new SingleColumnValueFilter(place.getFamily(), place.getQualifier(), CompareOp.EQUAL, value);
    filter.setFilterIfMissing(true);
    scan.setFilter(filter);
    scan.setLoadColumnFamiliesOnDemand(true);
  }

  /** Points this at a row. */
  public void read(Result next) {
    result = next;
    row.read(next);
    cursor.moveTo(row.first());
  }

  /** @return whether the row's key is a reversed URL; without one nothing else here has an answer */
  public boolean isValid() {
    // The cursor looks at the host alone; two keys that are no UTF-8 may read the same, and a corpus has an id once.
    return cursor.host() != null && CellUtil.matchingRow(row.first(), HBase.utf8(row.key()));
  }

  /** @return whether the page was fetched, or found unchanged when fetched again */
  public boolean isFetched() {
    return row.isFetched();
  }

  /** @return whether the parser judged it */
  public boolean isJudged() {
    return row.has(Column.DECISION);
  }

  /** @return whether the parser kept it */
  public boolean isKept() {
    return PageRecord.isKept(row.text(Column.DECISION));
  }

  /** @return whether its main content was found to be junk, rejected for that or not */
  boolean isJunk() {
    return row.has(Column.JUNK);
  }

  /** @return UTF-8 bytes of main content in a language (ISO 639-3); 0 when the figures do not read */
  public long bytesIn(String language) {
    return languages().getOrDefault(language, 0L);
  }

  /** @return whether it has what a document of this format is made of; pages that forbid indexing have no text */
  public boolean has(DocumentFormat format) {
    return hasText() && (format != DocumentFormat.warc || hasContent());
  }

  boolean hasText() {
    Cell text = row.cell(Column.TEXT);
    return text != null && text.getValueLength() > 0;
  }

  boolean hasContent() {
    return row.has(Column.CONTENT);
  }

  /** @return the row key, unique in the crawl */
  public String id() {
    return row.key();
  }

  public String url() {
    return TableUtil.unreverseUrl(row.key());
  }

  /** @return the host as people write it */
  public String host() {
    return TableUtil.unreverseHost(cursor.host());
  }

  /** @return as {@link PageRow#round} */
  public long round() {
    return row.round();
  }

  /** @return milliseconds since 1970: when the fetcher wrote the answer (the fetch time column holds the next one after updatedb) */
  public long fetchMillis() {
    Cell cell = row.cell(Column.PROTOCOL_STATUS);
    return cell == null ? 0 : cell.getTimestamp();
  }

  /** @return the main content's title; empty when there is none */
  public String title() {
    return text(Column.TITLE);
  }

  /** @return main content, blocks joined by line feeds; empty when there is none, and for pages that forbid indexing */
  public String text() {
    return text(Column.TEXT);
  }

  /** @return the MIME type that Nutch found; empty when it found none */
  String contentType() {
    return text(Column.CONTENT_TYPE);
  }

  /** @return WHATWG name of the charset that the page was decoded from; empty when it was not */
  String charset() {
    return text(Column.CHARSET);
  }

  /** @return {@code keep} or {@code reject}, a blank, the reason */
  String decision() {
    return text(Column.DECISION);
  }

  /** @return extractor and identifier, which made the figures */
  String recordVersion() {
    return text(Column.VERSION);
  }

  /** @return MD5 of the page's bytes in hexadecimal, as Nutch signs it; empty when it was not signed */
  String signature() {
    byte[] signature = row.value(Column.SIGNATURE);
    return signature == null ? "" : Bytes.toHex(signature);
  }

  /** @return bytes of the page as fetched; 0 when the row does not tell, as with the next two */
  long rawBytes() {
    return Math.max(0, row.bytes(Column.RAW_BYTES));
  }

  /** @return UTF-8 bytes of visible text */
  long visibleBytes() {
    return Math.max(0, row.bytes(Column.VISIBLE_BYTES));
  }

  /** @return UTF-8 bytes of main content */
  long mainBytes() {
    return Math.max(0, row.bytes(Column.MAIN_BYTES));
  }

  /** @return UTF-8 bytes of main content by ISO 639-3 code, most first; empty when they do not read */
  Map<String, Long> languages() {
    return counts(Column.LANGUAGES);
  }

  /** @return languages that the main content is written in, in whole percent, most first; empty when they do not read */
  Map<String, Long> languageSet() {
    return counts(Column.LANGUAGE_SET);
  }

  /** @return the page as fetched, without the encodings of its way; null when it was not stored or the scan has it not */
  byte[] content() {
    return row.value(Column.CONTENT);
  }

  /** @return header lines of the answer by name, of a scan for {@link DocumentFormat#warc} */
  Map<String, String> headers() {
    return map(headers.getFamily(), "");
  }

  /** @return the page's figures by key ({@link PageKeys}), of a scan for {@link DocumentFormat#warc} */
  Map<String, String> figures() {
    return map(metadata.getFamily(), FIGURES);
  }

  private Map<String, String> map(byte[] family, String prefix) {
    Map<String, String> map = new TreeMap<>();
    NavigableMap<byte[], byte[]> cells = result.getFamilyMap(family);
    if (cells != null) {
      cells.forEach((name, value) -> {
        String key = new String(name, StandardCharsets.UTF_8);
        if (key.startsWith(prefix)) {
          map.put(key, new String(value, StandardCharsets.UTF_8));
        }
      });
    }
    return map;
  }

  /** What stands in a row may come from anyone who writes to the table; one row must not cost an export. */
  private Map<String, Long> counts(Column column) {
    try {
      return LanguageBytes.parse(row.text(column));
    } catch (RuntimeException e) {
      return Collections.emptyMap();
    }
  }

  private String text(Column column) {
    String text = row.text(column);
    return text == null ? "" : text;
  }
}
