package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.Test;

public class LinksTest {

  private static final String PAGE = "http://a.example/dir/page.html";

  private static Engine engine() {
    return Engine.of(Settings.from(key -> key.equals(Settings.LANGUAGE_TARGET) ? "urd" : null));
  }

  private static PageLinks links(String html) {
    return engine()
        .page(
            html.getBytes(StandardCharsets.UTF_8),
            PAGE,
            "text/html; charset=utf-8",
            PageLinks.Options.defaults())
        .links();
  }

  @Test
  public void anAbsoluteUrlOfAPageIsBroughtToTheFormOfTheUrlStandard() {
    String[][] urls = {
      {"http://A.example", "http://a.example/"},
      {"http://a.example?q=ا ب#c", "http://a.example/?q=%D8%A7%20%D8%A8"},
      {" HTTPS://a.example/B%20c/\"x\" ", "https://a.example/B%20c/%22x%22"},
      {"mailto:A@b", "mailto:a@b/"},
      {"", "/"},
    };
    for (String[] url : urls) {
      assertEquals(url[1], LinkSigns.normalized(url[0]));
    }
  }

  @Test
  public void everyPageHasTheLinksThatRustHasForIt() throws IOException {
    List<Path> pages = Vectors.files("links", ".html");
    assertTrue("only " + pages.size() + " pages", pages.size() >= 8);
    JsonObject hints = json(Vectors.folder("links").resolve("hints.json"));
    for (Path page : pages) {
      String name = page.getFileName().toString();
      JsonObject hint = hints.has(name) ? hints.getAsJsonObject(name) : new JsonObject();
      PageLinks.Options options = PageLinks.Options.defaults();
      options =
          hint.has("max_links") ? options.maxLinks(hint.get("max_links").getAsInt()) : options;
      options =
          hint.has("max_url_bytes")
              ? options.maxUrlBytes(hint.get("max_url_bytes").getAsInt())
              : options;
      options =
          hint.has("robots_header")
              ? options.robotsHeader(hint.get("robots_header").getAsString())
              : options;
      String contentType = hint.has("content_type") ? hint.get("content_type").getAsString() : null;
      PageRecord record = engine().page(Files.readAllBytes(page), PAGE, contentType, options);
      assertEquals(
          name, json(page.resolveSibling(name.replace(".html", ".json"))), json(record.links()));
      PageRecord alone =
          engine().page(Files.readAllBytes(page), PAGE, contentType, Engine.Kind.HTML);
      assertEquals(name, alone.mainText(), record.mainText());
      assertNull(name, alone.links());
    }
  }

  @Test
  public void titleHasAtMostAThousandCharacters() {
    StringBuilder title = new StringBuilder();
    for (int i = 0; i <= PageLinks.MAX_TITLE; i++) {
      title.append("😀");
    }
    PageLinks links = links("<title>" + title + "</title>");
    assertEquals(title.substring(2), links.title());
    assertEquals("", links("<p>x").title());
  }

  @Test
  public void unreadPageHasTheDirectivesOfItsHeaderAlone() {
    Engine small =
        Engine.of(
            Settings.from(
                key ->
                    key.equals(Settings.LANGUAGE_TARGET)
                        ? "urd"
                        : key.equals(Settings.PAGE_MAX_BYTES) ? "5" : null));
    PageRecord record =
        small.page(
            "<a href=/x>x</a>".getBytes(StandardCharsets.UTF_8),
            PAGE,
            null,
            PageLinks.Options.defaults().robotsHeader("none"));
    assertEquals(PageRecord.Status.TOO_LARGE, record.status());
    assertTrue(
        record.links().isNoindex() && record.links().isNofollow() && !record.links().isWhole());
    assertTrue(record.links().links().isEmpty());
  }

