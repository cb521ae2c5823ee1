package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Rule;
import org.junit.Test;

/** Crawls in a process that is killed. */
public class KillTest {
  private static final int ROUND = 2;

  @Rule public final TestCrawl folder = new TestCrawl();
  @Rule public final TestCrawl second = new TestCrawl();
  @Rule public final TestCrawl third = new TestCrawl();
  @Rule public final TestCrawl undisturbed = new TestCrawl();

  /** The crawl left a phase before this process saw it, as may happen on a busy machine. */
  static final class Missed extends Exception {
    Missed(String message) {
      super(message);
    }
  }

  @Test(timeout = 580_000)
  public void aCrawlKilledInEachPhaseGoesOnWithoutFetchingAgainAndEndsAsIfNothingHadHappened()
      throws Exception {
    killInEachPhase("pages");
    // Links, predictions and the state of the policy are the same, too.
    List<String> states = states(undisturbed.data());
    assertEquals("three rounds", 3, states.size());
    assertTrue(
        "one of the crawls that were killed",
        Stream.of(folder, second, third).anyMatch(crawl -> states(crawl.data()).equals(states)));
  }

  final void killInEachPhase(String policy) throws Exception {
    try {
      killInEachPhase(folder, policy);
    } catch (Missed first) {
      try {
        killInEachPhase(second, policy);
      } catch (Missed again) {
        killInEachPhase(third, policy);
      }
    }
  }

  private void killInEachPhase(TestCrawl folder, String policy) throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      Set<String> pages = chain(web);
      Set<Phase> killed = EnumSet.noneOf(Phase.class);
      // Long enough that the fetch phase is killed with pages on both sides of it.
      web.setDelayMillis(100);
      for (Phase phase : Phase.values()) {
        for (long afterMillis : killTimes(phase)) {
          ChildCrawl crawl = start(folder, web, policy);
          awaitBegun(folder, crawl, phase);
          Thread.sleep(afterMillis);
          crawl.kill();
          if (folder.state().next() != phase) {
            break; // It was over before.
          }
          killed.add(phase);
        }
        if (!killed.contains(phase)) {
          throw new Missed(phase + " was over before the crawl was killed");
        }
      }
      ChildCrawl last = start(folder, web, policy);
      assertEquals(last.output(), 0, last.exitCode(200));

      assertEquals(pages, new HashSet<>(Corpus.values(folder.corpus(), "url")));
      assertEquals(pages.size(), Corpus.lines(folder.corpus()).size());
      assertEquals(3, folder.state().yields().size());
      assertEquals(
          pages.size(), folder.state().yields().stream().mapToLong(yield -> yield.fetched).sum());
      for (String page : pages) {
        int times = Collections.frequency(web.requests, page);
        assertTrue(
            page + " was asked for " + times + " times",
            times == 1 || times == 2 && page.contains("/two/"));
      }
      long asked = web.requests.stream().filter(page -> page.contains("/two/")).count();
      assertTrue(
          asked + " requests for 8 pages: what had come before the kill was asked for again",
          asked < 16);

