package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseStatus;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LinkGraphExportTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private String crawlDb;
  private File segments;

  private static ParseData parse(String raw, String... links) throws IOException {
    Outlink[] outlinks = new Outlink[links.length];
    for (int i = 0; i < links.length; i++) {
      outlinks[i] = new Outlink(links[i], "an anchor");
    }
    Metadata figures = new Metadata();
    if (raw != null) {
      figures.set(PageKeys.RAW_BYTES, raw);
    }
    return new ParseData(ParseStatus.STATUS_SUCCESS, "", outlinks, new Metadata(), figures);
  }

  private void write(String segment, Map<String, ParseData> parses) throws IOException {
    try (MapFile.Writer writer =
        new MapFile.Writer(
            conf,
            new Path(segments.getPath(), segment + "/parse_data/part-r-00000"),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(ParseData.class))) {
      for (Map.Entry<String, ParseData> parse : new TreeMap<>(parses).entrySet()) {
        writer.append(new Text(parse.getKey()), parse.getValue());
      }
    }
  }

  @Before
  public void writeACrawl() throws Exception {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    CrawlDatum seed = CrawlDbForTests.fetched("urd:700,eng:9");
    seed.getMetaData().put(new Text(PageKeys.INJECTED_MARK), new Text(PageKeys.MARK_SET));
    crawlDb =
        new CrawlDbForTests(new File(temporary.getRoot(), "crawldb"))
            .put("http://a.example/", seed)
            .put(
                "https://a.example/gone",
                CrawlDbForTests.row(CrawlDatum.STATUS_DB_GONE, 0, PageKeys.LANGUAGES, "urd:5"))
            .put("http://b.example/x", CrawlDbForTests.row(CrawlDatum.STATUS_DB_NOTMODIFIED, 0))
            .put("http://b.example/y", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 0))
            .put("no host at all", CrawlDbForTests.fetched("urd:1"))
            .write(conf, 2)
            .folder
            .getPath();
    segments = new File(temporary.getRoot(), "segments");
    Map<String, ParseData> newer = new HashMap<>();
    newer.put(
        "http://a.example/",
        parse(
            "9000",
            "http://b.example/x",
            "https://a.example/gone",
            "http://b.example/none",
            "http://b.example/x"));
    newer.put("http://b.example/x", parse("many", "http://a.example/"));
    newer.put("http://left.example/", parse("5", "http://a.example/"));
    write("20260102000000", newer);
    Map<String, ParseData> older = new HashMap<>();
    older.put("http://a.example/", parse("1", "http://b.example/y"));
    write("20260101000000", older);
    assertTrue(new File(segments, "20260103000000/crawl_generate").mkdirs());
  }

  private int export(String... args) throws Exception {
    return ToolRunner.run(conf, new LinkGraphExport(), args);
  }

  private static List<String[]> read(File out) throws IOException {
    List<String[]> lines = new ArrayList<>();
    File[] parts = out.listFiles((dir, name) -> name.startsWith("part-"));
    Arrays.sort(parts);
    for (File part : parts) {
      Files.readAllLines(part.toPath()).forEach(line -> lines.add(line.split("\t", -1)));
    }
    return lines;
  }

  @Test
  public void everyRowIsALineWithTheLinksOfItsNewestParse() throws Exception {
    File out = new File(temporary.getRoot(), "graph");
    assertEquals(0, export(crawlDb, out.getPath(), "-dir", segments.getPath()));
    List<String[]> lines = read(out);
    assertEquals(
        Arrays.asList(
            "a.example fetched,injected 700 9000",
            "a.example gone 0 0",
            "b.example fetched 0 0",
            "b.example unfetched 0 0"),
        lines.stream()
            .map(line -> String.join(" ", line[0], line[2], line[3], line[4]))
            .collect(Collectors.toList()));
    Map<String, String> pages = new HashMap<>();
    lines.forEach(line -> pages.put(line[1], line[0] + " " + line[2]));
    assertEquals(4, pages.size());
    assertEquals(
        "two rows, and one page that has none",
        Arrays.asList("a.example gone", "b.example fetched", "null"),
        Stream.of(lines.get(0)[5].split(" "))
            .map(link -> String.valueOf(pages.get(link)))
            .sorted()
            .collect(Collectors.toList()));
    assertEquals(lines.get(0)[1], lines.get(2)[5]);
    assertEquals("", lines.get(3)[5]);

    File one = new File(temporary.getRoot(), "one");
    conf.setInt("mapreduce.job.reduces", 3);
    assertEquals(0, export(crawlDb, one.getPath(), new File(segments, "20260101000000").getPath()));
    List<String[]> older =
        read(one).stream()
            .filter(line -> line[1].equals(lines.get(0)[1]))
            .collect(Collectors.toList());
    assertEquals(lines.get(3)[1], older.get(0)[5]);
    for (File part : one.listFiles((dir, name) -> name.startsWith("part-"))) {
      List<String> hosts =
          Files.readAllLines(part.toPath()).stream()
              .map(line -> line.split("\t")[0])
              .collect(Collectors.toList());
      assertEquals(
          "hosts are not split over parts: " + hosts,
          2 * hosts.stream().distinct().count(),
          hosts.size());
    }
  }

  @Test
  public void simulateReadsIt() throws Exception {
    File out = new File(temporary.getRoot(), "graph");
    assertEquals(0, export(crawlDb, out.getPath(), "-dir", segments.getPath()));
    File log = new File(temporary.getRoot(), "simulate.log");
    int code =
        new ProcessBuilder(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "simulate",
                "--graph",
                out.getPath(),
                "--policy",
                "mean",
                "--top",
                "2",
                "--rounds",
                "2")
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start()
            .waitFor();
    String said = Files.readString(log.toPath());
    assertEquals(said, 0, code);
    assertTrue(said, said.contains("2 pages fetched, 1 gone; skipped 1 never fetched"));
  }

  @Test
  public void aFailedExportLeavesNothingInTheWayOfTheNext() throws Exception {
    File out = new File(temporary.getRoot(), "graph");
    String older = new File(segments, "20260101000000").getPath();
    java.nio.file.Path data =
        new File(segments, "20260102000000/parse_data/part-r-00000/data").toPath();
    Files.delete(data.resolveSibling(".data.crc"));
    Files.write(data, Arrays.copyOf(Files.readAllBytes(data), (int) Files.size(data) - 10));
    assertThrows(
        JobFailedException.class, () -> export(crawlDb, out.getPath(), "-dir", segments.getPath()));
    assertFalse(out.exists());
    assertEquals(0, export(crawlDb, out.getPath(), older));
    assertEquals(4, read(out).size());
  }

  @Test
  public void whatIsNotThereIsAnError() throws Exception {
    String out = new File(temporary.getRoot(), "graph").getPath();
    for (String[] args : new String[][] {{}, {crawlDb, out}, {crawlDb, out, "-what", "x"}}) {
      assertEquals(2, export(args));
    }
    String bare = new File(segments, "20260103000000").getPath();
    String said =
        assertThrows(CorpulyzerException.class, () -> export(crawlDb, out, bare)).getMessage();
    assertEquals(
        "None of 1 segments is parsed ('parse_data' is missing): name the folders of parsed"
            + " segments.",
        said);
    assertThrows(
        CorpulyzerException.class, () -> export(crawlDb + "2", out, "-dir", segments.getPath()));
    assertTrue(new File(out).mkdirs());
    assertThrows(CorpulyzerException.class, () -> export(crawlDb, out, "-dir", segments.getPath()));
  }
}
