package org.corpulyzer.jobs;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.HostTally;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Statement;
import org.corpulyzer.engine.WebTableStatus;

/**
 * The columns of a row of the web table that the jobs read. One object serves a whole scan: {@link
 * #read} sets it to the next row.
 */
final class PageRow implements HostTally.Row {

  /** A column that the jobs know. */
  enum Column {
    STATUS(WebPage.Field.STATUS, null),
    FETCH_TIME(WebPage.Field.FETCH_TIME, null),
    FETCH_INTERVAL(WebPage.Field.FETCH_INTERVAL, null),
    RETRIES(WebPage.Field.RETRIES_SINCE_FETCH, null),
    SCORE(WebPage.Field.SCORE, null),
    INJECTED(WebPage.Field.MARKERS, Mark.INJECT_MARK.getName().toString()),
    FOUND(WebPage.Field.MARKERS, PageKeys.FOUND_MARK),
    ELSEWHERE(WebPage.Field.MARKERS, PageKeys.ELSEWHERE_MARK),
    DUPLICATE(WebPage.Field.MARKERS, PageKeys.DUPLICATE_MARK),
    GENERATED(WebPage.Field.MARKERS, Mark.GENERATE_MARK.getName().toString()),
    DISTANCE(WebPage.Field.MARKERS, DbUpdaterJob.DISTANCE.toString()),
    LINK_COUNTS(WebPage.Field.METADATA, PageKeys.LINK_COUNTS),
    PREDICTION(WebPage.Field.METADATA, PageKeys.PREDICTION),
    VERSION(WebPage.Field.METADATA, PageKeys.VERSION),
    LANGUAGES(WebPage.Field.METADATA, PageKeys.LANGUAGES),
    DECISION(WebPage.Field.METADATA, PageKeys.DECISION),
    RAW_BYTES(WebPage.Field.METADATA, PageKeys.RAW_BYTES),
    VISIBLE_BYTES(WebPage.Field.METADATA, PageKeys.VISIBLE_BYTES),
    MAIN_BYTES(WebPage.Field.METADATA, PageKeys.MAIN_BYTES),
    LANGUAGE_SET(WebPage.Field.METADATA, PageKeys.LANGUAGE_SET),
    JUNK(WebPage.Field.METADATA, PageKeys.JUNK),
    CHARSET(WebPage.Field.METADATA, PageKeys.CHARSET),
    PUBLISHED(WebPage.Field.METADATA, Statement.PUBLISHED.key()),
    MODIFIED(WebPage.Field.METADATA, Statement.MODIFIED.key()),
    DATE_SOURCE(WebPage.Field.METADATA, Statement.DATE_SOURCE.key()),
    LICENSE(WebPage.Field.METADATA, Statement.LICENSE.key()),
    LICENSE_URL(WebPage.Field.METADATA, Statement.LICENSE_URL.key()),
    LICENSE_SOURCE(WebPage.Field.METADATA, Statement.LICENSE_SOURCE.key()),
    RESERVATION(WebPage.Field.METADATA, Statement.RESERVATION.key()),
    ALTERNATES(WebPage.Field.METADATA, Statement.ALTERNATES.key()),
    AUTHOR(WebPage.Field.METADATA, Statement.AUTHOR.key()),
    SITE_NAME(WebPage.Field.METADATA, Statement.SITE_NAME.key()),
    HEADLINE(WebPage.Field.METADATA, Statement.HEADLINE.key()),
    BATCH(WebPage.Field.BATCH_ID, null),
    PROTOCOL_STATUS(WebPage.Field.PROTOCOL_STATUS, null),
    CONTENT_TYPE(WebPage.Field.CONTENT_TYPE, null),
    CONTENT(WebPage.Field.CONTENT, null),
    SIGNATURE(WebPage.Field.SIGNATURE, null),
    TITLE(WebPage.Field.TITLE, null),
    TEXT(WebPage.Field.TEXT, null);

    private final WebPage.Field field;
    private final String mapKey;

    Column(WebPage.Field field, String mapKey) {
      this.field = field;
      this.mapKey = mapKey;
    }

    /**
     * @return the key in the row's markers or metadata; null for a column that is no map
     */
    String mapKey() {
      return mapKey;
    }

    HBaseColumn in(WebTable table) {
      HBaseColumn column = table.column(field);
      return mapKey == null ? column : new HBaseColumn(column.getFamily(), HBase.utf8(mapKey));
    }
  }

  /**
   * Batch ids of {@code corpulyzer crawl} hold the round, those of Nutch's generator and of
   * bin/crawl begin with the time.
   */
  private static final Pattern BATCH_ID =
      Pattern.compile("round-([0-9]{1,5})-[0-9]+|([0-9]{9,11})-.*");

  private final Column[] names;
  private final HBaseColumn[] columns;
  private final Map<Column, Cell> cells = new EnumMap<>(Column.class);
  private Cell first;

  /**
   * @param names the columns to read, see {@link #scan}. If {@link Column#DUPLICATE} is one of
   *     them, duplicates count as 0 bytes
   */
  PageRow(WebTable table, Column... names) {
    this.names = names;
    this.columns = new HBaseColumn[names.length];
    for (int i = 0; i < names.length; i++) {
      columns[i] = names[i].in(table);
    }
  }

