package org.corpulyzer.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.RowKeys;

/** A row of the web table as the corpus sees it. */
final class PageRow {
  static final byte[] FETCH = WebTable.FETCH;
  static final byte[] PARSE = WebTable.bytes("p");
  static final byte[] METADATA = WebTable.bytes("mtdt");
  private static final byte[] TYPE = WebTable.bytes("typ");
  private static final byte[] PROTOCOL_STATUS = WebTable.bytes("prot");
  static final byte[][] FETCH_COLUMNS = {WebTable.STATUS, WebTable.BATCH, TYPE, PROTOCOL_STATUS};
  private static final byte[] TITLE = WebTable.bytes("t");
  private static final byte[] TEXT = WebTable.bytes("c");
  private static final byte[] SIGNATURE = WebTable.bytes("sig");

  private final Result row;
  private final String key;

  PageRow(Result row) {
    this.row = row;
    key = Bytes.toString(row.getRow());
  }

  boolean isFetched() {
    byte[] status = row.getValue(FETCH, WebTable.STATUS);
    if (status == null || !RowKeys.isValid(key)) {
      return false;
    }
    int code = Bytes.toInt(status);
    return code == CrawlStatus.STATUS_FETCHED || code == CrawlStatus.STATUS_NOTMODIFIED;
  }

  boolean isKept() {
    return PageRecord.isKept(figure(PageKeys.DECISION));
  }

  /** The row key, unique in the crawl. */
  String id() {
    return key;
  }

  String url() {
    return TableUtil.unreverseUrl(key);
  }

  String reversedHost() {
    return RowKeys.host(key);
  }

  /** The host as people write it. */
  String host() {
    String url = url();
    int start = url.indexOf("://") + 3;
    int end = url.indexOf('/', start);
    String authority = end < 0 ? url.substring(start) : url.substring(start, end);
    int port = authority.indexOf(':');
    return port < 0 ? authority : authority.substring(0, port);
  }

  /** The round in which the row was generated last; 0 when it is not from a round of this crawl. */
  int round() {
    return Batch.round(text(FETCH, WebTable.BATCH));
  }

  /** Milliseconds since 1970: when the fetcher wrote the answer (the fetch time column holds the next one after updatedb). */
  long fetchMillis() {
    Cell cell = row.getColumnLatestCell(FETCH, PROTOCOL_STATUS);
    return cell == null ? 0 : cell.getTimestamp();
  }

  String title() {
    return text(PARSE, TITLE);
  }

  String text() {
    return text(PARSE, TEXT);
  }

  String contentType() {
    return text(FETCH, TYPE);
  }

  /** MD5 of the page's bytes in hexadecimal, as Nutch signs it; empty when it was not signed. */
  String signature() {
    byte[] signature = row.getValue(PARSE, SIGNATURE);
    return signature == null ? "" : Bytes.toHex(signature);
  }

  /** A figure of the page by its key ({@link PageKeys}); empty when the row has none. */
  String figure(String name) {
    return text(METADATA, WebTable.bytes(name));
  }

  /** A figure that counts bytes; 0 when the row has none. */
  long bytes(String name) {
    String value = figure(name);
    return value.isEmpty() ? 0 : Long.parseLong(value);
  }

  /** UTF-8 bytes of main text by ISO 639-3 code, most first. */
  Map<String, Long> languages() {
    String value = figure(PageKeys.LANGUAGES);
    return value.isEmpty() ? Collections.emptyMap() : LanguageBytes.parse(value);
  }

  /** Languages that the main text is written in, in whole percent, most first. */
  Map<String, Long> languageSet() {
    return LanguageBytes.parse(figure(PageKeys.LANGUAGE_SET));
  }

  private String text(byte[] family, byte[] qualifier) {
    byte[] value = row.getValue(family, qualifier);
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }
}
