package org.corpulyzer.nutch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.Hreflang;
import org.corpulyzer.engine.LinkSigns;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageReading;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.PageResponse;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.UnknownProperties;
import org.w3c.dom.DocumentFragment;

/**
 * Reads a page's bytes with the engine. Main content becomes the page's text, and the figures go
 * into its parse metadata. The text of other types (PDF, Office) stays as their parser made it; its
 * languages are counted. The filter never drops a page: a failure is a status in the figures. Other
 * parses of the same content (feed, zip) stay as they are.
 *
 * <p>Nutch swallows every Exception of {@link #setConf} and counts the segment as parsed, so a
 * filter that cannot start throws an Error.
 */
public class WebAmParseFilter implements HtmlParseFilter {

  private Configuration conf;
  private EngineSource source;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    UnknownProperties.warn(conf);
    source = EngineSource.started(conf::get);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public ParseResult filter(
      Content content, ParseResult result, HTMLMetaTags metaTags, DocumentFragment doc) {
    Parse parse = result.get(content.getUrl());
    if (parse == null) {
      return result;
    }
    ParseData data = parse.getData();
    Metadata figures = data.getParseMeta();
    // Nutch's parsers copy a page's meta elements to the same place. A page must not set figures of
    // its own.
    PageKeys.FIGURES.forEach(figures::remove);
    byte[] bytes = content.getContent();
    boolean html = PageReading.isHtml(content.getContentType());
    Object known = doc == null ? null : doc.getUserData(PageReading.RECORD);
    PageReading reading =
        known instanceof PageRecord
            ? PageReading.of(source, content.getUrl(), (PageRecord) known, bytes.length)
            : PageReading.read(
                source,
                content.getUrl(),
                html,
                () -> html ? bytes : utf8(parse.getText()),
                bytes.length,
                content.getMetadata().get("Content-Type"),
                response(content.getMetadata()));
    if (reading == null) {
      return result;
    }
    boolean noindex = reading.isNoindex() || metaTags != null && metaTags.getNoIndex();
    ParseText text = new ParseText(reading.text(parse.getText(), noindex));
    for (Map.Entry<String, String> figure :
        reading
            .figures(noindex, isRefresh(reading, data.getStatus(), metaTags, content.getUrl()))
            .entrySet()) {
      if (figure.getValue() != null) {
        figures.set(figure.getKey(), figure.getValue());
      }
    }
    if (reading.targetBytes() >= 0) {
      figures.set(PageKeys.TARGET_BYTES, Long.toString(reading.targetBytes()));
    }
    figures.remove(PageKeys.LINK_SIGNS);
    if (source.settings().scorePolicy() == Settings.ScorePolicy.PAGES && reading.links() != null) {
      Hreflang target = new Hreflang(source.get());
      sign(data.getOutlinks(), new LinkSigns(reading.links(), target), figures);
    }
    result.put(
        content.getUrl(),
        text,
        new ParseData(
            data.getStatus(),
            reading.title(data.getTitle(), noindex),
            data.getOutlinks(),
            data.getContentMeta(),
            figures));
    return result;
  }

  /** Writes what policy pages counts: signs into the metadata of the parse, marks into links. */
  private static void sign(Outlink[] links, LinkSigns signs, Metadata parse) {
    List<String> urls = new ArrayList<>(links.length);
    for (Outlink link : links) {
      // A link that a parser has marked is a list or an alternate.
      urls.add(link.getMetadata() == null ? link.getToUrl() : null);
    }
    parse.set(PageKeys.LINK_SIGNS, signs.codes(urls));
    for (Outlink link : links) {
      if (link.getMetadata() == null && signs.isAlternate(link.getToUrl())) {
        MapWritable mark = new MapWritable();
        mark.put(new Text(PageKeys.ALTERNATE_MARK), new Text(PageKeys.MARK_SET));
        link.setMetadata(mark);
      }
    }
  }

  private static PageResponse response(Metadata headers) {
    PageResponse response = PageResponse.fetchedAt(headers.get(Response.FETCH_TIME));
    for (String name : headers.names()) {
      response.header(name, headers.getValues(name));
    }
    return response;
  }

  /**
   * Whether the page sends the reader to another page. A page that reloads itself is no refresh in
   * this sense.
   */
  private static boolean isRefresh(
      PageReading reading, ParseStatus status, HTMLMetaTags metaTags, String address) {
    boolean found = status != null && status.getMinorCode() == ParseStatus.SUCCESS_REDIRECT;
    return metaTags == null || !metaTags.getRefresh()
        ? found
        : reading.isRedirect(found, metaTags.getRefreshHref(), metaTags.getRefreshTime(), address);
  }

  private static byte[] utf8(String text) {
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }
}