  /**
   * @return a scan of exactly these columns, which leaves the region servers' block cache alone
   */
  Scan scan() {
    Scan scan = new Scan();
    scan.setCacheBlocks(false);
    for (HBaseColumn column : columns) {
      scan.addColumn(column.getFamily(), column.getQualifier());
    }
    return scan;
  }

  void read(Result row) {
    cells.clear();
    first = row.rawCells()[0];
    for (Cell cell : row.rawCells()) {
      for (int i = 0; i < columns.length; i++) {
        if (CellUtil.matchingColumn(cell, columns[i].getFamily(), columns[i].getQualifier())) {
          cells.put(names[i], cell);
          break;
        }
      }
    }
  }

  /**
   * @return a cell of the row, for its row key's bytes
   */
  Cell first() {
    return first;
  }

  /**
   * @return the row key: the reversed URL
   */
  @Override
  public String key() {
    return new String(
        first.getRowArray(), first.getRowOffset(), first.getRowLength(), StandardCharsets.UTF_8);
  }

  /**
   * @return Nutch's crawl status; 0 when there is none, as Gora reads it, or one that does not read
   */
  int status() {
    return number(Column.STATUS);
  }

  /**
   * @return a column of 32 bits; 0 when there is none, as Gora reads it, or one that does not read
   */
  int number(Column column) {
    Cell cell = cells.get(column);
    return cell == null || cell.getValueLength() != Bytes.SIZEOF_INT
        ? 0
        : Bytes.toInt(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  /**
   * @return when the page may be fetched next, milliseconds since 1970; 0 when there is no time, as
   *     Gora reads it, or one that does not read
   */
  long fetchTime() {
    Cell cell = cells.get(Column.FETCH_TIME);
    return cell == null || cell.getValueLength() != Bytes.SIZEOF_LONG
        ? 0
        : Bytes.toLong(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  @Override
  public boolean isFetched() {
    return WebTableStatus.isFetched(status());
  }

  /**
   * @return whether a fetched page has figures, so that its language is known
   */
  @Override
  public boolean isRead() {
    return has(Column.LANGUAGES) || has(Column.DECISION);
  }

  @Override
  public boolean isInjected() {
    return has(Column.INJECTED);
  }

  /**
   * @return whether the page was found on a page in the target language
   */
  @Override
  public boolean isFound() {
    return has(Column.FOUND);
  }

  /**
   * @return whether the page was found on a page without a word in the target language
   */
  @Override
  public boolean isElsewhere() {
    return has(Column.ELSEWHERE);
  }

  @Override
  public boolean isUntried() {
    return WebTableStatus.isUntried(status());
  }

  /**
   * @return whether the last run of the score jobs found that another page has the signature of the
   *     page; false if {@link Column#DUPLICATE} is not among the columns to read
   */
  boolean isDuplicate() {
    return PageKeys.IS_DUPLICATE.equals(text(Column.DUPLICATE));
  }

  /**
   * @param language ISO 639-3
   * @return the page's bytes in a language, 0 when it has no figures or is a duplicate, -1 when
   *     they do not read
   */
  @Override
  public long bytesIn(String language) {
    if (isDuplicate()) {
      return 0;
    }
    try {
      return LanguageBytes.targetBytes(text(Column.LANGUAGES), language);
    } catch (CorpulyzerException e) {
      return -1;
    }
  }

  /**
   * @return downloaded bytes; 0 if they are unknown, or not among the columns to read
   */
  @Override
  public long rawBytes() {
    return HostTally.bytes(text(Column.RAW_BYTES));
  }

  /**
   * @return a metadata value that counts bytes; -1 when there is none, or none that reads
   */
  long bytes(Column column) {
    String text = text(column);
    return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }

  /**
   * @return the round in which the page was generated last: its number, or its start in seconds
   *     since 1970, which gives the same order; -1 if the batch contains neither
   */
  long round() {
    String batch = text(Column.BATCH);
    Matcher round = BATCH_ID.matcher(batch == null ? "" : batch);
    return round.matches()
        ? Long.parseLong(round.group(1) == null ? round.group(2) : round.group(1))
        : -1;
  }

  boolean has(Column column) {
    return cells.containsKey(column);
  }

  /**
   * @return a metadata value as text, or null
   */
  String text(Column column) {
    return HBase.text(cells.get(column));
  }

  /**
   * @return a copy of a column's value, or null
   */
  byte[] value(Column column) {
    Cell cell = cells.get(column);
    return cell == null ? null : CellUtil.cloneValue(cell);
  }

  /**
   * @return the stored score, or NaN when there is none that reads
   */
  float score() {
    Cell cell = cells.get(Column.SCORE);
    return cell == null || cell.getValueLength() != Float.BYTES
        ? Float.NaN
        : Bytes.toFloat(cell.getValueArray(), cell.getValueOffset());
  }

  /**
   * @return a column's cell, or null
   */
  Cell cell(Column column) {
    return cells.get(column);
  }
}
