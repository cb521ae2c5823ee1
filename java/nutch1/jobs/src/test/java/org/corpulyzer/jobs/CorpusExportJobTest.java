package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.ExportContract;
import org.corpulyzer.fixtures.Printed;
import org.corpulyzer.fixtures.WarcRecords;
import org.junit.Before;
import org.junit.Test;
import org.netpreserve.jwarc.WarcTruncationReason;

/** {@link ExportContract} on segments, and what only segments have. */
public class CorpusExportJobTest extends ExportContract {

  private static final long FIRST = 1_700_000_000_000L;
  private static final long SECOND = 1_700_100_000_000L;
  private static final String NAME = "20231114000000";

  private Configuration conf;

  @Before
  public void configure() {
    conf = SegmentForTests.configuration(folder.getRoot());
  }

  private SegmentForTests segment(String name) {
    return new SegmentForTests(conf, file("segments/" + name));
  }

  @Override
  protected void store(List<Page> pages) throws IOException {
    SegmentForTests segment = segment(NAME);
    for (Page page : pages) {
      segment
          .fetch(page.url, CrawlDatum.STATUS_FETCH_SUCCESS, FIRST)
          .getMetaData()
          .put(new Text(Metadata.CONTENT_TYPE), new Text(page.contentType));
      segment.content(page.url, page.content, page.headers);
      Metadata figures = new Metadata();
      page.figures.forEach(figures::set);
      segment.parse(page.url, page.text, figures);
    }
    segment.write();
  }

  @Override
  protected void set(String key, String value) {
    conf.set(key, value);
  }

  @Override
  protected String stored() {
    return "segment " + NAME;
  }

  /** Without a segment among the arguments, that of {@link #store} is read. */
  @Override
  protected int run(String... args) throws Exception {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = segment(NAME).path();
    return runOn(all);
  }

  private int runOn(String... args) throws Exception {
    CorpusExportJob export = new CorpusExportJob();
    export.setConf(conf);
    return export.run(args);
  }

  /** Returns the output of the job on the segments that the arguments name. */
  private String exportOn(String... args) throws Exception {
    return Printed.out(() -> assertEquals(0, runOn(args)));
  }

  private String refusedOn(String... args) {
    return assertThrows(CorpulyzerException.class, () -> runOn(args)).getMessage();
  }

  @Test
  public void severalTargetsAreACorpusEach() throws Exception {
    Page sindhi = new Page("http://b.example/", "reject 0 bytes of urd, 50 wanted", "سنڌي");
    sindhi.figures.put(PageKeys.LANGUAGES, "snd:90,eng:9");
    store(List.of(new Page("http://a.example/", "keep 60 bytes of urd, 50 wanted", TEXT), sindhi));
    set(Settings.LANGUAGE_TARGET, "sd,ur");
    set(Settings.PAGE_MIN_BYTES, "50");
    export(file("both").getPath());
    assertEquals(List.of("http://b.example/"), urls(file("both/snd")));
    assertEquals(List.of("http://a.example/"), urls(file("both/urd")));
  }

  @Test
  public void rowsThatAreNoPagesAreCounted() throws Exception {
    SegmentForTests segment = segment(NAME);
    segment.page("http://a.example/", FIRST, "keep 60 bytes", TEXT);
    segment.page("http://a.example/rejected", FIRST, "reject too few bytes", "rejected");
    segment.fetch("http://a.example/unparsed", CrawlDatum.STATUS_FETCH_SUCCESS, FIRST);
    segment.fetch("http://a.example/gone", CrawlDatum.STATUS_FETCH_GONE, FIRST);
    segment.fetch("http://a.example/linked", CrawlDatum.STATUS_LINKED, FIRST);
    segment.page("no url", FIRST, "keep", "malformed");
    segment.write();
    String printed = export(file("kept").getPath());
    assertTrue(printed, printed.contains("\n  1 addresses are no URL with a host\n"));
    assertTrue(
        printed, printed.contains("\n  1 more were fetched and not parsed with the plugin\n"));
    assertEquals("2023-11-14T22:13:20Z", lines(file("kept"), ".jsonl.gz").get(0).split("\"")[15]);
    printed = exportOn("-all", file("all").getPath(), "-dir", file("segments").getPath());
    assertTrue(
        printed, printed.contains("\n  1 more were fetched and not parsed with the plugin\n"));
  }

