package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.DeduplicationJob;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.segment.SegmentMerger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Segments as Nutch's own fetcher, parser, dedup and mergesegs leave them. */
public class FetchedSegmentsTest {

  private static final Map<String, String> PAGES = new ConcurrentHashMap<>();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private boolean storesRobots;

  @Before
  public void empty() {
    PAGES.clear();
  }

  /** A web in memory. A page's text may be the name of a status instead. */
  public static class MemoryWeb extends Configured implements Protocol {

    @Override
    public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
      String page = PAGES.get(url.toString());
      if (page.equals("unchanged")) {
        return new ProtocolOutput(null, new ProtocolStatus(ProtocolStatus.NOTMODIFIED));
      }
      int code =
          page.equals("gone")
              ? ProtocolStatus.GONE
              : page.equals("retry") ? ProtocolStatus.RETRY : ProtocolStatus.SUCCESS;
      Metadata metadata = new Metadata();
      metadata.set(
          Response.RESPONSE_HEADERS, "HTTP/1.1 200 As sent\r\nX-Page: " + page + "\r\n\r\n");
      Content content =
          new Content(
              url.toString(),
              url.toString(),
              page.getBytes(StandardCharsets.UTF_8),
              "text/html",
              metadata,
              getConf());
      return new ProtocolOutput(content, new ProtocolStatus(code));
    }

