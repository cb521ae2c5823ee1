package org.corpulyzer.embedded.companion;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import okhttp3.MediaType;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Nutch;
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
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeVisitor;
import org.w3c.dom.DocumentFragment;

/**
 * HTML parser on jsoup with the manners of Nutch's own: robots directives blank the text (noindex) and the links (nofollow), a
 * refresh makes the parse a redirect, and the parse filters run in every case. Directives in the {@code X-Robots-Tag} header
 * count like those in the page.
 */
public final class HtmlParser extends Configured implements Parser {
  /** Past this many levels the DOM handed to filters is left empty: building it costs time quadratic in the depth. */
  static final int MAX_DOM_DEPTH = 1024;
  private static final int MAX_ANCHOR_CHARACTERS = 100;
  private static final int MAX_LINKS = 5000;
  private static final Outlink[] NO_LINKS = new Outlink[0];

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
    URL base;
    Document document;
    try {
      base = new URL(TableUtil.toString(page.getBaseUrl()));
      document = parse(page, base);
    } catch (IOException e) {
      return ParseStatusUtils.getEmptyParse(e, getConf());
    }
    HTMLMetaTags metaTags = MetaTags.read(document, base, header(page, "X-Robots-Tag"));
    String text = metaTags.getNoIndex() ? "" : document.text();
    String title = metaTags.getNoIndex() ? "" : document.title();
    Outlink[] links = metaTags.getNoFollow() ? NO_LINKS
        : links(document, metaTags.getBaseHref() == null ? base : metaTags.getBaseHref());

    ParseStatus status = ParseStatus.newBuilder().build();
    status.setMajorCode((int) ParseStatusCodes.SUCCESS);
    if (metaTags.getRefresh()) {
      status.setMinorCode((int) ParseStatusCodes.SUCCESS_REDIRECT);
      status.getArgs().add(new Utf8(metaTags.getRefreshHref().toString()));
      status.getArgs().add(new Utf8(Integer.toString(metaTags.getRefreshTime())));
    }
    Parse parse = filters.filter(url, page, new Parse(text, title, links, status), metaTags, dom(document));
    if (metaTags.getNoCache()) {
      page.getMetadata().put(Nutch.CACHING_FORBIDDEN_KEY_UTF8, utf8(Nutch.CACHING_FORBIDDEN_CONTENT));
    }
    return parse;
  }

  private static Document parse(WebPage page, URL base) throws IOException {
    ByteBuffer content = page.getContent();
    ByteArrayInputStream in = content == null ? new ByteArrayInputStream(new byte[0])
        : new ByteArrayInputStream(content.array(), content.arrayOffset() + content.position(), content.remaining());
    Document document = Jsoup.parse(in, charset(header(page, "Content-Type")), base.toString());
    String charset = document.charset().name();
    page.getMetadata().put(new Utf8(Nutch.ORIGINAL_CHAR_ENCODING), utf8(charset));
    page.getMetadata().put(new Utf8(Nutch.CHAR_ENCODING_FOR_CONVERSION), utf8(charset));
    return document;
  }

  /** The charset that the header names, or null: jsoup then looks at the byte order mark and the page's own declaration. */
  private static String charset(String contentType) {
    MediaType type = contentType == null ? null : MediaType.parse(contentType);
    Charset charset = type == null ? null : type.charset();
    return charset == null ? null : charset.name();
  }

  private static String header(WebPage page, String wanted) {
    for (Map.Entry<CharSequence, CharSequence> header : page.getHeaders().entrySet()) {
      if (wanted.equalsIgnoreCase(header.getKey().toString())) {
        return header.getValue().toString();
      }
    }
    return null;
  }

  private static Outlink[] links(Document document, URL base) {
    Map<String, Outlink> links = new LinkedHashMap<>();
    for (Element element : document.select("a[href], area[href], frame[src], iframe[src]")) {
      if (links.size() == MAX_LINKS) {
        break;
      }
      if (element.attr("rel").toLowerCase(Locale.ROOT).contains("nofollow")) {
        continue;
      }
      try {
        // Not jsoup's absUrl, which walks up to the root for every link.
        String to = URLUtil.resolveURL(base, element.attr(element.hasAttr("href") ? "href" : "src")).toString();
        int fragment = to.indexOf('#');
        to = fragment < 0 ? to : to.substring(0, fragment);
        if ((to.startsWith("http://") || to.startsWith("https://")) && !links.containsKey(to)) {
          links.put(to, new Outlink(to, shorten(element.text())));
        }
      } catch (MalformedURLException e) {
        continue; // A link that leads nowhere is no link.
      }
    }
    return links.values().toArray(NO_LINKS);
  }

  private static String shorten(String anchor) {
    return anchor.codePointCount(0, anchor.length()) <= MAX_ANCHOR_CHARACTERS ? anchor
        : anchor.substring(0, anchor.offsetByCodePoints(0, MAX_ANCHOR_CHARACTERS));
  }

  private static DocumentFragment dom(Document document) {
    int[] depth = {0};
    document.traverse(new NodeVisitor() {
      @Override
      public void head(Node node, int level) {
        depth[0] = Math.max(depth[0], level);
      }
    });
    org.w3c.dom.Document dom = new W3CDom().fromJsoup(depth[0] > MAX_DOM_DEPTH ? Document.createShell(document.baseUri()) : document);
    DocumentFragment fragment = dom.createDocumentFragment();
    if (dom.getDocumentElement() != null) {
      fragment.appendChild(dom.getDocumentElement());
    }
    return fragment;
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return new HashSet<>(Arrays.asList(WebPage.Field.BASE_URL, WebPage.Field.HEADERS));
  }
}