  @Test
  public void limitsBelowZeroAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> PageLinks.Options.defaults().maxLinks(-1));
    assertThrows(
        IllegalArgumentException.class, () -> PageLinks.Options.defaults().maxUrlBytes(-1));
  }

  @Test
  public void fieldThatEndsInsideAValueIsRefused() {
    byte[] cut = Frame.writer().bytes(Tag.LINKS, new byte[] {0, 0, 9, 'x'}).toBytes();
    assertThrows(CorpulyzerException.class, () -> new PageLinks(Frame.read(cut)));
    assertFalse(new PageLinks(Frame.read(Frame.writer().toBytes())).isWhole());
  }

  @Test
  public void linksOfGeneratedPagesAreThoseOfTheirDom() {
    int found = 0;
    for (int seed = 0; seed < 3000; seed++) {
      String html = page(new Random(seed));
      Map<String, String> expected = linksOfDom(html);
      Map<String, String> links = new LinkedHashMap<>();
      for (PageLinks.Link link : links(html).links()) {
        if (!link.isNofollow()) {
          links.put(link.url(), link.anchor());
        }
      }
      assertEquals("seed " + seed + ": " + html, expected, links);
      found += links.size();
    }
    assertTrue("only " + found + " links", found > 3000);
  }

  /**
   * Pages whose markup is well formed but for end tags that may be left out; each link has a text
   * of its own.
   */
  private static String page(Random random) {
    StringBuilder html = new StringBuilder("<!doctype html><html><head><title>x</title>");
    html.append(
        pick(
            random,
            "",
            "",
            "<base href=/base/x.html>",
            "<BASE target=x><base href='http://b.example/'>"));
    html.append(
            pick(
                random,
                "",
                "<noscript><link href=/no></noscript>",
                "<script>'<a href=/no>'</script>"))
        .append("</head><body>");
    for (int i = random.nextInt(12); i > 0; i--) {
      html.append(
          pick(
              random,
              "<div>%s</div>",
              "<p>%s",
              "<p>%s</p>",
              "<ul><li>%s<li>%s</ul>",
              "<table><tr><td>%s<td>%s</table>",
              "%s",
              "<noscript>%s</noscript>",
              "<template>%s</template>",
              "<!-- %s -->",
              "<script>%s</script>",
              "<textarea>%s</textarea>",
              "<section>%s</section>",
              "<div><a href=/block><div>in</div>out</a></div>",
              "<iframe src='/i%s'></iframe>",
              "<map><area href=/area rel=x></map>",
              "<xmp>%s</xmp>",
              "<h1>%s</h1>"));
      for (int at = html.indexOf("%s"); at >= 0; at = html.indexOf("%s")) {
        boolean isUrl = html.charAt(at - 1) == 'i' && html.charAt(at - 2) == '/';
        html.replace(at, at + 2, isUrl ? String.valueOf(i) : link(random));
      }
    }
    return html.append("</body></html>").toString();
  }

  private static String link(Random random) {
    String text =
        pick(
            random,
            "text",
            " two  words ",
            "a<b>b</b> c",
            "<img src=x>",
            "one<br>two",
            "&amp;&lt;",
            "خبر",
            "<span>x</span>y",
            "",
            "a&nbsp;b");
    return pick(
                random,
                "<a href=\"%s\">",
                "<A HREF='%s'>",
                "<a class=x href=%s >",
                "<a rel=nofollow href=\"%s\">",
                "<a rel=ugc href=\"%s\">")
            .replace(
                "%s",
                pick(
                    random,
                    "x",
                    "/x",
                    "//c.example/y",
                    "?a=1&amp;b=2",
                    "#f",
                    "z#f",
                    "./up",
                    "mailto:x",
                    "javascript:x()",
                    "http://d.example/" + random.nextInt(50),
                    "https://e.example/a&#47;b",
                    "data:x",
                    "/n" + random.nextInt(50)))
        + text
        + "</a>";
  }

  private static String pick(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  /**
   * Returns the links that a crawler takes from a DOM: the first link with a text to each URL that
   * may be followed.
   */
  private static Map<String, String> linksOfDom(String html) {
    Map<String, String> links = new LinkedHashMap<>();
    try {
      Document document = Jsoup.parse(html, PAGE);
      Element baseElement = document.selectFirst("base[href]");
      URL base =
          baseElement == null ? new URL(PAGE) : new URL(new URL(PAGE), baseElement.attr("href"));
      for (Element element : document.select("a[href], area[href], frame[src], iframe[src]")) {
        String to = resolved(base, element.attr(element.hasAttr("href") ? "href" : "src"));
        if (to != null && !element.attr("rel").toLowerCase(Locale.ROOT).contains("nofollow")) {
          links.merge(to, element.text(), (first, second) -> first.isEmpty() ? second : first);
        }
      }
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
    return links;
  }

  private static String resolved(URL base, String href) {
    try {
      // java.net.URL drops the last name of the path before a query.
      String to = new URL(base, href.startsWith("?") ? base.getPath() + href : href).toString();
      to = to.indexOf('#') < 0 ? to : to.substring(0, to.indexOf('#'));
      return to.startsWith("http") ? to : null;
    } catch (MalformedURLException e) {
      return null;
    }
  }

  private static JsonObject json(PageLinks links) {
    JsonObject json = new JsonObject();
    json.addProperty("base", links.baseUrl());
    JsonArray each = new JsonArray();
    for (PageLinks.Link link : links.links()) {
      JsonObject one = new JsonObject();
      one.addProperty("url", link.url());
      one.addProperty("anchor", link.anchor());
      one.addProperty("nofollow", link.isNofollow());
      one.addProperty("ugc", link.isUgc());
      one.addProperty("sponsored", link.isSponsored());
      each.add(one);
    }
    json.add("links", each);
    JsonArray alternates = new JsonArray();
    for (PageLinks.Alternate alternate : links.alternates()) {
      JsonObject one = new JsonObject();
      one.addProperty("language", alternate.language());
      one.addProperty("url", alternate.url());
      alternates.add(one);
    }
    json.add("alternates", alternates);
    JsonArray feeds = new JsonArray();
    links.feeds().forEach(feeds::add);
    json.add("feeds", feeds);
    json.addProperty("canonical", links.canonical());
    JsonObject refresh = new JsonObject();
    refresh.addProperty("seconds", links.refreshSeconds());
    refresh.addProperty("url", links.refreshUrl());
    json.add("refresh", links.refreshUrl() == null ? null : refresh);
    json.addProperty("noindex", links.isNoindex());
    json.addProperty("nofollow", links.isNofollow());
    json.addProperty("noarchive", links.isNoarchive());
    json.addProperty("more", links.hasMoreLinks());
    json.addProperty("whole", links.isWhole());
    // Read back, so that numbers compare as numbers of a text do. Gson leaves nulls out of a text,
    // and its printed tree must have them.
    return JsonParser.parseString(new GsonBuilder().serializeNulls().create().toJson(json))
        .getAsJsonObject();
  }

  private static JsonObject json(Path file) throws IOException {
    return JsonParser.parseString(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
        .getAsJsonObject();
  }
}
