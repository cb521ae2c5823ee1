package org.corpulyzer.crawl;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.CrawlDbReader;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.protocol.ProtocolStatus;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.jobs.HostRecord;
import org.corpulyzer.jobs.LrlCrawlDb;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The update of a round, beside Nutch's updatedb with the score jobs on the same files. */
public class RoundUpdateTest {
  private static final int ROWS = 1500;
  private static final int HOSTS = 60;
  private static final long NOW = System.currentTimeMillis();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 300_000)
  public void rowsScoresAndHostsAreThoseOfTheJobs() throws Exception {
    for (String policy :
        new String[] {"mean", "explore", "explore+barren:3+limit:6", "mean zero", "explore zero"}) {
      CrawlOptions options = CrawlFiles.options();
      options.policy = policy.split(" ")[0];
      options.duplicates = policy.endsWith(" zero") ? "zero" : "count";
      try (DataFolder data =
          DataFolder.open(folder.getRoot().toPath().resolve(policy.replaceAll("[^a-z]", "")))) {
        Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
        Random random = new Random(policy.length());
        CrawlDbFolder ours = new CrawlDbFolder(data);
        write(conf, data.crawlDb().resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART), random);
        Path theirs = data.temporary().resolve("theirs");
        copy(data.crawlDb(), theirs);
        for (int round = 1; round <= 2; round++) {
          Segment segment = data.segment(round);
          write(conf, segment, random);
          ScoreSummary found = ours.update(conf, segment, data.temporary().resolve("update"), true);
          LrlCrawlDb jobs = new LrlCrawlDb(new Configuration(conf));
          jobs.update(
              hadoop(theirs),
              new org.apache.hadoop.fs.Path[] {hadoop(segment.folder())},
              false,
              false);

          Map<String, CrawlDatum> rows = rows(data.crawlDb());
          assertEquals(policy, describe(rows(theirs)), describe(rows));
          assertEquals(policy, hosts(theirs), hosts(data.crawlDb()));
          for (ScoreCounter counter : ScoreCounter.values()) {
            assertEquals(policy + " " + counter, jobs.summary().get(counter), found.get(counter));
          }
          assertEquals(
              policy,
              policy.endsWith(" zero"),
              found.get(ScoreCounter.DUPLICATES) > 100
                  && found.get(ScoreCounter.DUPLICATES_CHANGED) > 5);
          assertTrue("scores changed", found.get(ScoreCounter.ROWS_WRITTEN) > 10);
          assertTrue("scores stayed", round == 1 || found.get(ScoreCounter.ROWS_UNCHANGED) > 100);
          assertFound(conf, data.crawlDb(), rows);
        }
        assertFalse(Files.exists(data.temporary().resolve("update")));
        assertArrayEquals(
            "nothing but the rows and the hosts is left",
            new String[] {"corpulyzer", "current"},
            sorted(data.crawlDb()));
      }
    }
  }

  @Test(timeout = 200_000)
  public void withoutScoresTheRowsAreThoseOfUpdatedb() throws Exception {
    CrawlOptions options = CrawlFiles.options();
    options.scoring = CrawlOptions.Scoring.link;
    try (DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
      Random random = new Random(5);
      write(conf, data.crawlDb().resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART), random);
      Path theirs = data.temporary().resolve("theirs");
      copy(data.crawlDb(), theirs);
      write(conf, data.segment(1), random);
      assertEquals(
          null,
          new CrawlDbFolder(data)
              .update(conf, data.segment(1), data.temporary().resolve("update"), false));
      new CrawlDb(new Configuration(conf))
          .update(
              hadoop(theirs),
              new org.apache.hadoop.fs.Path[] {hadoop(data.segment(1).folder())},
              false,
              false);
      assertEquals(describe(rows(theirs)), describe(rows(data.crawlDb())));
    }
  }

  @Test(timeout = 200_000)
  public void aCrawlDbWithPartsOfAnotherToolBecomesOnePart() throws Exception {
    try (DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      Configuration conf = CrawlConfiguration.create(CrawlFiles.options(), Home.plugins(), data);
      Path current = data.crawlDb().resolve(CrawlDb.CURRENT_NAME);
      Random random = new Random(6);
      write(conf, current.resolve(Segment.PART), random);
      Map<String, CrawlDatum> before = rows(data.crawlDb());
      try (MapFile.Writer out = writer(conf, current.resolve("part-r-00001"))) {
        out.append(
            new Text("http://other.test/"), new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000));
      }
      write(conf, data.segment(1), random);
      assertNotNull(
          new CrawlDbFolder(data)
              .update(conf, data.segment(1), data.temporary().resolve("update"), true));
      assertArrayEquals(new String[] {Segment.PART}, sorted(current));
      assertTrue(rows(data.crawlDb()).keySet().containsAll(before.keySet()));
      assertTrue(rows(data.crawlDb()).containsKey("http://other.test/"));
    }
  }

  @Test(timeout = 200_000)
  public void whatAKilledUpdateLeavesIsTakenAwayAndItsSegmentIsTakenInOnce() throws Exception {
    try (DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      Configuration conf = CrawlConfiguration.create(CrawlFiles.options(), Home.plugins(), data);
      Random random = new Random(7);
      Path crawlDb = data.crawlDb();
      write(conf, crawlDb.resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART), random);
      write(conf, data.segment(1), random);
      Path before = data.temporary().resolve("before");
      copy(crawlDb, before);
      CrawlDbFolder undisturbed = new CrawlDbFolder(data);
      undisturbed.save();
      undisturbed.update(conf, data.segment(1), data.temporary().resolve("update"), true);
      List<String> wanted = describe(rows(crawlDb));
      Path after = data.temporary().resolve("after");
      copy(crawlDb, after);

      // The names of the folders in CrawlDb at each step of an update.
      String[][] steps = {
        {"current=before", "joined=half"},
        {"current=before", "joined=after"},
        {"old=before", "joined=after"},
        {"old=before", "current=after"},
        {"current=after"}
      };
      for (String[] step : steps) {
        LocalFiles.deleteTree(crawlDb);
        Files.createDirectories(crawlDb.resolve("corpulyzer/run-1"));
        Files.createDirectories(data.temporary().resolve("update/current"));
        Files.write(crawlDb.resolve(".locked"), new byte[0]);
        for (String entry : step) {
          String[] pair = entry.split("=");
          Path from = pair[1].equals("before") ? before : after;
          copy(from.resolve(CrawlDb.CURRENT_NAME), crawlDb.resolve(pair[0]));
          if (pair[1].equals("half")) {
            Files.delete(
                crawlDb.resolve(pair[0]).resolve(Segment.PART).resolve(MapFile.INDEX_FILE_NAME));
          }
        }
        CrawlDbFolder next = new CrawlDbFolder(data);
        next.repair();
        next.restore();
        assertEquals(Arrays.toString(step), describe(rows(before)), describe(rows(crawlDb)));
        next.save();
        next.update(conf, data.segment(1), data.temporary().resolve("update"), true);
        assertEquals(Arrays.toString(step), wanted, describe(rows(crawlDb)));
        assertArrayEquals(
            Arrays.toString(step), new String[] {"corpulyzer", "current"}, sorted(crawlDb));
        assertArrayEquals(
            Arrays.toString(step), new String[] {"hosts"}, sorted(crawlDb.resolve("corpulyzer")));
      }
    }
  }

  private static String[] sorted(Path of) {
    String[] names = of.toFile().list();
    Arrays.sort(names);
    return names;
  }

  /** Nutch finds every row by its address, and its statistics count them. */
  private static void assertFound(Configuration conf, Path crawlDb, Map<String, CrawlDatum> rows)
      throws Exception {
    CrawlDatum row = new CrawlDatum();
    try (MapFile.Reader reader =
        new MapFile.Reader(
            hadoop(crawlDb.resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART)), conf)) {
      for (Map.Entry<String, CrawlDatum> entry : rows.entrySet()) {
        assertNotNull(entry.getKey(), reader.get(new Text(entry.getKey()), row));
        assertEquals(
            describe(Map.of(entry.getKey(), entry.getValue())),
            describe(Map.of(entry.getKey(), row)));
      }
    }
    try (CrawlDbReader reader = new CrawlDbReader()) {
      reader.setConf(new Configuration(conf));
      String any = rows.keySet().iterator().next();
      assertEquals(
          rows.get(any).getScore(), reader.get(crawlDb.toString(), any, conf).getScore(), 0);
      Path dump = crawlDb.resolveSibling("dump");
      LocalFiles.deleteTree(dump);
      reader.processDumpJob(
          crawlDb.toString(), dump.toString(), conf, "csv", null, null, 0, null, null);
      assertEquals(
          "lines and a headline",
          rows.size() + 1,
          Files.readAllLines(dump.resolve("part-r-00000")).size());
    }
  }

  private static Map<String, CrawlDatum> rows(Path crawlDb) throws IOException {
    return CrawlFiles.records(
        crawlDb.resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART).resolve("data"),
        CrawlDatum::new);
  }

  /** Everything but the time of rows that were found now. */
  private static List<String> describe(Map<String, CrawlDatum> rows) {
    List<String> all = new ArrayList<>();
    rows.forEach(
        (url, row) -> {
          Map<String, String> metadata = new TreeMap<>();
          row.getMetaData()
              .forEach(
                  (key, value) ->
                      metadata.put(key.toString(), value.getClass().getSimpleName() + " " + value));
          all.add(
              url
                  + " "
                  + row.getStatus()
                  + " "
                  + row.getScore()
                  + " "
                  + row.getRetriesSinceFetch()
                  + " "
                  + row.getFetchInterval()
                  + " "
                  + row.getModifiedTime()
                  + " "
                  + Arrays.toString(row.getSignature())
                  + " "
                  + metadata
                  + " "
                  + (row.getFetchTime() < NOW || row.getFetchTime() > NOW + 1_000_000_000L
                      ? row.getFetchTime()
                      : "now"));
        });
    return all;
  }

  private static List<String> hosts(Path crawlDb) throws IOException {
    List<String> all = new ArrayList<>();
    Path table = crawlDb.resolve("corpulyzer/hosts");
    for (Map.Entry<String, HostRecord> host :
        CrawlFiles.records(table.resolve(Segment.PART).resolve("data"), HostRecord::new)
            .entrySet()) {
      DataOutputBuffer bytes = new DataOutputBuffer();
      host.getValue().write(bytes);
      all.add(
          host.getKey() + " " + Arrays.toString(Arrays.copyOf(bytes.getData(), bytes.getLength())));
    }
    all.add("probes " + Arrays.toString(Files.readAllBytes(table.resolve("_chosen-r-00000"))));
    return all;
  }

  private static String url(int number) {
    int host = number % HOSTS;
    String[] hosts = {"h%d.test", "h%d.test.example", "h%d-x.test", "H%d.test", "h%d.test:8080"};
    return (number % 7 == 0 ? "https://" : "http://")
        + String.format(hosts[host % hosts.length], host / hosts.length)
        + "/page/"
        + number;
  }

  /** A tenth of the hosts has no fetched page. */
  private static boolean isOfUnknownHost(int number) {
    return number % HOSTS < HOSTS / 10;
  }

  private static MapFile.Writer writer(Configuration conf, Path part) throws IOException {
    return new MapFile.Writer(
        conf,
        hadoop(part),
        MapFile.Writer.keyClass(Text.class),
        SequenceFile.Writer.valueClass(CrawlDatum.class));
  }

  private static void put(CrawlDatum row, String key, Writable value) {
    row.getMetaData().put(new Text(key), value);
  }

  /** One of a few, so that most pages have that of another one. */
  private static byte[] signature(Random random) {
    return new byte[] {(byte) random.nextInt(40)};
  }

  private static void figures(CrawlDatum row, Random random) {
    put(
        row,
        PageKeys.LANGUAGES,
        new Text(
            random.nextInt(30) == 0
                ? "damaged"
                : "eng:77,urd:" + (random.nextInt(3) == 0 ? 0 : random.nextInt(4000))));
    put(row, PageKeys.VERSION, new Text("2 web-am/1"));
    put(row, PageKeys.DECISION, new Text(random.nextBoolean() ? "keep enough" : "reject bytes"));
  }

  private static void write(Configuration conf, Path part, Random random) throws IOException {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    for (int i = 0; i < ROWS; i++) {
      int number = random.nextInt(4 * ROWS);
      int status = isOfUnknownHost(number) ? 9 : random.nextInt(10);
      CrawlDatum row =
          new CrawlDatum(
              status < 2
                  ? CrawlDatum.STATUS_DB_FETCHED
                  : status == 2
                      ? CrawlDatum.STATUS_DB_NOTMODIFIED
                      : status == 3
                          ? CrawlDatum.STATUS_DB_REDIR_TEMP
                          : CrawlDatum.STATUS_DB_UNFETCHED,
              1000,
              random.nextInt(3) * 128);
      row.setFetchTime(NOW - 1_000_000_000L + i);
      if (status < 3) {
        put(
            row,
            Nutch.WRITABLE_PROTO_STATUS_KEY.toString(),
            new ProtocolStatus(1, new String[] {"a message"}));
        put(row, "Content-Type", new Text("text/html"));
        if (random.nextInt(9) > 0) {
          figures(row, random);
        }
        row.setSignature(signature(random));
      }
      if (random.nextInt(5) == 0) {
        put(
            row,
            random.nextBoolean() ? PageKeys.FOUND_MARK : PageKeys.ELSEWHERE_MARK,
            new Text(PageKeys.MARK_SET));
      }
      if (random.nextInt(40) == 0) {
        put(row, PageKeys.INJECTED_MARK, new Text(PageKeys.MARK_SET));
      }
      if (random.nextInt(20) == 0) {
        put(row, "a number", new LongWritable(i));
      }
      rows.put(url(number), row);
    }
    try (MapFile.Writer out = writer(conf, part)) {
      for (Map.Entry<String, CrawlDatum> row : rows.entrySet()) {
        out.append(new Text(row.getKey()), row.getValue());
      }
    }
  }

  /** Answers, figures and links; some of each are about rows that are not there yet. */
  private static void write(Configuration conf, Segment segment, Random random) throws IOException {
    Map<String, CrawlDatum> fetched = new TreeMap<>();
    byte[] statuses = {
      CrawlDatum.STATUS_FETCH_SUCCESS,
      CrawlDatum.STATUS_FETCH_SUCCESS,
      CrawlDatum.STATUS_FETCH_SUCCESS,
      CrawlDatum.STATUS_FETCH_GONE,
      CrawlDatum.STATUS_FETCH_RETRY,
      CrawlDatum.STATUS_FETCH_REDIR_PERM,
      CrawlDatum.STATUS_FETCH_NOTMODIFIED
    };
    for (int i = 0; i < 60; i++) {
      CrawlDatum answer = new CrawlDatum(statuses[random.nextInt(statuses.length)], 1000, 1);
      // Some are newer than the last run.
      answer.setFetchTime(random.nextInt(3) == 0 ? NOW + 3_600_000L : NOW - 2_000_000_000L);
      int number = random.nextInt(4 * ROWS);
      if (!isOfUnknownHost(number)) {
        fetched.put(url(number), answer);
      }
    }
    try (MapFile.Writer out =
            writer(
                conf, segment.folder().resolve(CrawlDatum.FETCH_DIR_NAME).resolve(Segment.PART));
        SequenceFile.Writer parse =
            SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(segment.file(CrawlDatum.PARSE_DIR_NAME)),
                SequenceFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (Map.Entry<String, CrawlDatum> answer : fetched.entrySet()) {
        out.append(new Text(answer.getKey()), answer.getValue());
        CrawlDatum figures = new CrawlDatum(CrawlDatum.STATUS_PARSE_META, 0);
        figures(figures, random);
        parse.append(new Text(answer.getKey()), figures);
        CrawlDatum signature = new CrawlDatum(CrawlDatum.STATUS_SIGNATURE, 0);
        signature.setSignature(signature(random));
        parse.append(new Text(answer.getKey()), signature);
        for (int i = random.nextInt(12); i > 0; i--) {
          // The score is the order in which Nutch takes the links of a row; it has no order for
          // equal ones.
          CrawlDatum link = new CrawlDatum(CrawlDatum.STATUS_LINKED, 1000, (float) Math.PI);
          if (random.nextInt(3) == 0) {
            boolean isFound = random.nextBoolean();
            link.setScore(isFound ? 0 : 1);
            put(
                link,
                isFound ? PageKeys.FOUND_MARK : PageKeys.ELSEWHERE_MARK,
                new Text(PageKeys.MARK_SET));
          }
          parse.append(new Text(url(random.nextInt(5 * ROWS))), link);
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> tree;
    try (java.util.stream.Stream<Path> entries = Files.walk(from)) {
      tree = entries.collect(java.util.stream.Collectors.toList());
    }
    Files.createDirectories(to);
    for (Path entry : tree) {
      Path target = to.resolve(from.relativize(entry).toString());
      if (Files.isDirectory(entry)) {
        Files.createDirectories(target);
      } else {
        Files.copy(entry, target);
      }
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
