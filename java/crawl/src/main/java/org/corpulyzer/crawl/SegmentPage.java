package org.corpulyzer.crawl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.StringUtil;
import org.apache.nutch.util.TableUtil;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.engine.PageKeys;

/**
 * A page of a segment. One holder serves a whole segment; it is valid until the next page is read.
 */
final class SegmentPage implements CorpusPage {
  private static final String FIGURES = "crp.";

  /** Nutch keeps notes of its own between the header lines, under names that begin so. */
  private static final List<String> NOTES = Arrays.asList("nutch.", "_");

  private static final Text SOURCE = new Text(PageKeys.SOURCE);
  private static final Text CONTENT_TYPE = new Text(Metadata.CONTENT_TYPE);

  private final int round;
  private String url;
  private String host;
  private CrawlDatum fetch;
  private ParseData data;
  private String text;
  private Content content;

  SegmentPage(int round) {
    this.round = round;
  }

  /**
   * Points this at a page.
   *
   * @param data null if the page was not parsed
   * @param content null if it was not read
   */
  void set(String address, CrawlDatum datum, ParseData parsed, String mainText, Content stored) {
    url = address;
    host = URLUtil.getHost(address);
    fetch = datum;
    data = parsed;
    text = parsed == null ? "" : mainText;
    content = stored;
  }

  /**
   * @return whether the address has a host; without one the page belongs to no corpus
   */
  boolean isValid() {
    return host != null && !host.isEmpty();
  }

  @Override
  public String id() {
    try {
      return TableUtil.reverseUrl(url);
    } catch (java.net.MalformedURLException e) {
      return url;
    }
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public long round() {
    return round;
  }

  @Override
  public long fetchMillis() {
    return fetch.getFetchTime();
  }

  @Override
  public String title() {
    return data == null ? "" : CorpusPage.orEmpty(data.getTitle());
  }

  @Override
  public String text() {
    return text;
  }

  /** Returns the address that the page says to have; its own if it names none. */
  String canonicalUrl() {
    String canonical = figure(PageKeys.CANONICAL);
    return canonical == null ? url : canonical;
  }

  @Override
  public String contentType() {
    Writable type = fetch.getMetaData().get(CONTENT_TYPE);
    return type == null ? "" : type.toString();
  }

  @Override
  public String source() {
    Writable source = fetch.getMetaData().get(SOURCE);
    return source == null ? "" : source.toString();
  }

  @Override
  public byte[] signature() {
    if (data == null) {
      return null;
    }
    String raw = data.getParseMeta().get(PageParser.RAW_SIGNATURE);
    String hex = raw == null ? data.getContentMeta().get(Nutch.SIGNATURE_KEY) : raw;
    return hex == null ? null : StringUtil.fromHexString(hex);
  }

  @Override
  public byte[] content() {
    return content == null ? null : content.getContent();
  }

  @Override
  public Map<String, List<String>> headers() {
    if (content == null) {
      return Collections.emptyMap();
    }
    Map<String, List<String>> headers = new TreeMap<>();
    Metadata metadata = content.getMetadata();
    for (String name : metadata.names()) {
      if (NOTES.stream().noneMatch(name::startsWith)) {
        headers.put(name, new ArrayList<>(Arrays.asList(metadata.getValues(name))));
      }
    }
    return headers;
  }

  @Override
  public Map<String, String> figures() {
    if (data == null) {
      return Collections.emptyMap();
    }
    Map<String, String> figures = new TreeMap<>();
    for (String key : data.getParseMeta().names()) {
      if (key.startsWith(FIGURES)) {
        figures.put(key, data.getParseMeta().get(key));
      }
    }
    return figures;
  }

  @Override
  public String figure(String key) {
    return data == null ? null : data.getParseMeta().get(key);
  }
}
