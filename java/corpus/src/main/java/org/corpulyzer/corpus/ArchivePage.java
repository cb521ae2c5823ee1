package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Statement;

/**
 * A page of an archive, with its place among the inputs. Its bytes are not held: the corpus of an
 * archive has texts alone.
 */
public final class ArchivePage implements CorpusPage, Writable {

  private static final String TITLE = "title";
  private static final String TEXT = "text";
  private static final String TYPE = "type";
  private static final String DATE = "date";
  private static final String URL = "url";
  private static final String CORPUS = "corpus";

  private final Map<String, String> values = new TreeMap<>();
  private byte[] signature = new byte[0];
  private long file;
  private long record;

  /** Creates an empty page, to be read by {@link #readFields}. */
  public ArchivePage() {}

  /**
   * @param file number of its file among the inputs
   * @param record number of its record in the file
   * @param url as the archive has it, possibly empty
   * @param date of the response as the archive has it, possibly empty
   * @param page the engine's record of it
   * @param decision the decision on it
   */
  ArchivePage(long file, long record, String url, String date, PageRecord page, String decision) {
    this.file = file;
    this.record = record;
    values.put(URL, url);
    values.put(DATE, date);
    values.put(TITLE, page.title());
    values.put(TEXT, page.mainText());
    values.put(PageKeys.VERSION, page.recordVersion());
    values.put(PageKeys.MAIN_BYTES, Long.toString(page.mainBytes()));
    values.put(PageKeys.LANGUAGES, page.languages());
    values.put(PageKeys.LANGUAGE_SET, page.languageSet());
    values.put(PageKeys.DECISION, decision);
    for (Map.Entry<Statement, String> stated : page.statements().entrySet()) {
      values.put(stated.getKey().key(), stated.getValue());
    }
  }

  /** Creates a copy. */
  ArchivePage(ArchivePage other) {
    values.putAll(other.values);
    signature = other.signature;
    file = other.file;
    record = other.record;
  }

  /** Adds what is known of a page that was fetched as HTML. */
  ArchivePage fetched(PageRecord page, String contentType, byte[] md5) {
    values.put(PageKeys.CHARSET, page.charset());
    values.put(PageKeys.RAW_BYTES, Long.toString(page.rawBytes()));
    values.put(PageKeys.VISIBLE_BYTES, Long.toString(page.visibleBytes()));
    values.put(TYPE, contentType);
    signature = md5;
    return this;
  }

  /**
   * Adds the language whose corpus it is a page of.
   *
   * @param language ISO 639-3 code
   */
  ArchivePage of(String language) {
    values.put(CORPUS, language);
    return this;
  }

  /** Replaces the name of the extractor, because the text was given. */
  ArchivePage given() {
    String[] parts = recordVersion().split(" ", 3);
    if (parts.length == 3) {
      values.put(PageKeys.VERSION, parts[0] + " given " + parts[2]);
    }
    return this;
  }

  /**
   * @return the key by which pages are joined: its host, then its id, its URL, the language of its
   *     corpus and whether it is kept. A page without a URL is joined with no other
   */
  Text key() {
    String url = url().isEmpty() ? file + " " + record : url();
    return new Text(id() + '\0' + url + '\0' + value(CORPUS) + '\0' + (isKept() ? 'k' : 'r'));
  }

  /** A page is read for one language, whose corpus has it also if it is rejected. */
  @Override
  public boolean isIn(String language, long minBytes) {
    return language.equals(value(CORPUS));
  }

  /**
   * @return whether its place is before that of another page
   */
  boolean isBefore(ArchivePage other) {
    return file != other.file ? file < other.file : record < other.record;
  }

  @Override
  public String id() {
    String id = RowKeys.of(url());
    return id == null ? url() : id;
  }

  @Override
  public String url() {
    return value(URL);
  }

  @Override
  public String host() {
    String id = RowKeys.of(url());
    return id == null ? "" : RowKeys.reverse(RowKeys.host(id)).toLowerCase(Locale.ROOT);
  }

  @Override
  public long round() {
    return -1;
  }

  @Override
  public long fetchMillis() {
    return ArchivePages.millis(value(DATE));
  }

  @Override
  public String fetchTime() {
    return value(DATE);
  }

  @Override
  public String title() {
    return value(TITLE);
  }

  @Override
  public String text() {
    return value(TEXT);
  }

  @Override
  public String contentType() {
    return value(TYPE);
  }

  @Override
  public byte[] signature() {
    return signature;
  }

  @Override
  public byte[] content() {
    return null;
  }

  @Override
  public Map<String, List<String>> headers() {
    return Collections.emptyMap();
  }

  @Override
  public Map<String, String> figures() {
    return Collections.unmodifiableMap(values);
  }

  @Override
  public String figure(String key) {
    return values.get(key);
  }

  private String value(String key) {
    return CorpusPage.orEmpty(values.get(key));
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVLong(out, file);
    WritableUtils.writeVLong(out, record);
    WritableUtils.writeVInt(out, signature.length);
    out.write(signature);
    WritableUtils.writeVInt(out, values.size());
    for (Map.Entry<String, String> value : values.entrySet()) {
      Text.writeString(out, value.getKey());
      Text.writeString(out, value.getValue());
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    file = WritableUtils.readVLong(in);
    record = WritableUtils.readVLong(in);
    signature = new byte[WritableUtils.readVInt(in)];
    in.readFully(signature);
    values.clear();
    for (int left = WritableUtils.readVInt(in); left > 0; left--) {
      values.put(Text.readString(in), Text.readString(in));
    }
  }
}
