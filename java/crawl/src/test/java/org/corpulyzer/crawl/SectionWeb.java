package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.corpulyzer.crawl.companion.RawServer;

/**
 * A web on loopback whose sites keep their languages apart by a directory, a parameter or a
 * subdomain. Each page links to its other languages. Links from page to page stay mostly in their
 * language, and four anchors in five are in the language of their target. A page is a function of
 * its URL, so every crawl sees the same web.
 */
final class SectionWeb implements AutoCloseable {
  private static final String ENGLISH =
      "The ferry to the island was late again this morning, and the passengers waited on the pier"
          + " while the crew repaired one of the engines and the captain spoke to the harbour. ";

  private static final int RICH = 10;
  private static final int PATH = 12;
  private static final int PARAMETER = 8;
  private static final int SUBDOMAIN = 8;
  private static final int WORLD = 60;
  private static final int URDU_PAGES = 60;
  private static final int ENGLISH_PAGES = 120;

  /** A site: the letter of its kind, and its number. */
  private static final class Site {
    final char kind;
    final int number;

    Site(char kind, int number) {
      this.kind = kind;
      this.number = number;
    }

    boolean hasUrdu() {
      return kind != 'w';
    }

    boolean hasEnglish() {
      return kind != 'r';
    }

    String url(boolean isUrdu, int page) {
      String name = kind + "" + number + ".test";
      String language = isUrdu ? "ur" : "en";
      switch (kind) {
        case 'p':
          return "http://" + name + "/" + language + "/" + page;
        case 'q':
          return "http://" + name + "/page-" + page + "?lang=" + language;
        case 's':
          return "http://" + language + "." + name + "/" + page;
        default:
          return "http://" + name + "/" + page;
      }
    }
  }

  private final List<Site> sites = new ArrayList<>();
  private final RawServer server = new RawServer(this::answer);

  SectionWeb() throws IOException {
    add('r', RICH);
    add('p', PATH);
    add('q', PARAMETER);
    add('s', SUBDOMAIN);
    add('w', WORLD);
  }

  private void add(char kind, int count) {
    IntStream.range(0, count).forEach(number -> sites.add(new Site(kind, number)));
  }

  String proxy() {
    return "127.0.0.1:" + server.port();
  }

  /** Seeds: an Urdu page of one site of each kind, and pages of sites without Urdu. */
  String seeds() {
    List<Site> withUrdu =
        Arrays.asList(new Site('r', 0), new Site('p', 0), new Site('q', 0), new Site('s', 0));
    String urdu =
        withUrdu.stream().map(site -> site.url(true, 0)).collect(Collectors.joining("\n"));
    String english =
        IntStream.range(0, 4)
            .mapToObj(number -> new Site('w', number).url(false, 0))
            .collect(Collectors.joining("\n"));
    return urdu + "\n" + english + "\n";
  }

  /** Returns the URLs that were asked for, without those of robots.txt. */
  Set<String> pages() {
    return server.requests.stream()
        .map(request -> request.target)
        .filter(url -> isUrdu(url) || isEnglish(url))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  void forget() {
    server.requests.clear();
  }

  /** Returns the sites with text in Urdu of which a page in Urdu was asked for. */
  Set<String> found() {
    return pages().stream()
        .filter(SectionWeb::isUrdu)
        .map(url -> URI.create(url).getHost().replaceFirst("^ur\\.", ""))
        .collect(Collectors.toSet());
  }

  int sitesWithUrdu() {
    return (int) sites.stream().filter(Site::hasUrdu).count();
  }

  /** Returns the percentage of pages in Urdu. */
  double percent() {
    Set<String> pages = pages();
    return 100.0 * pages.stream().filter(SectionWeb::isUrdu).count() / Math.max(1, pages.size());
  }

  static boolean isUrdu(String url) {
    return url.matches("http://(r[0-9]+\\.test/[0-9]+|p.*/ur/.*|q.*lang=ur|ur\\..*/[0-9]+)");
  }

  private static boolean isEnglish(String url) {
    return url.matches("http://(w[0-9]+\\.test/[0-9]+|p.*/en/.*|q.*lang=en|en\\..*/[0-9]+)");
  }

  private void answer(RawServer.Request request, OutputStream out) throws IOException {
    String url = request.target;
    if (!isUrdu(url) && !isEnglish(url)) {
      RawServer.head(out, 404);
      return;
    }
    String name = URI.create(url).getHost().replaceFirst("^(ur|en)\\.", "");
    Site site =
        sites.stream()
            .filter(known -> name.equals(known.kind + "" + known.number + ".test"))
            .findFirst()
            .orElseThrow();
    String digits = url.substring(url.indexOf('/', "http://".length())).replaceAll("[^0-9]", "");
    RawServer.page(
        out, page(site, isUrdu(url), Integer.parseInt(digits), new Random(url.hashCode())));
  }

  private String page(Site site, boolean isUrdu, int page, Random random) {
    StringBuilder html =
        new StringBuilder("<!doctype html><html><head><meta charset=utf-8><title>")
            .append(page)
            .append("</title></head><body>");
    int most = isUrdu ? URDU_PAGES : ENGLISH_PAGES;
    if (site.hasUrdu() && site.hasEnglish()) {
      link(html, site.url(!isUrdu, page % Math.min(URDU_PAGES, most)), isUrdu ? "English" : "اردو");
      link(html, site.url(!isUrdu, 0), isUrdu ? "English news" : "اردو خبریں پڑھیں");
    }
    for (int paragraph = 0; paragraph < 4; paragraph++) {
      String sentence = isUrdu ? TinyWeb.URDU : ENGLISH;
      html.append("<p>").append(page).append(' ').append(sentence).append(sentence).append("</p>");
    }
    for (int next = 1; next <= 4; next++) {
      link(html, site.url(isUrdu, (page + next) % most), anchor(isUrdu, random));
    }
    link(html, site.url(isUrdu, random.nextInt(most)), anchor(isUrdu, random));
    for (int link = 0; link < 3; link++) {
      boolean toUrdu = isUrdu ? random.nextInt(10) < 4 : random.nextInt(10) < 1;
      Site target = draw(toUrdu, !isUrdu, random);
      int last = toUrdu ? URDU_PAGES : ENGLISH_PAGES;
      link(html, target.url(toUrdu, random.nextInt(last)), anchor(toUrdu, random));
    }
    return html.append("</body></html>").toString();
  }

  /** Draws a site; English pages link to English pages of every second site with Urdu alone. */
  private Site draw(boolean isUrdu, boolean prefersWorld, Random random) {
    List<Site> fit =
        sites.stream()
            .filter(site -> isUrdu ? site.hasUrdu() : site.hasEnglish())
            .filter(site -> isUrdu || !prefersWorld || !site.hasUrdu() || site.number % 2 == 0)
            .collect(Collectors.toList());
    return fit.get(random.nextInt(fit.size()));
  }

  private static String anchor(boolean isUrdu, Random random) {
    boolean isRight = random.nextInt(5) > 0;
    return isUrdu == isRight ? "شہر کی تازہ ترین خبر پڑھیے" : "Read the latest city news";
  }

  private static void link(StringBuilder html, String url, String anchor) {
    html.append("<p><a href=\"").append(url).append("\">").append(anchor).append("</a></p>");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
