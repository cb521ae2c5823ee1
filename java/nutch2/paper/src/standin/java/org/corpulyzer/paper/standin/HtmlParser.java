package org.corpulyzer.paper.standin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilters;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.apache.nutch.util.URLUtil;
import org.jsoup.Jsoup;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.w3c.dom.DocumentFragment;

/**
 * Stands in for parse-html: text, title and links of a page. The filters get an empty document,
 * since none of ours looks at it.
 */
public final class HtmlParser extends Configured implements Parser {
  private ParseFilters filters;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      filters = new ParseFilters(conf);
    }
  }

  @Override
  public Parse getParse(String url, WebPage page) {
    try {
      URL base = new URL(TableUtil.toString(page.getBaseUrl()));
      ByteBuffer content = page.getContent();
      byte[] bytes = new byte[content == null ? 0 : content.remaining()];
      if (content != null) {
        content.duplicate().get(bytes);
      }
      Document document = Jsoup.parse(new ByteArrayInputStream(bytes), null, base.toString());
      ParseStatus status = ParseStatus.newBuilder().build();
      status.setMajorCode((int) ParseStatusCodes.SUCCESS);
      Parse parse = new Parse(document.text(), document.title(), links(document, base), status);
      DocumentFragment empty =
          new W3CDom().fromJsoup(Document.createShell(base.toString())).createDocumentFragment();
      return filters.filter(url, page, parse, new HTMLMetaTags(), empty);
    } catch (IOException e) {
      return ParseStatusUtils.getEmptyParse(e, getConf());
    }
  }

  private static Outlink[] links(Document document, URL base) {
    Map<String, Outlink> links = new LinkedHashMap<>();
    for (Element element : document.select("a[href]")) {
      try {
        String to = URLUtil.resolveURL(base, element.attr("href")).toString();
        if (to.startsWith("http://") && !links.containsKey(to)) {
          links.put(to, new Outlink(to, element.text()));
        }
      } catch (MalformedURLException e) {
        continue; // A link that leads nowhere is no link.
      }
    }
    return links.values().toArray(new Outlink[0]);
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return new HashSet<>(Arrays.asList(WebPage.Field.BASE_URL, WebPage.Field.HEADERS));
  }
}
