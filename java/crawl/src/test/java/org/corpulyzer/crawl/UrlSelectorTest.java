package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.jobs.RawRows;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Compares the selection of a round with the selection of Nutch's own Generator from the same
 * CrawlDb.
 */
public class UrlSelectorTest {
  private static final int ROWS = 3000;
  private static final long NOW = 1_800_000_000_000L;
  private static final Text ALTERNATE = new Text(PageKeys.ALTERNATE_MARK);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 200_000)
  public void theScoresAreThoseThatNutchsGeneratorChoosesAndNoHostHasMoreThanItsShare()
      throws Exception {
    CrawlOptions options = CrawlFiles.options();
    options.top = 200;
    try (DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
      // Many rows have one score, and hosts differ in how many rows they have.
      write(conf, data.crawlDb(), new Random(3), false);
      for (int top : new int[] {1, 7, 200, 2000, 10_000}) {
        Map<String, CrawlDatum> ours = select(conf, data, top);
        Map<String, CrawlDatum> nutch = generate(conf, data, top);
        assertEquals("of " + top, scores(nutch), scores(ours));
        Map<String, Integer> hosts = new HashMap<>();
        ours.keySet().forEach(url -> hosts.merge(url.split("/")[2], 1, Integer::sum));
        assertTrue(
            hosts.toString(),
            hosts.values().stream().allMatch(count -> count <= options.maxPerHost()));
        assertTrue(
            ours.values().stream()
                .allMatch(row -> row.getFetchTime() <= NOW && row.getScore() >= 0));
      }
    }
  }

  /**
   * The rule itself, from all rows as objects: best first, among equals alternates in the language,
   * then by the hash of the address, no host more than its share.
   */
  @Test(timeout = 200_000)
  public void theAddressesAreThoseOfAFullSortOfAllRows() throws Exception {
    CrawlOptions options = CrawlFiles.options();
    options.top = 100;
    try (DataFolder data = DataFolder.open(folder.getRoot().toPath().resolve("data"))) {
      Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
      for (int seed = 0; seed < 12; seed++) {
        LocalFiles.deleteTree(data.crawlDb());
        write(conf, data.crawlDb(), new Random(seed), true);
        Map<String, CrawlDatum> rows = CrawlFiles.rows(data.crawlDb().getParent());
        for (int top : new int[] {1, 13, 100, 1500}) {
          Map<String, CrawlDatum> ours = select(conf, data, top);
          assertEquals(
              "seed " + seed + ", " + top,
              expected(conf, rows, options.maxPerHost(), top),
              new TreeSet<>(ours.keySet()));
          ours.forEach(
              (url, row) -> {
                row.getMetaData().remove(Nutch.WRITABLE_GENERATE_TIME_KEY);
                CrawlDatum stored = rows.get(url);
                if (stored.getFetchTime() > NOW) {
                  assertEquals("too far away to wait for", NOW, row.getFetchTime());
                  stored.setFetchTime(NOW);
                  stored.setFetchInterval(row.getFetchInterval());
                }
                assertEquals(url, stored.toString(), row.toString());
              });
        }
      }
    }
  }

  private static Set<String> expected(
      Configuration conf, Map<String, CrawlDatum> rows, int perHost, int top) {
    List<String> due = new ArrayList<>();
    FetchSchedule schedule = FetchScheduleFactory.getFetchSchedule(conf);
    rows.forEach(
        (url, row) -> {
          CrawlDatum copy = new CrawlDatum();
          copy.set(row);
          if (schedule.shouldFetch(new Text(url), copy, NOW) && !(row.getScore() < 0)) {
            due.add(url);
          }
        });
    due.sort(
        Comparator.<String>comparingDouble(url -> -sortValue(rows.get(url)))
            .thenComparing(url -> !rows.get(url).getMetaData().containsKey(ALTERNATE))
            .thenComparingLong(Fingerprint::of));
    Map<String, Integer> counts = new HashMap<>();
    Set<String> chosen = new TreeSet<>();
    for (String url : due) {
      if (chosen.size() < top && counts.merge(url.split("/")[2], 1, Integer::sum) <= perHost) {
        chosen.add(url);
      }
    }
    return chosen;
  }

  private static double sortValue(CrawlDatum row) {
    return Float.isNaN(row.getScore()) ? 256 : row.getScore();
  }

  private static List<Float> scores(Map<String, CrawlDatum> rows) {
    List<Float> scores = new ArrayList<>();
    rows.values().forEach(row -> scores.add(row.getScore()));
    Collections.sort(scores);
    return scores;
  }

  private static Map<String, CrawlDatum> select(Configuration conf, DataFolder data, int top)
      throws IOException {
    Segment segment = new Segment(data.temporary().resolve("ours" + top), 1);
    UrlSelector selector = new UrlSelector(conf, NOW, top);
    try (RawRows rows =
        new RawRows(
            conf,
            new org.apache.hadoop.fs.Path(
                data.crawlDb().resolve("current").resolve(Segment.PART).resolve("data").toUri()))) {
      selector.read(rows);
    }
    selector.write(segment.file(CrawlDatum.GENERATE_DIR_NAME));
    return CrawlFiles.records(
        segment.folder().resolve(CrawlDatum.GENERATE_DIR_NAME).resolve(Segment.PART),
        CrawlDatum::new);
  }

  private static Map<String, CrawlDatum> generate(Configuration conf, DataFolder data, int top)
      throws Exception {
    org.apache.hadoop.fs.Path into =
        new org.apache.hadoop.fs.Path(data.temporary().resolve("nutch" + top).toUri());
    org.apache.hadoop.fs.Path[] made =
        new Generator(new Configuration(conf))
            .generate(
                new org.apache.hadoop.fs.Path(data.crawlDb().toUri()),
                into,
                1,
                top,
                NOW,
                true,
                true,
                false,
                1,
                null);
    return CrawlFiles.records(
        Path.of(made[0].toUri().getPath())
            .resolve(CrawlDatum.GENERATE_DIR_NAME)
            .resolve(Segment.PART),
        CrawlDatum::new);
  }

  private static void write(Configuration conf, Path crawlDb, Random random, boolean unscored)
      throws IOException {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    for (int i = 0; i < ROWS; i++) {
      int host = (int) Math.abs(random.nextGaussian() * 40);
      CrawlDatum row =
          new CrawlDatum(
              random.nextInt(4) == 0
                  ? CrawlDatum.STATUS_DB_FETCHED
                  : CrawlDatum.STATUS_DB_UNFETCHED,
              1000,
              random.nextInt(5) == 0 ? -1 : host % 3 == 0 ? 256 : random.nextInt(2000) / 4f);
      row.setFetchTime(
          row.getStatus() == CrawlDatum.STATUS_DB_FETCHED
              ? NOW + 1_000_000
              : NOW - random.nextInt(5));
      if (random.nextInt(50) == 0) {
        row.setFetchTime(NOW + 1000L * 86400 * 400);
      }
      if (random.nextInt(4) == 0) {
        row.getMetaData().put(new Text("note"), new Text("n" + i));
      }
      if (random.nextInt(20) == 0) {
        row.getMetaData().put(new Text(ALTERNATE), new Text(PageKeys.MARK_SET));
      }
      if (unscored && random.nextInt(100) == 0) {
        row.setScore(Float.NaN);
      }
      rows.put("http://h" + host + ".test/" + i, row);
    }
    try (MapFile.Writer out =
        new MapFile.Writer(
            conf,
            new org.apache.hadoop.fs.Path(crawlDb.resolve("current").resolve(Segment.PART).toUri()),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (Map.Entry<String, CrawlDatum> row : rows.entrySet()) {
        out.append(new Text(row.getKey()), row.getValue());
      }
    }
  }
}
