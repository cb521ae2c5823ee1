package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LrlCrawlDbTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;
  private File segment;

  /**
   * A seed is fetched and has figures, a link, and a page that is gone; another host is unknown.
   */
  @Before
  public void crawlARound() throws IOException {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    conf.setInt("mapreduce.job.reduces", 2);
    db =
        new CrawlDbForTests(new File(temporary.getRoot(), "crawldb"))
            .put(
                "http://a.example/",
                CrawlDbForTests.row(
                    CrawlDatum.STATUS_DB_UNFETCHED,
                    1e9f,
                    PageKeys.INJECTED_MARK,
                    PageKeys.MARK_SET))
            .put("http://a.example/gone", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256))
            .put("http://b.example/", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256))
            .write(conf, 2);
    segment = new File(temporary.getRoot(), "segments/20260101000000");
    TreeMap<String, CrawlDatum> fetched = new TreeMap<>();
    fetched.put(
        "http://a.example/",
        CrawlDbForTests.row(
            CrawlDatum.STATUS_FETCH_SUCCESS, 0, PageKeys.INJECTED_MARK, PageKeys.MARK_SET));
    fetched.put("http://a.example/gone", CrawlDbForTests.row(CrawlDatum.STATUS_FETCH_GONE, 0));
    try (MapFile.Writer writer =
        new MapFile.Writer(
            conf,
            new Path(segment.getPath(), "crawl_fetch/part-r-00000"),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (Map.Entry<String, CrawlDatum> row : fetched.entrySet()) {
        writer.append(new Text(row.getKey()), row.getValue());
      }
    }
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(new Path(segment.getPath(), "crawl_parse/part-r-00000")),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      writer.append(
          new Text("http://a.example/"),
          CrawlDbForTests.row(
              CrawlDatum.STATUS_PARSE_META,
              0,
              PageKeys.LANGUAGES,
              "urd:900",
              PageKeys.DECISION,
              "keep enough"));
      writer.append(
          new Text("http://a.example/new"), CrawlDbForTests.row(CrawlDatum.STATUS_LINKED, 1));
      writer.append(
          new Text("https://c.example/"), CrawlDbForTests.row(CrawlDatum.STATUS_LINKED, 1));
    }
  }

  /**
   * @return the exit code of the update of a CrawlDb by the segment
   */
  private int update(Configuration conf, LrlCrawlDb job, CrawlDbForTests db, String... options)
      throws Exception {
    List<String> arguments = new ArrayList<>(Arrays.asList(db.folder.getPath(), segment.getPath()));
    arguments.addAll(Arrays.asList(options));
    return ToolRunner.run(conf, job, arguments.toArray(new String[0]));
  }

  private void assertScored() {
    Map<String, CrawlDatum> rows = db.rows(conf);
    assertEquals(
        Arrays.asList(
            "http://a.example/",
            "http://a.example/gone",
            "http://a.example/new",
            "http://b.example/",
            "https://c.example/"),
        Arrays.asList(rows.keySet().toArray()));
    for (String path : new String[] {"", "gone", "new"}) {
      assertEquals(path, 900f, rows.get("http://a.example/" + path).getScore(), 0);
    }
    assertEquals(256f, rows.get("http://b.example/").getScore(), 0);
    assertEquals(256f, rows.get("https://c.example/").getScore(), 0);
    assertEquals("db_fetched", CrawlDatum.getStatusName(rows.get("http://a.example/").getStatus()));
    assertEquals(
        "db_gone", CrawlDatum.getStatusName(rows.get("http://a.example/gone").getStatus()));
    assertFalse(new File(db.folder, ".locked").exists());
  }

  @Test
  public void updatedbIsFollowedByTheScorePasses() throws Exception {
    LrlCrawlDb job = new LrlCrawlDb();
    assertEquals(0, update(conf, job, db));
    assertScored();
    assertEquals(1, job.summary().get(ScoreCounter.FETCHED));
    assertEquals(3, job.summary().get(ScoreCounter.HOSTS_SCORED));
    assertEquals("urd", job.summary().language());
  }

  @Test
  public void updatedbMarksTheDuplicatesOfItsSegmentIfTheyCountAsZero() throws Exception {
    conf.set(Settings.SCORE_DUPLICATES, "zero");
    conf.set("db.signature.class", "org.apache.nutch.crawl.TextMD5Signature");
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(new Path(segment.getPath(), "crawl_parse/part-r-00001")),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      CrawlDatum signature = new CrawlDatum(CrawlDatum.STATUS_SIGNATURE, 0);
      signature.setSignature(new byte[] {7});
      writer.append(new Text("http://a.example/"), signature);
    }
    CrawlDatum original = CrawlDbForTests.fetched("urd:900");
    original.setSignature(new byte[] {7});
    CrawlDbForTests other =
        new CrawlDbForTests(new File(temporary.getRoot(), "other"))
            .put("http://original.example/", original)
            .put("http://a.example/", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256))
            .write(conf, 2);
    other.score(conf);
    LrlCrawlDb job = new LrlCrawlDb();
    assertEquals(0, update(conf, job, other));
    Map<String, CrawlDatum> rows = other.rows(conf);
    assertEquals(
        "db_duplicate", CrawlDatum.getStatusName(rows.get("http://a.example/").getStatus()));
    assertEquals(0, rows.get("http://a.example/new").getScore(), 0);
    assertEquals(900, rows.get("http://original.example/").getScore(), 0);
    assertEquals(1, job.summary().get(ScoreCounter.DUPLICATES));
  }

  @Test
  public void nutchsOtherArgumentsAndItsServiceWorkAsWell() throws Exception {
    assertEquals(
        0,
        ToolRunner.run(
            conf,
            new LrlCrawlDb(),
            new String[] {db.folder.getPath(), "-dir", segment.getParent(), "-noAdditions"}));
    assertEquals(
        Arrays.asList("http://a.example/", "http://a.example/gone", "http://b.example/"),
        Arrays.asList(db.rows(conf).keySet().toArray()));
    assertEquals(900f, db.score(conf, "http://a.example/gone"), 0);

    Map<String, Object> args = new TreeMap<>();
    args.put(Nutch.ARG_CRAWLDB, db.folder.getPath());
    args.put(Nutch.ARG_SEGMENTDIR, segment.getParent());
    assertEquals("0", new LrlCrawlDb(conf).run(args, "mine").get(Nutch.VAL_RESULT));
    assertScored();
  }

  @Test
  public void aWrongSettingFailsBeforeAnythingIsUpdated() throws Exception {
    Map<String, Integer> before = db.files();
    String[][] wrong = {
      {"plugin.includes", "scoring-opic", "The scoring filter of plugin corpulyzer is not active"},
      {
        "db.parsemeta.to.crawldb",
        "",
        "Property db.parsemeta.to.crawldb is ''; add crp.l,crp.v,crp.d"
      },
      {"corpulyzer.language.target", "xx", "Property corpulyzer.language.target is 'xx'"}
    };
    for (String[] setting : wrong) {
      Configuration changed = CrawlDbForTests.conf(temporary.getRoot());
      changed.set(setting[0], setting[1]);
      LrlCrawlDb job = new LrlCrawlDb();
      String said =
          assertThrows(CorpulyzerException.class, () -> update(changed, job, db)).getMessage();
      assertTrue(said, said.startsWith(setting[2]));
      assertNull(job.summary());
      assertEquals(before, db.files());
    }
  }

  @Test
  public void aLockedCrawlDbIsNeitherUpdatedNorScored() throws Exception {
    assertTrue(new File(db.folder, ".locked").createNewFile());
    Map<String, Integer> before = db.files();
    String said =
        assertThrows(CorpulyzerException.class, () -> update(conf, new LrlCrawlDb(), db))
            .getMessage();
    assertTrue(said, said.contains("is locked"));
    assertEquals(before, db.files());
    assertEquals(0, update(conf, new LrlCrawlDb(), db, "-force"));
    assertScored();
  }

  /**
   * What Nutch's install leaves when its client is killed between its two renames: no current, a
   * whole old, the lock.
   */
  @Test
  public void aCrawlDbWhoseInstallWasCutShortIsPutBackByTheNextRun() throws Exception {
    File current = new File(db.folder, "current");
    File old = new File(db.folder, "old");
    assertTrue(current.renameTo(old));
    assertTrue(new File(db.folder, ".locked").createNewFile());
    Map<String, Integer> before = db.files();
    String said =
        assertThrows(CorpulyzerException.class, () -> update(conf, new LrlCrawlDb(), db))
            .getMessage();
    assertTrue(said, said.contains("(or pass -force) if that job was killed"));
    assertEquals(before, db.files());
    assertEquals(0, update(conf, new LrlCrawlDb(), db, "-force"));
    assertScored();

    assertTrue("the next install keeps it", old.exists());
    Map<String, CrawlDatum> scored = db.rows(conf);
    assertTrue(new File(db.folder, "corpulyzer").exists());
    deleteTree(old);
    assertTrue(current.renameTo(old));
    assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), new String[] {db.folder.getPath()}));
    assertEquals(scored.keySet(), db.rows(conf).keySet());
    assertScored();
  }

  private static void deleteTree(File folder) {
    assertTrue(FileUtil.fullyDelete(folder));
  }

  @Test
  public void aCrawlWithFewFiguresKeepsItsScoresUnlessForced() throws Exception {
    CrawlDbForTests bare = new CrawlDbForTests(new File(temporary.getRoot(), "bare"));
    for (int i = 0; i < 10; i++) {
      bare.put(
          "http://a.example/" + i,
          i < 4
              ? CrawlDbForTests.fetched("urd:800")
              : CrawlDbForTests.row(CrawlDatum.STATUS_DB_FETCHED, 0.5f));
    }
    bare.put("http://old.example/a", CrawlDbForTests.row(CrawlDatum.STATUS_DB_FETCHED, 3f));
    bare.put("http://old.example/b", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 1f));
    bare.put("http://old.example/c", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 0f));
    bare.put("http://new.example/", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 0.1f));
    bare.write(conf, 1);
    Map<String, Integer> files = bare.files();
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> bare.score(conf));
    assertTrue(
        refused.getMessage(),
        refused.getMessage().contains(" has figures of 4 of 11 fetched pages, fewer than half")
            && refused.getMessage().contains("bin/nutch org.corpulyzer.jobs.ReparseJob "));
    assertEquals("nothing is written", files, bare.files());
    String[] forced = {bare.folder.getPath(), "-force"};
    String warned =
        Printed.err(() -> assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), forced)));
    assertTrue(
        warned,
        warned.contains(
            "Warning: 7 of 11 fetched pages have no figures (crp.l) and are in no mean"));
    assertEquals(800f, bare.score(conf, "http://a.example/9"), 0);
    assertEquals(
        "its place by the score before", 384f, bare.score(conf, "http://old.example/b"), 0);
    assertEquals(448f, bare.score(conf, "http://old.example/a"), 0);
    assertEquals(256f, bare.score(conf, "http://old.example/c"), 0);
    assertEquals(256f, bare.score(conf, "http://new.example/"), 0);
    LrlScoreJob again = new LrlScoreJob();
    assertEquals(0, ToolRunner.run(conf, again, new String[] {bare.folder.getPath(), "-force"}));
    assertEquals(0, again.summary().get(ScoreCounter.ROWS_WRITTEN));
  }
}
