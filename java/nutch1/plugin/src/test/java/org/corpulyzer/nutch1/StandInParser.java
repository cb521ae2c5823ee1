package org.corpulyzer.nutch1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.jsoup.Jsoup;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.w3c.dom.DocumentFragment;

/**
 * Stands in for parse-html and parse-tika, and behaves towards its filters as they do: text is blank on noindex, links are dropped on
 * nofollow, a refresh is a redirect, meta elements become parse metadata, and other types than HTML have their text. The type
 * {@code application/x-two-parses} has a second parse beside the page's own, as a feed has.
 */
public class StandInParser implements Parser {

  private Configuration conf;
  private HtmlParseFilters filters;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    filters = new HtmlParseFilters(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public ParseResult getParse(Content content) {
    HTMLMetaTags tags = new HTMLMetaTags();
    if (!content.getContentType().contains("html")) {
      String text = new String(content.getContent(), StandardCharsets.UTF_8);
      ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, "A document", new Outlink[0], content.getMetadata(), new Metadata());
      ParseResult result = ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data));
      if (content.getContentType().equals("application/x-two-parses")) {
        result.put("http://entry.example/", new ParseText("An entry"), new ParseData(ParseStatus.STATUS_SUCCESS, "Entry", new Outlink[0],
            content.getMetadata(), new Metadata()));
      }
      return filters.filter(content, result, tags, null);
    }
    try {
      Document document = Jsoup.parse(new ByteArrayInputStream(content.getContent()), "UTF-8", content.getBaseUrl());
      Metadata metadata = new Metadata();
      readMeta(document, tags, metadata, new URL(content.getBaseUrl()));
      String text = tags.getNoIndex() ? "" : document.text();
      String title = tags.getNoIndex() ? "" : document.title();
      ParseData data = new ParseData(status(tags), title, tags.getNoFollow() ? new Outlink[0] : links(document), content.getMetadata(),
          metadata);
      return filters.filter(content, ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data)), tags, dom(document));
    } catch (IOException e) {
      return new ParseStatus(e).getEmptyParseResult(content.getUrl(), conf);
    }
  }

  private static void readMeta(Document document, HTMLMetaTags tags, Metadata metadata, URL base) throws MalformedURLException {
    for (Element meta : document.select("meta[name]")) {
      metadata.add(meta.attr("name").toLowerCase(Locale.ROOT), meta.attr("content"));
    }
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
    ParseStatus status = new ParseStatus(ParseStatus.SUCCESS);
    if (tags.getRefresh()) {
      status.setMinorCode(ParseStatus.SUCCESS_REDIRECT);
      status.setArgs(new String[] {tags.getRefreshHref().toString(), Integer.toString(tags.getRefreshTime())});
    }
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