  @Test
  public void theNewestFetchOfAUrlCounts() throws Exception {
    SegmentForTests old = segment("20231114000000");
    SegmentForTests young = segment("20231115000000");
    String[] names = {"again", "older", "unchanged", "retry", "gone", "moved", "once"};
    for (String name : names) {
      // A segment that was generated later may be fetched earlier.
      old.page(
          "http://a.example/" + name,
          name.equals("older") ? SECOND + 9 : FIRST,
          "keep",
          "old " + name);
    }
    young.page("http://a.example/again", SECOND, "keep", "new again");
    young.page("http://a.example/older", SECOND, "keep", "new older");
    young.fetch("http://a.example/unchanged", CrawlDatum.STATUS_FETCH_NOTMODIFIED, SECOND);
    young.fetch("http://a.example/retry", CrawlDatum.STATUS_FETCH_RETRY, SECOND);
    young.fetch("http://a.example/gone", CrawlDatum.STATUS_FETCH_GONE, SECOND);
    young.fetch("http://a.example/moved", CrawlDatum.STATUS_FETCH_REDIR_PERM, SECOND);
    old.write();
    young.write();
    String printed =
        exportOn("-format", "text", file("out").getPath(), young.path(), old.path(), old.path());
    List<String> texts = lines(file("out"), ".txt.gz");
    texts.removeIf(String::isEmpty);
    assertEquals(
        Arrays.asList("new again", "old older", "old once", "old retry", "old unchanged"), texts);
    assertTrue(
        printed,
        printed.startsWith("CorpusExportJob: 5 pages of 2 segments in 1 files")
            && printed.contains("\n  2 more are no longer there, or redirect\n"));
  }

