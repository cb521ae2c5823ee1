package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ToolRunner;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Targets;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SeveralTargetsTest {

  private static final long FETCHED = 1_700_000_000_000L;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;

  @Before
  public void writeACrawl() throws Exception {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    conf.set(Settings.LANGUAGE_TARGET, "ur,skr,pnb");
    db =
        new CrawlDbForTests(new File(temporary.getRoot(), "crawl/crawldb"))
            .put("http://urdu.example/", CrawlDbForTests.fetched("urd:3000,eng:5"))
            .put("http://urdu.example/2", CrawlDbForTests.fetched("urd:1000,skr:7"))
            .put("http://saraiki.example/", CrawlDbForTests.fetched("skr:500"))
            .put("http://both.example/", CrawlDbForTests.fetched("skr:400,urd:400,pnb:100"))
            .put("http://english.example/", CrawlDbForTests.fetched("eng:9000"))
            .put("http://unknown.example/", CrawlDbForTests.row(1, 0));
    db.write(conf, 2);
  }

  @Test
  public void aPageOfALanguageThatHasItsBytesStaysInTheLanguageForPolicyPages() throws Exception {
    Settings settings = Settings.from(conf::get);
    Targets targets =
        Engine.of(settings).targets().byQuota(code -> code.equals("urd") ? 2000 : 0, 2000);
    SteeringRows rows = new SteeringRows(settings, targets);
    assertEquals(1, bytes(rows, "urd:3000"));
    assertEquals(500, bytes(rows, "urd:3000,skr:500"));
    assertEquals(0, bytes(rows, "eng:9000"));
  }

  private static long bytes(SteeringRows rows, String languages) throws Exception {
    DataOutputBuffer out = new DataOutputBuffer();
    CrawlDbForTests.fetched(languages).write(out);
    RowBytes row = new RowBytes().set(out.getData(), out.getLength());
    return rows.read(0, new Text("http://a.example/"), row).bytes;
  }

  private float score(String host) {
    return db.score(conf, "http://" + host + ".example/");
  }

  private List<String> hostReader(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        0, ToolRunner.run(conf, new HostReader(new PrintStream(out, true, "UTF-8")), args));
    return out.toString("UTF-8").lines().collect(Collectors.toList());
  }

  @Test
  public void scoreIsTheSumOfTheMeansOfAllTargets() throws Exception {
    assertTrue(db.score(conf).toString().contains("pnb=1.0,skr=1.0,urd=1.0"));
    assertEquals(4007 / 2f, score("urdu"), 0);
    assertEquals(500f, score("saraiki"), 0);
    assertEquals(900f, score("both"), 0);
    assertEquals(0f, score("english"), 0);
    assertEquals(256f, score("unknown"), 0);
    assertEquals("again", 0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    List<String> top = hostReader(db.folder.getPath(), "-top", "2");
    assertTrue(top.toString(), top.get(1).endsWith("urdu.example  pnb:0,skr:7,urd:4000"));
    List<String> host = hostReader(db.folder.getPath(), "-host", "both.example");
    assertTrue(host.toString(), host.contains("400 urd bytes, weight 1.000"));
    assertTrue(host.toString(), host.contains("100 pnb bytes, weight 1.000"));
    assertTrue(
        host.toString(), host.contains("900 weighted bytes / 1 fetched pages (of 1) = 900.0"));
  }

  @Test
  public void languageWithEnoughTextFallsToZeroAndTheCrawlTurnsToTheOthers() throws Exception {
    conf.set(Settings.SCORE_TARGET_BYTES, "2000");
    db.score(conf);
    assertEquals("no text is known before the first run", 4007 / 2f, score("urdu"), 0);
    // urd 4400 of 2000, skr 907, pnb 100: weights 0, 1093 / 1900, 1.
    db.score(conf);
    double skr = 1093 / 1900.0;
    assertEquals((float) ((long) (7 * skr) / 2.0), score("urdu"), 0);
    assertEquals((float) (long) (500 * skr), score("saraiki"), 0);
    assertEquals((float) (long) (400 * skr + 100), score("both"), 0);
    assertEquals("the same text", 0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    List<String> host = hostReader(db.folder.getPath(), "-host", "both.example");
    assertTrue(host.toString(), host.contains("400 urd bytes, weight 0.000"));
    // What a crawl says about its corpora counts before the sums.
    conf.set(RowScores.CORPUS_BYTES, "skr:2000,pnb:2000");
    db.score(conf);
    assertEquals(2000f, score("urdu"), 0);
    assertEquals(0f, score("saraiki"), 0);
  }

  @Test
  public void oneTargetHasTheSameFilesWhateverTheQuota() throws Exception {
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    db.score(conf);
    assertEquals(2000f, score("urdu"), 0);
    byte[] hosts =
        Files.readAllBytes(new File(db.folder, "corpulyzer/hosts/part-r-00000/data").toPath());
    conf.set(Settings.SCORE_TARGET_BYTES, "1");
    assertEquals(0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    byte[] again =
        Files.readAllBytes(new File(db.folder, "corpulyzer/hosts/part-r-00000/data").toPath());
    assertEquals(hosts.length, again.length);
    String run =
        new String(
            Files.readAllBytes(new File(db.folder, "corpulyzer/hosts/_run").toPath()),
            StandardCharsets.UTF_8);
    assertTrue(run, run.contains("language=urd\n"));
    assertFalse(run, run.contains("weights"));
  }

  @Test
  public void otherTargetsAreAnotherLanguage() throws Exception {
    db.score(conf);
    conf.set(Settings.LANGUAGE_TARGET, "pnb,urd,skr,ur");
    assertEquals("other order", 0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    for (String other : new String[] {"ur", "ur,skr", "ur,skr,pnb,snd"}) {
      conf.set(Settings.LANGUAGE_TARGET, other);
      String refused = assertThrows(CorpulyzerException.class, () -> db.score(conf)).getMessage();
      assertTrue(
          refused,
          refused.contains(" was scored for pnb,skr,urd and corpulyzer.language.target is now "));
    }
    conf.set(Settings.LANGUAGE_TARGET, "ur,skr");
    conf.set(Settings.SCORE_CHANGE_LANGUAGE, "true");
    conf.set(Settings.SCORE_TARGET_BYTES, "2000");
    db.score(conf);
    assertEquals("the text of the old table counts", 0f, score("urdu") - (long) 7 / 2f, 0.5);
    assertEquals(500f, score("saraiki"), 0);
  }

  private List<String> corpus(String folder) throws Exception {
    File[] files =
        new File(temporary.getRoot(), folder).listFiles((in, name) -> name.endsWith(".gz"));
    assertEquals(folder, 1, files.length);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(files[0].toPath())),
                StandardCharsets.UTF_8))) {
      return in.lines()
          .map(line -> line.replaceAll(".*\"url\":\"([^\"]*)\".*", "$1"))
          .collect(Collectors.toList());
    }
  }

  @Test
  public void exportWritesACorpusForEachLanguageInOnePass() throws Exception {
    SegmentForTests segment =
        new SegmentForTests(conf, new File(temporary.getRoot(), "segments/20231114000000"));
    String[][] pages = {
      {"a", "keep for urd: 900 bytes of urd, 256 wanted", "urd:900"},
      {"b", "keep for skr,urd: 500 bytes of urd, 256 wanted", "urd:500,skr:300"},
      {"c", "reject 9 bytes of urd, 256 wanted", "urd:9"},
      {"d", "keep 300 bytes of skr, 256 wanted", "skr:300,urd:255"}
    };
    for (String[] page : pages) {
      segment
          .page("http://x.example/" + page[0], FETCHED, page[1], "text " + page[0])
          .getParseMeta()
          .set(PageKeys.LANGUAGES, page[2]);
    }
    segment.write();
    CorpusExportJob export = new CorpusExportJob();
    export.setConf(conf);
    String out = new File(temporary.getRoot(), "out").getPath();
    String printed =
        Printed.out(() -> assertEquals(0, export.run(new String[] {out, segment.path()})));
    assertTrue(printed, printed.startsWith("CorpusExportJob: 3 pages of segment "));
    assertTrue(printed, printed.contains(" in 2 files, "));
    assertEquals(List.of("http://x.example/a", "http://x.example/b"), corpus("out/urd"));
    assertEquals(
        "a page that was read for one target counts by its bytes",
        List.of("http://x.example/b", "http://x.example/d"),
        corpus("out/skr"));
    assertFalse(new File(out, "pnb").exists());
    String all = new File(temporary.getRoot(), "all").getPath();
    Printed.out(() -> assertEquals(0, export.run(new String[] {"-all", all, segment.path()})));
    assertEquals(4, corpus("all").size());
    assertEquals(2, export.run(new String[] {"-language", "ur,skr", out + "2", segment.path()}));
  }
}
