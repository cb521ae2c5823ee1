package org.corpulyzer.nutch;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilters;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.fixtures.HtmlPage;

/**
 * Stands in for parse-html and parse-tika, and behaves towards its filters as they do ({@link
 * HtmlPage}): other types than HTML have their text, and the type {@code
 * application/x-shared-status} reuses one mutable status as parse-tika does.
 */
public class StandInParser implements Parser {

  private Configuration conf;
  private ParseFilters filters;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    filters = new ParseFilters(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return Collections.singleton(WebPage.Field.BASE_URL);
  }

  @Override
  public Parse getParse(String url, WebPage page) {
    HTMLMetaTags tags = new HTMLMetaTags();
    String type = page.getContentType().toString();
    if (!type.contains("html")) {
      String text = new String(bytes(page.getContent()), StandardCharsets.UTF_8);
      ParseStatus status =
          type.equals("application/x-shared-status") ? ParseStatusUtils.STATUS_SUCCESS : success();
      return filters.filter(
          url, page, new Parse(text, "A document", new Outlink[0], status), tags, null);
    }
    String base = page.getBaseUrl().toString();
    try {
      HtmlPage html = new HtmlPage(bytes(page.getContent()), base);
      readRobotsAndRefresh(html, tags);
      Parse parse = new Parse(html.text(), html.title(), links(html), status(tags));
      return filters.filter(url, page, parse, tags, html.dom());
    } catch (IOException e) {
      return ParseStatusUtils.getEmptyParse(e, conf);
    }
  }

  private static byte[] bytes(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return bytes;
  }

  private static void readRobotsAndRefresh(HtmlPage page, HTMLMetaTags tags)
      throws MalformedURLException {
    if (page.isNoindex()) {
      tags.setNoIndex();
    }
    if (page.isNofollow()) {
      tags.setNoFollow();
    }
    if (page.isRefreshed()) {
      tags.setRefresh(true);
      tags.setRefreshTime(page.refreshSeconds());
      tags.setRefreshHref(page.refreshTarget());
    }
  }

  private static ParseStatus status(HTMLMetaTags tags) {
    ParseStatus status = success();
    if (tags.getRefresh()) {
      status.setMinorCode((int) ParseStatusCodes.SUCCESS_REDIRECT);
      status.getArgs().add(new Utf8(tags.getRefreshHref().toString()));
      status.getArgs().add(new Utf8(Integer.toString(tags.getRefreshTime())));
    }
    return status;
  }

  private static ParseStatus success() {
    ParseStatus status = ParseStatus.newBuilder().build();
    status.setMajorCode((int) ParseStatusCodes.SUCCESS);
    return status;
  }

  private static Outlink[] links(HtmlPage page) throws MalformedURLException {
    List<String[]> found = page.links((url, anchor) -> new String[] {url, anchor});
    Outlink[] links = new Outlink[found.size()];
    for (int i = 0; i < links.length; i++) {
      links[i] = new Outlink(found.get(i)[0], found.get(i)[1]);
    }
    return links;
  }
}