  @Test
  public void theCrawlDbDropsWhatIsGoneOrADuplicate() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    Map<String, Byte> rows = new TreeMap<>();
    byte[] statuses = {
      CrawlDatum.STATUS_DB_FETCHED,
      CrawlDatum.STATUS_DB_NOTMODIFIED,
      CrawlDatum.STATUS_DB_UNFETCHED,
      CrawlDatum.STATUS_DB_GONE,
      CrawlDatum.STATUS_DB_DUPLICATE,
      CrawlDatum.STATUS_DB_REDIR_TEMP,
      CrawlDatum.STATUS_DB_REDIR_PERM
    };
    for (byte status : statuses) {
      rows.put("http://a.example/" + status, status);
      segment.page("http://a.example/" + status, FIRST, "keep", "text");
    }
    rows.put("http://never.example/", CrawlDatum.STATUS_DB_GONE);
    segment.page("http://a.example/not-there", FIRST, "keep", "text");
    segment.write();
    SegmentForTests.crawlDb(conf, file("crawldb"), rows);
    String printed =
        exportOn("-crawldb", file("crawldb").getPath(), file("out").getPath(), segment.path());
    assertEquals(
        Arrays.asList(
            "http://a.example/1",
            "http://a.example/2",
            "http://a.example/6",
            "http://a.example/not-there"),
        urls(file("out")));
    assertTrue(
        printed,
        printed.contains("\n  3 more are no longer there, or redirect\n")
            && printed.contains("\n  1 more are duplicates by the CrawlDb\n"));
    assertTrue(
        refusedOn("-crawldb", segment.path(), file("wrong").getPath(), segment.path())
            .endsWith(" is not a CrawlDb: it has no folder current."));
    assertFalse(file("wrong").exists());
  }

  @Test
  public void warcHasTheResponseAsTheServerSentItWhereItIsStored() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    byte[] latin = {'<', 'p', '>', (byte) 0xe9, 0, '\r', '\n', '\r', '\n', 'W', 'A', 'R', 'C', '/'};
    addResponse(segment, latin);
    addCutResponse(segment);
    segment.page("ftp://c.example/file", FIRST, "keep", "file");
    segment.fetch("http://d.example/", CrawlDatum.STATUS_FETCH_SUCCESS, FIRST);
    segment.parse("http://d.example/", "no content", SegmentForTests.figures("keep"));
    segment.write();
    String printed = exportOn("-format", "warc", file("warc").getPath(), segment.path());
    assertTrue(
        printed,
        printed.startsWith("CorpusExportJob: 3 pages ")
            && printed.contains("\n  1 more have no stored content ("));

    WarcRecords records = new WarcRecords(files(file("warc"), ".warc.gz"));
    assertEquals(
        Arrays.asList(
            "warcinfo",
            "response",
            "request",
            "metadata",
            "response",
            "metadata",
            "resource",
            "metadata"),
        records.types);
    assertResponseIsAsItWasSent(records, latin);
    assertCutResponseIsMarked(records);
    assertEquals("<p>file", records.body("resource ftp://c.example/file"));
    String info = records.body("warcinfo");
    assertTrue(
        info,
        info.contains("isPartOf: " + folder.getRoot().getName() + "/segments\r\n")
            && info.contains("http-header-from: a@bot.example\r\n")
            && info.contains("software: Corpulyzer on Apache Nutch 1\r\n"));

    exportOn("-format", "wet", file("wet").getPath(), segment.path());
    WarcRecords texts = new WarcRecords(files(file("wet"), ".warc.wet.gz"));
    assertEquals(TEXT, texts.body("conversion http://a.example/"));
    assertEquals(
        records.headers.get("response http://a.example/").get("WARC-Record-ID"),
        texts.headers.get("conversion http://a.example/").get("WARC-Refers-To"));
    assertEquals("text needs no content", "no content", texts.body("conversion http://d.example/"));
  }

  private static void addResponse(SegmentForTests segment, byte[] latin) {
    segment.page("http://a.example/", FIRST, "keep", TEXT);
    segment.content(
        "http://a.example/",
        latin,
        "Content-Encoding",
        "gzip",
        "_ip_",
        "192.0.2.7",
        "_request_",
        "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nUser-Agent: a bot\r\n\r\n",
        "_response.headers_",
        "HTTP/1.1 203 Odd\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: 99\r\n\r\n",
        "http.content.truncated",
        "true",
        "http.content.truncated.reason",
        "TIME");
  }

  private static void addCutResponse(SegmentForTests segment) {
    segment.page("https://b.example/b c", FIRST, "keep", "plain");
    segment.content(
        "https://b.example/b c",
        "<p>cut".getBytes(StandardCharsets.UTF_8),
        "Content-Length",
        "5000",
        "Set-Cookie",
        "c",
        "Set-Cookie",
        "d",
        "Server",
        "x\r\nEvil: y");
  }

  private static void assertResponseIsAsItWasSent(WarcRecords records, byte[] latin) {
    String first = "response http://a.example/";
    assertEquals(
        "HTTP/1.1 203 Odd\r\n"
            + "Set-Cookie: a=1\r\n"
            + "Set-Cookie: b=2\r\n"
            + "X-Crawler-Content-Encoding: gzip\r\n"
            + "X-Crawler-Content-Length: 99\r\n"
            + "Content-Length: 14\r\n\r\n",
        records.heads.get(first));
    assertArrayEquals(latin, records.bodies.get(first));
    assertEquals(
        Collections.singletonList("192.0.2.7"), records.headers.get(first).get("WARC-IP-Address"));
    assertEquals(
        Collections.singletonList("2023-11-14T22:13:20Z"),
        records.headers.get(first).get("WARC-Date"));
    assertEquals(
        Collections.singletonList("text/html"),
        records.headers.get(first).get("WARC-Identified-Payload-Type"));
    assertEquals(WarcTruncationReason.TIME, records.reasons.get(first));
    assertEquals(
        "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nUser-Agent: a bot\r\n\r\n",
        records.heads.get("request http://a.example/"));
    assertEquals(
        records.headers.get(first).get("WARC-Record-ID"),
        records.headers.get("request http://a.example/").get("WARC-Concurrent-To"));
    String figures = records.body("metadata http://a.example/");
    assertTrue(
        figures,
        figures.contains("crp.d: keep\r\n") && figures.contains("crp.l: urd:60,eng:9,und:3\r\n"));
    assertFalse("only figures", figures.contains("OriginalCharEncoding"));
  }

  private static void assertCutResponseIsMarked(WarcRecords records) {
    String second = "response https://b.example/b%20c";
    assertEquals(
        "HTTP/1.1 200 OK\r\n"
            + "X-Crawler-Content-Length: 5000\r\n"
            + "Server: x Evil: y\r\n"
            + "Set-Cookie: c\r\n"
            + "Set-Cookie: d\r\n"
            + "Content-Type: text/html\r\n"
            + "Content-Length: 6\r\n\r\n",
        records.heads.get(second));
    assertEquals(WarcTruncationReason.LENGTH, records.reasons.get(second));
  }

  @Test
  public void pagesHaveTheRulesOfTheirHostThatSegmentsStore() throws Exception {
    SegmentForTests old = segment("20231114000000");
    SegmentForTests young = segment("20231115000000");
    String usage = "User-agent: *\nDisallow: /x\nContent-Usage: /news train-ai=n\n";
    String signal = "User-agent: *\nContent-Signal: ai-train=no\n";
    String reserved = "[{\"location\":\"/\",\"tdm-reservation\":1}]";
    for (String url :
        Arrays.asList(
            "http://a.example/",
            "http://a.example/news/1",
            "http://a.example:8080/",
            "http://a-b.example/",
            "http://c.example/",
            "http://d.example/",
            "http://e.example/",
            "http://f.example/",
            "http://g.example/robots.txt/1",
            "http://x.a.example/")) {
      old.page(url, FIRST, "keep", TEXT);
    }
    old.parse("http://d.example/", TEXT, SegmentForTests.figures("keep"))
        .getParseMeta()
        .set(PageKeys.RESERVATION, "{\"noai\":{\"noai\":\"meta\"}}");
    // A file of the other scheme counts, as in archives.
    old.hostFile("https://a.example/robots.txt", usage, "nutch.fetch.time", "" + FIRST);
    old.hostFile("http://a.example/robots.txt", "moved", "location", "https://a.example/");
    old.hostFile("http://c.example/robots.txt", signal);
    young.hostFile("http://c.example/robots.txt", "User-agent: *\nDisallow:\n");
    old.hostFile(
        "http://d.example/robots.txt", signal, "_response.headers_", "HTTP/1.1 200 OK\r\n\r\n");
    old.hostFile(
        "http://e.example/robots.txt", signal, "_response.headers_", "HTTP/1.1 404 None\r\n\r\n");
    old.fetch("http://f.example/.well-known/tdmrep.json", CrawlDatum.STATUS_FETCH_SUCCESS, FIRST);
    old.content(
        "http://f.example/.well-known/tdmrep.json", reserved.getBytes(StandardCharsets.UTF_8));
    old.hostFile("http://g.example/robots.txt/1", signal);
    old.write();
    young.write();
    String[] segments = {"-dir", file("segments").getPath()};
    exportOn(file("without").getPath(), segments[0], segments[1]);
    assertFalse(lines(file("without"), ".jsonl.gz").toString().contains("\"train"));
    conf.setBoolean("fetcher.store.robotstxt", true);
    String printed = exportOn(file("with").getPath(), segments[0], segments[1]);
    assertTrue(printed, printed.contains("\n  3 hosts have stored rules on the use of "));
    Map<String, String> reservations = new TreeMap<>();
    for (String line : lines(file("with"), ".jsonl.gz")) {
      int at = line.indexOf("\"reservation\":{\"");
      if (at > 0) {
        reservations.put(field(line, "url"), line.substring(at + 14, line.length() - 1));
      }
    }
    assertEquals(
        "{http://a.example/news/1="
            + "{\"content_usage\":{\"train-ai\":{\"source\":\"robots.txt\",\"value\":\"n\"}}}, "
            + "http://d.example/={\"content_signal\":{\"ai-train\":{\"source\":\"robots.txt\","
            + "\"value\":\"n\"}},\"noai\":{\"noai\":\"meta\"}}, "
            + "http://f.example/={\"tdm\":{\"reservation\":1,\"source\":\"file\"}}}",
        reservations.toString());

    conf.setBoolean("fetcher.store.robotstxt", false);
    exportOn("-format", "warc", file("warc").getPath(), segments[0], segments[1]);
    WarcRecords records = new WarcRecords(files(file("warc"), ".warc.gz"));
    TreeSet<String> hostFiles = new TreeSet<>(records.bodies.keySet());
    hostFiles.removeIf(name -> !name.startsWith("response ") || !name.matches(".*(txt|json)"));
    assertEquals(
        "[response http://d.example/robots.txt,"
            + " response http://f.example/.well-known/tdmrep.json,"
            + " response https://a.example/robots.txt]",
        hostFiles.toString());
    assertEquals("as it was sent", usage, records.body("response https://a.example/robots.txt"));
  }

  @Test
  public void whateverStandsInASegmentTheFilesAreValid() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    Metadata odd = new Metadata();
    odd.set(PageKeys.DECISION, "keep a\u0000\nb\ufffe");
    odd.set(PageKeys.LANGUAGES, "urd=9");
    odd.set(PageKeys.RAW_BYTES, "-5");
    segment
        .fetch("http://a.example/odd", CrawlDatum.STATUS_FETCH_SUCCESS, FIRST)
        .getMetaData()
        .clear();
    segment.content(
        "http://a.example/odd",
        new byte[0],
        "a\nb",
        "c\r\nd",
        "",
        "empty",
        "_response.headers_",
        "\u0000\r\n\r\n",
        "_request_",
        "GET",
        "_ip_",
        "IP",
        "http.content.truncated",
        "maybe");
    segment
        .parse("http://a.example/odd", TEXT, odd)
        .getContentMeta()
        .set(Nutch.SIGNATURE_KEY, "no hex");
    segment.page("http://a.example/" + "x".repeat(20_000), FIRST, "keep", "long");
    segment.page("http://[2001:db8::1]/", FIRST, "keep", "IPv6");
    segment.write();
    exportOn(file("jsonl").getPath(), segment.path());
    List<String> lines = lines(file("jsonl"), ".jsonl.gz");
    assertEquals(3, lines.size());
    assertEquals("[2001:db8::1]", field(lines.get(0), "host"));
    assertTrue(
        lines.get(1),
        lines
            .get(1)
            .endsWith(
                "\"raw_bytes\":0,\"visible_bytes\":0,\"main_bytes\":0,\"languages\":{},"
                    + "\"language_set\":{},\"decision\":\"keep a\\u0000\\n"
                    + "b\ufffe\",\"record_version\":\"\",\"signature\":\"\"}"));
    exportOn("-format", "warc", file("warc").getPath(), segment.path());
    WarcRecords records = new WarcRecords(files(file("warc"), ".warc.gz"));
    assertEquals(7, records.types.size());
    assertEquals(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
        records.heads.get("response http://a.example/odd"));
  }

  @Test
  public void roundsAreTheTimesAtWhichSegmentsWereGenerated() throws Exception {
    SegmentForTests renamed = segment("20231101000000");
    renamed
        .page("http://a.example/renamed", FIRST, "keep", "text")
        .getContentMeta()
        .set(Nutch.SEGMENT_NAME_KEY, "20231114000000");
    renamed.write();
    // The name of a merged segment is the time of merging.
    SegmentForTests merged = segment("20240101000000");
    merged.page("http://a.example/merged", FIRST, "keep", "text");
    SegmentForTests own = segment("my-segment");
    own.page("http://a.example/own", FIRST, "keep", "text");
    SegmentForTests wrong = segment("99999999999999");
    wrong.page("http://a.example/wrong", FIRST, "keep", "text");
    wrong
        .fetch("http://a.example/wrong", CrawlDatum.STATUS_FETCH_SUCCESS, FIRST)
        .getMetaData()
        .clear();
    merged.write();
    own.write();
    wrong.write();
    String printed = exportOn(file("out").getPath(), "-dir", file("segments").getPath());
    List<String> lines = lines(file("out"), ".jsonl.gz");
    assertEquals(
        Arrays.asList(
            "http://a.example/merged",
            "http://a.example/own",
            "http://a.example/renamed",
            "http://a.example/wrong"),
        urls(file("out")));
    assertEquals("when its pages were generated", "1699999995", field(lines.get(0), "round"));
    assertEquals("when the first page was generated", "1699999995", field(lines.get(1), "round"));
    assertEquals(
        String.valueOf(
            new java.text.SimpleDateFormat("yyyyMMddHHmmss").parse("20231114000000").getTime()
                / 1000),
        field(lines.get(2), "round"));
    assertEquals("when it was fetched", "1700000000", field(lines.get(3), "round"));
    assertTrue(
        printed,
        printed.contains(
            "The names of 2 segments are no times, that of file:"
                + file("segments/99999999999999")
                + " is the first: each of their pages counts in the round in which it was"
                + " generated.\n"));
  }

  @Test
  public void slicesOfMergedSegmentsKeepTheRoundsOfTheirPages() throws Exception {
    long aDay = 86_400_000;
    SegmentForTests slice = segment("20240101000000-0");
    slice.page("http://a.example/first", FIRST, "keep", "text");
    slice.page("http://a.example/second", FIRST + aDay, "keep", "text");
    slice.write();
    String printed = exportOn(file("out").getPath(), slice.path());
    List<String> lines = lines(file("out"), ".jsonl.gz");
    assertEquals("1699999995", field(lines.get(0), "round"));
    assertEquals("1700086395", field(lines.get(1), "round"));
    assertTrue(
        printed,
        printed.startsWith(
            "The name of segment file:"
                + slice.path()
                + " is no time: each of its pages counts in the round in which it was"
                + " generated.\n"));
  }

  @Test
  public void severalReducersWriteEachHostToOneOfTheirFiles() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    for (int i = 0; i < 60; i++) {
      segment.page("http://h" + i % 6 + ".example/" + i, FIRST, "keep", "text " + i);
    }
    segment.write();
    conf.setInt("mapreduce.job.reduces", 3);
    String printed = exportOn(file("out").getPath(), segment.path());
    List<File> files = files(file("out"), ".jsonl.gz");
    assertTrue(
        printed,
        files.size() > 1
            && printed.startsWith(
                "CorpusExportJob: 60 pages of segment 20231114000000 in "
                    + files.size()
                    + " files"));
    List<String> lines = lines(file("out"), ".jsonl.gz");
    int changes = 0;
    for (int i = 1; i < lines.size(); i++) {
      changes += field(lines.get(i), "host").equals(field(lines.get(i - 1), "host")) ? 0 : 1;
    }
    assertEquals("pages of a host follow each other", 5, changes);
    assertEquals(60, new TreeSet<>(urls(file("out"))).size());
  }

  @Test
  public void aSegmentThatCannotBeReadStopsBeforeAnyTaskWithASentence() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    segment.page("http://a.example/", FIRST, "keep", "text");
    segment.write();
    String out = file("out").getPath();
    String path = segment.path();
    for (String[] wrong :
        new String[][] {{}, {out}, {out, path, "-dir", path}, {out, path, "-crawldb"}}) {
      assertTrue(
          Printed.err(() -> assertEquals(Arrays.toString(wrong), 2, runOn(wrong)))
              .contains("\nUsage: CorpusExportJob "));
    }
    assertTrue(
        Printed.err(() -> runOn(out))
            .startsWith("CorpusExportJob: <segment> is missing.\nUsage: "));
    File none = folder.newFolder("none");
    assertEquals(
        "The folder " + none + " has no fetched segment.", refusedOn(out, "-dir", none.getPath()));
    assertEquals(
        "The segment " + file("nothing") + " does not exist.",
        refusedOn(out, file("nothing").getPath()));
    assertEquals(
        "The folder " + none + " is not a segment: it has no folder crawl_fetch.",
        refusedOn(out, none.getPath()));
    File generated = folder.newFolder("more", "20240101000000", "crawl_generate").getParentFile();
    assertEquals(
        "The segment "
            + generated
            + " is not fetched: run bin/nutch fetch "
            + generated
            + ", or do not name it.",
        refusedOn(out, generated.getPath()));
    assertTrue(refusedOn(out, "-dir", generated.getParent()).endsWith(" has no fetched segment."));
    SegmentForTests unparsed = new SegmentForTests(conf, file("more/20240102000000"));
    unparsed.page("http://a.example/", FIRST, "keep", "text");
    unparsed.write();
    delete(new File(unparsed.folder(), "parse_data"));
    assertEquals(
        "The segment "
            + unparsed.path()
            + " is not parsed: run bin/nutch parse "
            + unparsed.path()
            + ", or do not name it.",
        refusedOn(out, path, unparsed.path()));
    assertFalse(file("out").exists());
    folder.newFolder("segments", "20240103000000", "crawl_generate");
    String printed = exportOn(out, "-dir", file("segments").getPath());
    assertTrue(
        printed,
        printed.contains("20240103000000 is not fetched: run bin/nutch fetch ")
            && printed.contains(". It is skipped.\n")
            && printed.contains("CorpusExportJob: 1 pages of segment 20231114000000 in 1 files"));
  }

  private static void delete(File folder) {
    File[] files = folder.listFiles();
    if (files != null) {
      Arrays.stream(files).forEach(CorpusExportJobTest::delete);
    }
    assertTrue(folder.delete());
  }

  @Test
  public void aDamagedFileIsNamedAndLeavesNothingInTheWayOfTheNextExport() throws Exception {
    SegmentForTests segment = segment("20231114000000");
    for (int i = 0; i < 200; i++) {
      segment.page("http://a.example/" + i, FIRST, "keep", TEXT.repeat(40) + i);
    }
    segment.write();
    String out = file("out").getPath();
    File data = new File(segment.folder(), "content/part-r-00000/data");
    assertTrue(
        "a file that is copied has none", new File(data.getParentFile(), ".data.crc").delete());
    try (RandomAccessFile file = new RandomAccessFile(data, "rw")) {
      file.setLength(file.length() - 100);
    }
    String message =
        assertThrows(JobFailedException.class, () -> runOn("-format", "warc", out, segment.path()))
            .getMessage();
    assertTrue(
        message,
        message.contains(" failed: The file file:" + data + " cannot be read (java.io.EOFException")
            && message.endsWith(
                "): restore it, fetch or parse its segment again, or leave the segment out."));
    assertFalse(file("out").exists());
    assertTrue(
        "text needs no content",
        exportOn(out, segment.path()).startsWith("CorpusExportJob: 200 pages "));

    delete(new File(segment.folder(), "parse_text/part-r-00000"));
    assertTrue(new File(segment.folder(), "parse_text/part-r-00000").mkdir());
    message = refusedOn(file("again").getPath(), segment.path());
    assertTrue(
        message,
        message.endsWith(
            "parse_text is damaged: part-r-00000 has no file data; "
                + "fetch or parse the segment again, or do not name it."));
    assertFalse(file("again").exists());
  }
}