    @Override
    public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robots) {
      // As Nutch's HTTP plugins do if fetcher.store.robotstxt is true, once a host.
      if (robots != null && url.toString().equals("http://a.example/a-again")) {
        robots.add(
            new Content(
                "http://a.example/robots.txt",
                "http://a.example/robots.txt",
                "User-agent: *\nContent-Signal: ai-train=no\n".getBytes(StandardCharsets.UTF_8),
                "text/plain",
                new Metadata(),
                getConf()));
      }
      return new SimpleRobotRules(SimpleRobotRules.RobotRulesMode.ALLOW_ALL);
    }
  }

  /** Takes a page's bytes for its text, and keeps all. */
  public static class FiguresParser extends Configured implements Parser {

    @Override
    public ParseResult getParse(Content content) {
      ParseData data =
          new ParseData(
              ParseStatus.STATUS_SUCCESS,
              "title",
              new Outlink[0],
              content.getMetadata(),
              SegmentForTests.figures("keep"));
      return ParseResult.createParseResult(
          content.getUrl(),
          new ParseImpl(new String(content.getContent(), StandardCharsets.UTF_8), data));
    }
  }

  private Configuration conf() throws Exception {
    Configuration conf = SegmentForTests.configuration(folder.getRoot());
    conf.set(
        "plugin.folders",
        new File(FetchedSegmentsTest.class.getResource("/fetch-plugins").toURI()).getPath());
    conf.set("plugin.includes", "fetch-test");
    conf.setInt("parser.timeout", -1);
    conf.setFloat("fetcher.server.delay", 0);
    conf.setBoolean("fetcher.store.robotstxt", storesRobots);
    return conf;
  }

  private void run(Tool tool, String... args) throws Exception {
    assertEquals(tool.getClass().getSimpleName(), 0, ToolRunner.run(conf(), tool, args));
  }

  private String path(String name) {
    return new File(folder.getRoot(), name).getPath();
  }

  /** A round a month later, when all is due again. */
  private void round(String daysLater) throws Exception {
    run(new Generator(), path("crawldb"), path("segments"), "-adddays", daysLater);
    File[] segments = new File(path("segments")).listFiles();
    Arrays.sort(segments);
    String newest = segments[segments.length - 1].getPath();
    run(new Fetcher(), newest);
    run(new ParseSegment(), newest);
    run(new CrawlDb(), path("crawldb"), newest);
  }

  private static void web(String... namesAndPages) {
    for (int i = 0; i < namesAndPages.length; i += 2) {
      PAGES.put("http://a.example/" + namesAndPages[i], namesAndPages[i + 1]);
    }
  }

  private List<String> export(String out, String... more) throws Exception {
    List<String> args = new ArrayList<>(Arrays.asList(path(out)));
    Collections.addAll(args, more);
    run(new CorpusExportJob(), args.toArray(new String[0]));
    List<String> lines = new ArrayList<>();
    for (File file : new File(path(out)).listFiles((dir, name) -> name.endsWith(".gz"))) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(file.toPath())),
                  StandardCharsets.UTF_8))) {
        in.lines().forEach(lines::add);
      }
    }
    return lines;
  }

  private static List<String> texts(List<String> lines) {
    List<String> texts = new ArrayList<>();
    lines.forEach(line -> texts.add(line.replaceAll(".*\"text\":\"([^\"]*)\".*", "$1")));
    return texts;
  }

  private static List<Long> rounds(List<String> lines) {
    List<Long> rounds = new ArrayList<>();
    lines.forEach(
        line -> rounds.add(Long.valueOf(line.replaceAll(".*\"round\":([0-9]+),.*", "$1"))));
    return rounds;
  }

  @Test
  public void theRobotsTxtThatNutchStoresReservesThePagesOfItsHost() throws Exception {
    storesRobots = true;
    web("a-again", "first a", "b", "first b");
    Files.write(folder.newFolder("seeds").toPath().resolve("seeds.txt"), PAGES.keySet());
    run(new Injector(), path("crawldb"), path("seeds"));
    round("0");
    String reserved =
        "\"reservation\":{\"content_signal\":"
            + "{\"ai-train\":{\"source\":\"robots.txt\",\"value\":\"n\"}}}";
    List<String> lines = export("one", "-dir", path("segments"));
    assertEquals(Arrays.asList("first a", "first b"), texts(lines));
    lines.forEach(line -> assertTrue(line, line.contains(reserved)));
    assertTrue(
        export("warc", "-format", "warc", "-dir", path("segments"))
            .contains("WARC-Target-URI: http://a.example/robots.txt"));
  }

  @Test
  public void whatNutchLeavesInSegmentsIsReadAcrossRounds() throws Exception {
    web(
        "a-again",
        "first a",
        "b-unchanged",
        "first b",
        "c-gone",
        "first c",
        "d-retry",
        "first d",
        "e-same",
        "first a and b");
    Files.write(folder.newFolder("seeds").toPath().resolve("seeds.txt"), PAGES.keySet());
    run(new Injector(), path("crawldb"), path("seeds"));
    round("0");
    List<String> first = export("one", "-dir", path("segments"));
    assertEquals(
        Arrays.asList("first a", "first b", "first c", "first d", "first a and b"), texts(first));
    assertTrue(
        first.get(0),
        first.get(0).contains("\"id\":\"example.a:http/a-again\"")
            && first.get(0).contains("\"content_type\":\"text/html\"")
            && first.get(0).matches(".*\"signature\":\"[0-9a-f]{32}\".*"));

    web(
        "a-again",
        "second a",
        "b-unchanged",
        "unchanged",
        "c-gone",
        "gone",
        "d-retry",
        "retry",
        "e-same",
        "second a");
    round("40");
    assertEquals(
        Arrays.asList("second a", "first b", "first d", "second a"),
        texts(export("two", "-dir", path("segments"))));
    run(new DeduplicationJob(), path("crawldb"));
    List<String> unique =
        texts(export("unique", "-crawldb", path("crawldb"), "-dir", path("segments")));
    assertEquals(
        Arrays.asList("first b", "first d", "second a"), new ArrayList<>(new TreeSet<>(unique)));
    assertEquals("one of the two is a duplicate", 3, unique.size());
    assertTrue(
        export("warc", "-format", "warc", "-dir", path("segments"))
            .containsAll(
                Arrays.asList("HTTP/1.1 200 As sent", "X-Page: second a", "X-Page: first b")));

    SegmentMerger merger = new SegmentMerger();
    merger.setConf(conf());
    File[] segments = new File(path("segments")).listFiles();
    merger.merge(
        new Path(path("merged")),
        Arrays.stream(segments).map(segment -> new Path(segment.getPath())).toArray(Path[]::new),
        false,
        false,
        0);
    List<String> merged = export("three", "-dir", path("merged"));
    assertEquals(Arrays.asList("second a", "first b", "first d", "second a"), texts(merged));
    List<Long> apart = rounds(export("four", "-dir", path("segments")));
    List<Long> together = rounds(merged);
    for (int i = 0; i < 4; i++) {
      // The generator starts its clock before it names the segment.
      assertTrue(
          apart + " " + together,
          together.get(i) <= apart.get(i) && together.get(i) >= apart.get(i) - 60);
    }
    assertEquals(together.get(0), together.get(3));
    assertEquals(together.get(1), together.get(2));
    assertTrue("there are two rounds still", together.get(0) > together.get(1));
  }
}
