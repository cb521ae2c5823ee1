package org.corpulyzer.nutch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
import org.jsoup.Jsoup;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.w3c.dom.DocumentFragment;

/**
 * Stands in for parse-html and parse-tika, and behaves towards its filters as they do: text is blank on noindex, links are dropped on
 * nofollow, a refresh is a redirect, other types than HTML have their text, and the type {@code application/x-shared-status} reuses
 * one mutable status as parse-tika does.
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
      ParseStatus status = type.equals("application/x-shared-status") ? ParseStatusUtils.STATUS_SUCCESS : success();
      return filters.filter(url, page, new Parse(text, "A document", new Outlink[0], status), tags, null);
    }
    String base = page.getBaseUrl().toString();
    try {
      Document document = Jsoup.parse(new ByteArrayInputStream(bytes(page.getContent())), "UTF-8", base);
      readMeta(document, tags, new URL(base));
      String text = tags.getNoIndex() ? "" : document.text();
      String title = tags.getNoIndex() ? "" : document.title();
      Parse parse = new Parse(text, title, tags.getNoFollow() ? new Outlink[0] : links(document), status(tags));
      return filters.filter(url, page, parse, tags, dom(document));
    } catch (IOException e) {
      return ParseStatusUtils.getEmptyParse(e, conf);
    }
  }

  private static byte[] bytes(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return bytes;
  }

  private static void readMeta(Document document, HTMLMetaTags tags, URL base) throws MalformedURLException {
    String robots = document.select("meta[name=robots]").attr("content").toLowerCase(Locale.ROOT);
    if (robots.contains("noindex") || robots.contains("none")) {
      tags.setNoIndex();
    }
    if (robots.contains("nofollow") || robots.contains("none")) {
      tags.setNoFollow();
    }
    Element refresh = document.select("meta[http-equiv=refresh]").first();
    if (refresh != null) {
      String[] parts = refresh.attr("content").split(";\\s*url=", 2);
      tags.setRefresh(true);
      tags.setRefreshTime(Integer.parseInt(parts[0]));
      tags.setRefreshHref(parts.length == 1 ? base : new URL(base, parts[1]));
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

  private static Outlink[] links(Document document) throws MalformedURLException {
    List<Outlink> links = new ArrayList<>();
    for (Element link : document.select("a[href]")) {
      links.add(new Outlink(link.absUrl("href"), link.text()));
    }
    return links.toArray(new Outlink[0]);
  }

  private static DocumentFragment dom(Document document) {
    org.w3c.dom.Document dom = new W3CDom().fromJsoup(document);
    DocumentFragment fragment = dom.createDocumentFragment();
    fragment.appendChild(dom.getDocumentElement());
    return fragment;
  }
}
