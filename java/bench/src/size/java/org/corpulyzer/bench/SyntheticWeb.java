package org.corpulyzer.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.corpulyzer.engine.PageKeys;

/**
 * The rows of a web table that nobody crawled: the same seed gives the same bytes. Hosts follow a
 * power law (the largest has three tenths of the pages, or all have the same number), one page in
 * three is fetched, and a fetched page has content, figures, links and marks as Nutch and the
 * plugin leave them.
 */
final class SyntheticWeb {

  static final int CONTENT_BYTES = 20_000;
  private static final int LINKS = 10;
  private static final long DAY_MILLIS = 86_400_000L;

  /** One host in eight writes in the target language, as far as its pages do. */
  private static final int RICH_OF = 8;

  private static final String RECORD_VERSION = "2 web-am/1 lm/2-synthetic";
  private static final byte[][] WORDS = words();

  /** A host and the number of its pages. */
  static final class Host {
    private final String key;
    private final int pages;

    Host(String key, int pages) {
      this.key = key;
      this.pages = pages;
    }

    int pages() {
      return pages;
    }

    private String name() {
      List<String> labels = Arrays.asList(key.split("\\."));
      Collections.reverse(labels);
      return String.join(".", labels);
    }
  }

  private final long seed;
  private final boolean withContent;
  private final List<Host> hosts = new ArrayList<>();

  /**
   * @param rows pages of the whole web
   * @param pagesPerHost the same for every host, or 0 for a power law
   * @param withContent whether fetched pages have their 20 KB
   */
  SyntheticWeb(long seed, int rows, int pagesPerHost, boolean withContent) {
    this.seed = seed;
    this.withContent = withContent;
    int left = rows;
    for (int i = 0; left > 0; i++) {
      int wanted =
          pagesPerHost > 0 ? pagesPerHost : i == 0 ? 3 * rows / 10 : (int) (rows / 15.0 / i);
      int pages = Math.min(left, Math.max(1, wanted));
      hosts.add(new Host(hostKey(i), pages));
      left -= pages;
    }
    hosts.sort(Comparator.comparing(host -> host.key + ':'));
  }

  private String hostKey(int number) {
    String[] domains = {"com", "org", "pk", "in", "net"};
    long hash = mix(seed, number, 1);
    return domains[(int) Math.floorMod(hash, (long) domains.length)]
        + ".h"
        + Long.toString(hash >>> 24, 36)
        + number;
  }

  /**
   * @return hosts in the order of their rows
   */
  List<Host> hosts() {
    return hosts;
  }

  /**
   * @return the pages of the largest host
   */
  int largestHost() {
    return hosts.stream().mapToInt(Host::pages).max().orElse(0);
  }

  /**
   * @return the row key of a host's page; keys sort as their numbers do
   */
  static byte[] rowKey(Host host, int page) {
    return utf8(host.key + ":http" + path(page));
  }

  private static String path(int page) {
    return String.format(Locale.ROOT, "/news/%08d.html", page);
  }

  private boolean isFetched(Host host, int page) {
    return mix(seed, host.key.hashCode(), page) % 3 == 0;
  }

  /**
   * @return the cells of one page, in their order, stamped a day ago
   */
  List<KeyValue> row(Host host, int page) {
    Cells cells = new Cells(rowKey(host, page), System.currentTimeMillis() - DAY_MILLIS);
    cells.put("f", "fi", Bytes.toBytes(2_592_000));
    cells.put("f", "ts", Bytes.toBytes(cells.time - DAY_MILLIS));
    cells.put("mk", "dist", utf8(Integer.toString(1 + page % 5)));
    cells.put("il", "http://" + host.name() + "/", utf8("anchor text of a link"));
    cells.put("s", "s", Bytes.toBytes(1f));
    if (isFetched(host, page)) {
      cells.put("f", "st", Bytes.toBytes((int) CrawlStatus.STATUS_FETCHED));
      cells.put("mk", "_updmrk_", utf8("1700000000-1234567890"));
      fetched(cells, host, page);
    } else {
      cells.put("f", "st", Bytes.toBytes((int) CrawlStatus.STATUS_UNFETCHED));
    }
    return cells.sorted();
  }

  /**
   * @param mark id of the batch that the page is in
   * @return what fetch and parse write to a page of a batch, now; its key may be any
   */
  List<KeyValue> fetchedRow(byte[] key, String mark) {
    String text = Bytes.toString(key);
    Host host = new Host(text.substring(0, text.indexOf(':')), 1);
    Cells cells = new Cells(key, System.currentTimeMillis());
    cells.put("f", "st", Bytes.toBytes((int) CrawlStatus.STATUS_FETCHED));
    cells.put("f", "ts", Bytes.toBytes(cells.time));
    cells.put("mk", "_ftcmrk_", utf8(mark));
    cells.put("mk", "__prsmrk__", utf8(mark));
    fetched(cells, host, (int) (mix(seed, text.hashCode(), 9) >>> 40));
    return cells.sorted();
  }