      List<String> killedRows = rows(folder.data());
      String killedYields = RoundYield.table(folder.state().yields());
      web.setDelayMillis(0);
      ChildCrawl whole = start(undisturbed, web, policy);
      assertEquals(whole.output(), 0, whole.exitCode(200));
      assertEquals(rows(undisturbed.data()), killedRows);
      assertEquals(RoundYield.table(undisturbed.state().yields()), killedYields);
    }
  }

  @Test(timeout = 300_000)
  public void aCrawlThatIsStoppedGoesOnAndRefusesASecondOneMeanwhile() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      Set<String> pages = chain(web);
      web.setDelayMillis(200);
      ChildCrawl crawl = start(folder, web);
      awaitBegun(folder, crawl, Phase.FETCH);
      web.hold();
      ChildCrawl second = start(folder, web);
      assertEquals(1, second.exitCode(60));
      assertTrue(second.output(), second.output().contains("another crawl is running on"));
      ChildCrawl status =
          ChildCrawl.start(
              folder.path("status.txt"),
              Collections.emptyList(),
              "--status",
              "--data",
              folder.data().toString());
      assertEquals(0, status.exitCode(60));
      assertTrue(status.output(), status.output().startsWith("running\n"));
      crawl.interrupt();
      int code = crawl.exitCode(30);
      assertEquals("as SIGTERM ends a process; Ctrl-C gives 130", 143, code);
      web.release();
      assertTrue(crawl.output(), crawl.output().contains("run the same command to continue"));

      ChildCrawl last = start(folder, web);
      assertEquals(last.output(), 0, last.exitCode(200));
      assertEquals(pages, new HashSet<>(Corpus.values(folder.corpus(), "url")));
    }
  }

  /**
   * The update phase has several steps: it is killed in each. Other phases of so few pages are
   * short.
   */
  private static long[] killTimes(Phase phase) {
    switch (phase) {
      case UPDATE:
        return new long[] {0, 20, 50, 100, 150, 200, 300, 450, 600};
      case FETCH:
        return new long[] {300};
      default:
        return new long[] {0};
    }
  }

  /**
   * A seed, eight pages that it links to, and eight that these link to; all in Urdu, on four hosts.
   */
  static Set<String> chain(TinyWeb web) {
    List<String> two = new ArrayList<>();
    List<String> three = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      two.add("http://h" + i % 4 + ".test/two/" + i);
      three.add("http://h" + i % 4 + ".test/three/" + i);
      web.urdu(two.get(i), three.get(i));
      web.urdu(three.get(i), "http://h0.test/");
    }
    web.urdu("http://h0.test/", two.toArray(new String[0]));
    Set<String> all = new HashSet<>(Collections.singletonList("http://h0.test/"));
    all.addAll(two);
    all.addAll(three);
    return all;
  }

  static ChildCrawl start(TestCrawl crawl, TinyWeb web) throws IOException {
    return start(crawl, web, "mean");
  }

  private static ChildCrawl start(TestCrawl crawl, TinyWeb web, String policy) throws IOException {
    return crawl.start(
        "http://h0.test/\n",
        "--rounds",
        "3",
        "--top",
        "200",
        "--score-policy",
        policy,
        "--proxy",
        web.proxy());
  }

  /** The states that policy pages left after each round. */
  private static List<String> states(Path data) {
    try (Stream<Path> files = Files.walk(data)) {
      List<String> states = new ArrayList<>();
      for (Path file :
          files
              .filter(file -> file.endsWith(PageSelector.REVIEWED))
              .sorted()
              .collect(Collectors.toList())) {
        states.add(Files.readString(file));
      }
      return states;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Address, status, score and figures of each row, without times. */
  static List<String> rows(Path data) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Map.Entry<String, CrawlDatum> row : CrawlFiles.rows(data).entrySet()) {
      Map<String, String> figures = new TreeMap<>();
      row.getValue()
          .getMetaData()
          .forEach((key, value) -> figures.put(key.toString(), value.toString()));
      figures.keySet().removeIf(key -> !key.startsWith("crp.") && !key.startsWith("_crp"));
      rows.add(
          row.getKey()
              + " "
              + CrawlDatum.getStatusName(row.getValue().getStatus())
              + " "
              + row.getValue().getScore()
              + " "
              + row.getValue().getRetriesSinceFetch()
              + " "
              + figures);
    }
    return rows;
  }

  static void awaitBegun(TestCrawl folder, ChildCrawl crawl, Phase phase) throws Exception {
    while (true) {
      CrawlState state = folder.state();
      if (state.round() == ROUND && state.next() == phase && state.isBegun()) {
        return;
      }
      if (!crawl.isAlive()) {
        throw new Missed("the crawl ended before it began " + phase + ":\n" + crawl.output());
      }
      Thread.sleep(5);
    }
  }
}
