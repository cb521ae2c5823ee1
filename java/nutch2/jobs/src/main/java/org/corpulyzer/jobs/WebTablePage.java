package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.CrawlDescription;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * A row of the web table as a page of a corpus. One holder serves a whole scan: {@link #read}
 * points it at the next row.
 */
public final class WebTablePage implements CorpusPage {

  /** Bytes of rows that a region server sends at a time. */
  private static final long SCAN_BYTES = 2 << 20;

  private static final String FIGURES = "crp.";
  private static final Column[] REPORTED = {
    Column.STATUS,
    Column.BATCH,
    Column.PROTOCOL_STATUS,
    Column.LANGUAGES,
    Column.DECISION,
    Column.JUNK,
    Column.RAW_BYTES,
    Column.VISIBLE_BYTES,
    Column.MAIN_BYTES,
    Column.CONTENT_TYPE,
    Column.SIGNATURE,
    Column.TEXT
  };
  private static final Map<String, Column> FIGURE_COLUMNS = new HashMap<>();

  static {
    for (Column column : Column.values()) {
      if (column.mapKey() != null) {
        FIGURE_COLUMNS.put(column.mapKey(), column);
      }
    }
  }

  private final WebTable table;
  private final PageRow row;
  private final HBaseColumn headers;
  private final HBaseColumn metadata;
  private final HostCursor cursor = new HostCursor();
  private BatchRounds rounds;
  private Result result;

  /** Null for decisions as stored. */
  private Decisions decisions;

  private String decision;

  /**
   * @param conf Nutch's configuration, with {@code storage.crawl.id}
   * @throws org.corpulyzer.engine.CorpulyzerException as {@link WebTable#of}
   */
  public WebTablePage(Configuration conf) throws IOException {
    table = WebTable.of(conf);
    row =
        new PageRow(
            table,
            Column.STATUS,
            Column.BATCH,
            Column.PROTOCOL_STATUS,
            Column.CONTENT_TYPE,
            Column.SIGNATURE,
            Column.TITLE,
            Column.TEXT,
            Column.VERSION,
            Column.JUNK,
            Column.LANGUAGES,
            Column.LANGUAGE_SET,
            Column.DECISION,
            Column.CHARSET,
            Column.RAW_BYTES,
            Column.VISIBLE_BYTES,
            Column.MAIN_BYTES,
            Column.PUBLISHED,
            Column.MODIFIED,
            Column.DATE_SOURCE,
            Column.LICENSE,
            Column.LICENSE_URL,
            Column.LICENSE_SOURCE,
            Column.RESERVATION,
            Column.ALTERNATES,
            Column.AUTHOR,
            Column.SITE_NAME,
            Column.HEADLINE,
            Column.CONTENT);
    headers = table.column(WebPage.Field.HEADERS);
    metadata = table.column(WebPage.Field.METADATA);
  }

  /**
   * @param conf Nutch's configuration, with {@code storage.crawl.id}
   * @return description of the crawl for WARC files
   */
  public static CrawlDescription description(Configuration conf) {
    return new CrawlDescription(
        "Corpulyzer on Apache Nutch 2.4",
        WebTable.prefix(conf.get(Nutch.CRAWL_ID_KEY, "")) + "webpage",
        conf.get(Settings.LANGUAGE_TARGET),
        conf.get("http.agent.name"),
        conf.get("http.agent.email", conf.get("http.agent.url")));
  }

  /**
   * @return a scan of the columns that documents of this format need
   */
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

  /**
   * @return a scan of the columns that a report needs
   */
  Scan reportScan() {
    return new PageRow(table, REPORTED).scan();
  }

  /** Numbers the rounds of batches with ids of the operator's own too. */
  void numberRounds(BatchRounds byBatch) {
    rounds = byBatch;
  }

  /**
   * Limits a scan to rows with bytes in a language (ISO 639-3), and some without; of others the
   * region servers read no contents.
   */
  void onlyIn(Scan scan, String language) {
    only(scan, whereIn(language));
  }

  /**
   * Limits a scan to rows that the parser kept or that have bytes in a language (ISO 639-3): by
   * policy precision no other is kept, whatever the settings of the parser were.
   */
  void onlyKeptOrIn(Scan scan, String language) {
    only(
        scan,
        new FilterList(
            FilterList.Operator.MUST_PASS_ONE,
            where(Column.DECISION, new BinaryPrefixComparator(HBase.utf8("keep"))),
            whereIn(language)));
  }

  private Filter whereIn(String language) {
    return where(Column.LANGUAGES, new SubstringComparator(language + ":"));
  }

  private void only(Scan scan, Filter filter) {
    scan.setFilter(filter);
    scan.setLoadColumnFamiliesOnDemand(true);
  }

  private Filter where(Column column, ByteArrayComparable value) {
    HBaseColumn place = column.in(table);
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            place.getFamily(), place.getQualifier(), CompareOp.EQUAL, value);
    filter.setFilterIfMissing(true);
    return filter;
  }

  /** Makes decisions again that were made by other settings. */
  void decideBy(Decisions present) {
    decisions = present;
  }

  /** Points this at a row. */
  public void read(Result next) {
    result = next;
    decision = null;
    row.read(next);
    cursor.moveTo(row.first());
  }

  /**
   * @return whether the row's key has a host; the host alone was looked at, so two keys that are no
   *     UTF-8 may read the same
   */
  boolean hasHost() {
    return cursor.host() != null;
  }

  /**
   * @return whether the row's key is a reversed URL; without one the other methods fail
   */
  public boolean isValid() {
    // A corpus has an id once.
    return hasHost() && CellUtil.matchingRow(row.first(), HBase.utf8(row.key()));
  }

  /**
   * @return whether the page was fetched, or found unchanged when fetched again
   */
  public boolean isFetched() {
    return row.isFetched();
  }

  /**
   * @return whether the page was fetched and parsed once, and the server no longer has it; a dead
   *     link never was a page
   */
  boolean isGone() {
    return row.status() == CrawlStatus.STATUS_GONE && row.has(Column.LANGUAGES);
  }

  @Override
  public boolean hasText() {
    Cell text = row.cell(Column.TEXT);
    return text != null && text.getValueLength() > 0;
  }

  @Override
  public boolean hasContent() {
    return row.has(Column.CONTENT);
  }

  @Override
  public String id() {
    return row.key();
  }

  @Override
  public String url() {
    return RowKeys.url(row.key());
  }

  @Override
  public String host() {
    return TableUtil.unreverseHost(cursor.host());
  }

  /**
   * @return as {@link PageRow#round}, or as {@link BatchRounds} if they are used
   */
  @Override
  public long round() {
    return rounds == null ? row.round() : rounds.of(row, fetchMillis());
  }

  /**
   * @return when the fetcher wrote the response; after updatedb the fetch time's column holds the
   *     next one
   */
  @Override
  public long fetchMillis() {
    Cell cell = row.cell(Column.PROTOCOL_STATUS);
    return cell == null ? 0 : cell.getTimestamp();
  }

  @Override
  public String title() {
    return CorpusPage.orEmpty(row.text(Column.TITLE));
  }

  @Override
  public String text() {
    return CorpusPage.orEmpty(row.text(Column.TEXT));
  }

  @Override
  public byte[] utf8Text() {
    return row.value(Column.TEXT);
  }

  @Override
  public String contentType() {
    return CorpusPage.orEmpty(row.text(Column.CONTENT_TYPE));
  }

  @Override
  public byte[] signature() {
    return row.value(Column.SIGNATURE);
  }

  @Override
  public byte[] content() {
    return row.value(Column.CONTENT);
  }

  /**
   * @return header lines, of a scan for {@link DocumentFormat#warc}
   */
  @Override
  public Map<String, List<String>> headers() {
    Map<String, List<String>> lines = new TreeMap<>();
    map(headers.getFamily(), "")
        .forEach((name, value) -> lines.put(name, Collections.singletonList(value)));
    return lines;
  }

  /**
   * @return figures by key, of a scan for {@link DocumentFormat#warc}
   */
  @Override
  public Map<String, String> figures() {
    Map<String, String> figures = map(metadata.getFamily(), FIGURES);
    figures.computeIfPresent(PageKeys.DECISION, (key, stored) -> figure(key));
    return figures;
  }

  @Override
  public String figure(String key) {
    Column column = FIGURE_COLUMNS.get(key);
    String stored = column == null ? null : row.text(column);
    if (stored == null || decisions == null || column != Column.DECISION) {
      return stored;
    }
    if (decision == null) {
      decision = decisions.of(this, stored);
    }
    return decision;
  }

  private Map<String, String> map(byte[] family, String prefix) {
    Map<String, String> map = new TreeMap<>();
    NavigableMap<byte[], byte[]> cells = result.getFamilyMap(family);
    if (cells != null) {
      cells.forEach(
          (name, value) -> {
            String key = new String(name, StandardCharsets.UTF_8);
            if (key.startsWith(prefix)) {
              map.put(key, new String(value, StandardCharsets.UTF_8));
            }
          });
    }
    return map;
  }
}