  private void fetched(Cells cells, Host host, int page) {
    long random = mix(seed, host.key.hashCode(), page + (1L << 32));
    boolean rich = Math.floorMod(mix(seed, host.key.hashCode(), 3), RICH_OF) == 0;
    int text = 500 + (int) ((random >>> 8) % 8000);
    int target = rich ? text - text / 10 : random % 50 == 0 ? 40 : 0;
    cells.put("f", "bas", utf8("http://" + host.name() + path(page)));
    cells.put("f", "pts", Bytes.toBytes(cells.time - 2 * DAY_MILLIS));
    cells.put("f", "typ", utf8("text/html"));
    if (withContent) {
      cells.put("f", "cnt", content(random));
    }
    cells.put("h", "Content-Type", utf8("text/html; charset=utf-8"));
    cells.put("h", "Server", utf8("nginx/1.18.0"));
    cells.put("h", "Date", utf8("Sat, 21 Nov 2020 10:11:12 GMT"));
    cells.put("p", "t", utf8("The title of page " + page + " on " + host.name()));
    cells.put("p", "sig", Bytes.add(Bytes.toBytes(random), Bytes.toBytes(~random)));
    figures(cells, text, target);
    for (int i = 0; i < LINKS; i++) {
      cells.put("ol", link(host, random, i), utf8("anchor " + i));
    }
  }

  private static void figures(Cells cells, int text, int target) {
    String languages =
        target > text / 2
            ? "urd:" + target + ",eng:" + (text - target)
            : "eng:" + (text - target) + (target > 0 ? ",urd:" + target : "");
    cells.put("mtdt", PageKeys.VERSION, utf8(RECORD_VERSION));
    cells.put("mtdt", PageKeys.STATUS, utf8("ok"));
    cells.put("mtdt", PageKeys.RAW_BYTES, utf8(Integer.toString(CONTENT_BYTES)));
    cells.put("mtdt", PageKeys.VISIBLE_BYTES, utf8(Integer.toString(text + 1200)));
    cells.put("mtdt", PageKeys.MAIN_BYTES, utf8(Integer.toString(text)));
    cells.put("mtdt", PageKeys.LANGUAGES, utf8(languages));
    cells.put("mtdt", PageKeys.LANGUAGE_SET, utf8(target > text / 2 ? "urd:90,eng:10" : "eng:100"));
    cells.put(
        "mtdt",
        PageKeys.DECISION,
        utf8(
            target >= 256
                ? "keep 256 target bytes or more"
                : "reject fewer than 256 target bytes"));
    cells.put("mtdt", PageKeys.STAGE, utf8("bytes"));
    cells.put("mtdt", PageKeys.CHARSET, utf8("UTF-8"));
    cells.put("mtdt", PageKeys.DECLARED_LANGUAGE, utf8(target > text / 2 ? "ur" : "en"));
  }

  /** Four links in five stay on the host; half of all lead to pages that the table has. */
  private String link(Host from, long random, int number) {
    long hash = mix(seed, random, number);
    Host to =
        hash % 5 == 0 ? hosts.get((int) Math.floorMod(hash >>> 8, (long) hosts.size())) : from;
    int page =
        (int) Math.floorMod(hash >>> 20, (hash & 1) == 0 ? Math.max(1L, to.pages) : 100_000_000L);
    return "http://" + to.name() + path(page);
  }

  /** Text that compresses as pages do: words of a vocabulary, some of them often. */
  private static byte[] content(long random) {
    byte[] content = new byte[CONTENT_BYTES / 2 + (int) ((random >>> 16) % CONTENT_BYTES)];
    long state = random | 1;
    int at = 0;
    while (at < content.length) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      int bits = (int) (state >>> 40);
      byte[] word = WORDS[(bits & 3) == 0 ? bits >>> 2 & 63 : bits >>> 2 & 4095];
      int length = Math.min(word.length, content.length - at);
      System.arraycopy(word, 0, content, at, length);
      at += length;
    }
    return content;
  }

  private static byte[][] words() {
    byte[][] words = new byte[4096][];
    for (int i = 0; i < words.length; i++) {
      words[i] =
          utf8(
              (i % 9 == 0 ? "<p class=\"" + i + "\">" : "")
                  + Long.toString(mix(17, i, i) >>> (8 + i % 40), 36)
                  + ' ');
    }
    return words;
  }

  /** SplitMix64's finaliser over three numbers; never negative. */
  private static long mix(long a, long b, long c) {
    long z = a * 0x9E3779B97F4A7C15L + b * 0xD1B54A32D192ED03L + c * 0x8CB92BA72F3D8DD7L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return (z ^ z >>> 31) & Long.MAX_VALUE;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The cells of a row. HBase requires families and qualifiers in order. */
  private static final class Cells {
    private final byte[] key;
    private final long time;
    private final Map<String, KeyValue> sorted = new TreeMap<>();

    Cells(byte[] key, long time) {
      this.key = key;
      this.time = time;
    }

    void put(String family, String qualifier, byte[] value) {
      sorted.put(
          family + ' ' + qualifier, new KeyValue(key, utf8(family), utf8(qualifier), time, value));
    }

    List<KeyValue> sorted() {
      return new ArrayList<>(sorted.values());
    }
  }
}
