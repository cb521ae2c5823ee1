package org.corpulyzer.nutch;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import org.corpulyzer.fixtures.HtmlPage;

/**
 * Stands in for parse-html and parse-tika, and behaves towards its filters as they do ({@link
 * HtmlPage}): meta elements become parse metadata, and other types than HTML have their text. The
 * type {@code application/x-two-parses} has a second parse beside the page's own, as a feed has.
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
      ParseData data =
          new ParseData(
              ParseStatus.STATUS_SUCCESS,
              "A document",
              new Outlink[0],
              content.getMetadata(),
              new Metadata());
      ParseResult result =
          ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data));
      if (content.getContentType().equals("application/x-two-parses")) {
        result.put(
            "http://entry.example/",
            new ParseText("An entry"),
            new ParseData(
                ParseStatus.STATUS_SUCCESS,
                "Entry",
                new Outlink[0],
                content.getMetadata(),
                new Metadata()));
      }
      return filters.filter(content, result, tags, null);
    }
    try {
      HtmlPage page = new HtmlPage(content.getContent(), content.getBaseUrl());
      Metadata metadata = new Metadata();
      page.metaElements().forEach(meta -> metadata.add(meta[0], meta[1]));
      readRobotsAndRefresh(page, tags);
      ParseData data =
          new ParseData(status(tags), page.title(), links(page), content.getMetadata(), metadata);
      return filters.filter(
          content,
          ParseResult.createParseResult(content.getUrl(), new ParseImpl(page.text(), data)),
          tags,
          page.dom());
    } catch (IOException e) {
      return new ParseStatus(e).getEmptyParseResult(content.getUrl(), conf);
    }
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
    ParseStatus status = new ParseStatus(ParseStatus.SUCCESS);
    if (tags.getRefresh()) {
      status.setMinorCode(ParseStatus.SUCCESS_REDIRECT);
      status.setArgs(
          new String[] {tags.getRefreshHref().toString(), Integer.toString(tags.getRefreshTime())});
    }
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
