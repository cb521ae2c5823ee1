package org.corpulyzer.nutch.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.RunningCluster;
import org.corpulyzer.jobs.SyntheticCrawlDb;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TestRule;

/**
 * The passes over a CrawlDb of a million rows beside Nutch's own jobs, all in containers. It prints
 * the processor seconds that Hadoop counts in the tasks of each job; docs/sizing.md has them.
 */
public class MillionRowsFullTest {

  private static final int ROWS = 1_000_000;
  private static final int HOSTS = 20_000;
  private static final int PAGES = 10_000;
  private static final int PARTS = 2;
  private static final Pattern CPU = Pattern.compile("CPU time spent \\(ms\\)=(\\d+)");

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-million-rows"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(3600);

  private final String crawlDb = "/million";

  @Test
  public void aMillionRowsAreScoredBesideNutchsOwnJobs() throws Exception {
    Path segment = new Path("/segments/20260101000000");
    SyntheticCrawlDb.write(CLUSTER.get().conf(), new Path(crawlDb), ROWS, HOSTS, PARTS);
    SyntheticCrawlDb.writeSegment(CLUSTER.get().conf(), segment, PAGES, ROWS, HOSTS);

    List<Double> updatedb =
        seconds("org.apache.nutch.crawl.CrawlDb", 1, crawlDb, segment.toString());
    List<Double> passes = seconds("org.corpulyzer.jobs.LrlScoreJob", 2, crawlDb);
    List<Double> again = seconds("org.corpulyzer.jobs.LrlScoreJob", 1, crawlDb);
    List<Double> updatehostdb =
        seconds(
            "org.apache.nutch.hostdb.UpdateHostDb", 1, "-hostdb", "/hostdb", "-crawldb", crawlDb);

    System.out.printf(
        Locale.ROOT,
        "%d rows, %d hosts, %d parts; processor seconds of the tasks%n"
            + "stock updatedb with %d pages %.1f%npass 1 %.1f%npass 2, every row changed %.1f%n"
            + "pass 1, no score changes %.1f%nstock updatehostdb %.1f%n",
        ROWS,
        HOSTS,
        PARTS,
        PAGES,
        updatedb.get(0),
        passes.get(0),
        passes.get(1),
        again.get(0),
        updatehostdb.get(0));
  }

  /**
   * @return the processor seconds of each job that a client ran
   */
  private static List<Double> seconds(String program, int jobs, String... arguments)
      throws Exception {
    Client client = CLUSTER.get().start(program, Collections.emptyList(), arguments);
    client.assertSucceeds();
    List<Double> seconds = new ArrayList<>();
    for (Matcher cpu = CPU.matcher(client.log()); cpu.find(); ) {
      seconds.add(Long.parseLong(cpu.group(1)) / 1e3);
    }
    assertEquals(client.log(), jobs, seconds.size());
    if (program.endsWith("LrlScoreJob")) {
      assertTrue(client.log(), client.log().contains(ROWS + " pages"));
    }
    return seconds;
  }
}
