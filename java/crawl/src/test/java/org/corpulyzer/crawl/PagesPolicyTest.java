package org.corpulyzer.crawl;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;

/** Crawls a web with sections under the score policies. */
public class PagesPolicyTest {
  private static final int ROUNDS = 8;
  private static final int TOP = 100;

  @Rule public final TestCrawl folder = new TestCrawl();

  /** Pages in Urdu, in percent, and sites with Urdu that were found. */
  private static final class Result {
    final double percent;
    final int sites;

    Result(SectionWeb web, String policy) {
      percent = web.percent();
      sites = web.found().size();
      System.out.printf(
          Locale.ROOT,
          "%s: %.1f %% of %d pages in Urdu, %d of %d sites%n",
          policy,
          percent,
          web.pages().size(),
          sites,
          web.sitesWithUrdu());
      web.forget();
    }
  }

  @Test(timeout = 580_000)
  public void pagesFindsMorePagesAndMoreSitesThanMeanAndExplore() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      Result mean = crawl(web, "mean");
      Result explore = crawl(web, "explore");
      Result pages = crawl(web, "pages");
      assertTrue(pages.percent + " " + mean.percent, pages.percent > mean.percent + 5);
      assertTrue(pages.percent + " " + explore.percent, pages.percent > explore.percent + 5);
      assertTrue(pages.sites + " " + mean.sites, pages.sites > mean.sites);
      assertTrue(pages.sites + " " + explore.sites, pages.sites >= explore.sites);
    }
  }

  @Test
  public void aHostHasATwentiethOfARoundAndMoreOfASmallOneWherePagesAreOrdered() throws Exception {
    CrawlOptions options = CrawlFiles.options();
    int[] tops = {1, 20, 50, 100, 120, 199, 200, 2000};
    options.policy = "pages:5+barren:40";
    int[] ofPages = Arrays.stream(tops).map(top -> maxPerHost(options, top)).toArray();
    assertArrayEquals(new int[] {1, 1, 4, 8, 10, 10, 10, 100}, ofPages);
    options.policy = "mean";
    int[] ofMean = Arrays.stream(tops).map(top -> maxPerHost(options, top)).toArray();
    assertArrayEquals(new int[] {1, 1, 2, 5, 6, 9, 10, 100}, ofMean);
  }

  private static int maxPerHost(CrawlOptions options, int top) {
    options.top = top;
    return options.maxPerHost();
  }

  private Result crawl(SectionWeb web, String policy) throws Exception {
    LocalFiles.deleteTree(folder.data());
    LocalFiles.deleteTree(folder.out());
    run(web, ROUNDS, policy);
    return new Result(web, policy);
  }

  private static double mean(Map<String, Double> scores, String section) {
    return scores.keySet().stream()
        .filter(url -> url.contains(section))
        .mapToDouble(scores::get)
        .average()
        .orElseThrow();
  }

  private void run(SectionWeb web, int rounds, String policy, String... more) throws Exception {
    List<String> options = new ArrayList<>(Arrays.asList(more));
    Collections.addAll(
        options,
        "--rounds",
        Integer.toString(rounds),
        "--top",
        Integer.toString(TOP),
        "--no-report",
        "--proxy",
        web.proxy());
    if (!policy.isEmpty()) {
      Collections.addAll(options, "--score-policy", policy);
    }
    int code = folder.run(web.seeds(), options.toArray(new String[0]));
    assertEquals(folder.output(), 0, code);
  }

  @Test(timeout = 280_000)
  public void aCrawlOrdersPagesUnlessItWasBegunWithAnotherPolicy() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      run(web, 3, "");
      assertTrue(folder.output(), folder.output().contains(", Brier 0."));
      run(web, 4, "mean");
      run(web, 5, "");
      assertFalse(folder.output(), folder.output().contains("Brier"));
      // A crawl of a release that did not store its policy was begun with the paper's.
      Path state = folder.data().resolve("state.properties");
      List<String> lines = Files.readAllLines(state);
      assertTrue(lines.toString(), lines.removeIf(line -> line.equals("crawl.policy=mean")));
      Files.write(state, lines);
      run(web, 6, "");
      assertFalse(folder.output(), folder.output().contains("Brier"));
    }
  }

  @Test(timeout = 280_000)
  public void rowsHaveTheirLinksAndPredictionsAndARoundTellsWhatNewHostsCost() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      run(web, 3, "pages:10", "--frontier");
      Map<String, Double> scores = new HashMap<>();
      for (String line : Files.readAllLines(folder.out().resolve(Frontier.FILE))) {
        String[] cells = line.split("\t");
        if (cells[4].equals("not fetched")) {
          scores.put(cells[0], Double.parseDouble(cells[3]));
        }
      }
      double urdu = mean(scores, "/ur/");
      assertTrue(urdu + " " + mean(scores, "/en/"), urdu > 1.3 * mean(scores, "/en/"));
      assertTrue(urdu + " " + mean(scores, "http://w"), urdu > 4 * mean(scores, "http://w"));
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      assertNull("a seed", text(rows, "http://p0.test/ur/0", PageKeys.PREDICTION));
      assertTrue(text(rows, "http://p0.test/en/0", PageKeys.LINK_COUNTS).startsWith("c"));
      long predicted =
          rows.values().stream()
              .filter(row -> row.getMetaData().containsKey(new Text(PageKeys.PREDICTION)))
              .count();
      assertTrue(predicted + " rows", predicted > TOP);
      assertTrue(
          folder.output(), folder.output().matches("(?s).* pages kept, (cost|gained) [0-9]+ kB.*"));
      assertTrue(folder.output(), folder.output().contains(", Brier 0."));
      Path state = reviewed();
      int explained =
          folder.run(
              web.seeds(),
              "--score-policy",
              "pages:10",
              "--explain",
              "http://p0.test/ur/7",
              "--proxy",
              web.proxy());
      assertEquals(folder.output(), 0, explained);
      assertTrue(folder.output(), folder.output().contains("\n  probability: "));
      assertTrue(
          folder.output(),
          folder
              .output()
              .matches("(?s).*\n  links: [^\n]*[1-9] on the host \\(page and anchor in the.*"));
      assertTrue(
          folder.output(), folder.output().matches("(?s).*\n  expected bytes: [1-9][0-9]{3}\n.*"));
      assertTrue(
          folder.output(),
          folder
              .output()
              .matches("(?s).*\n  sections: host [1-9][0-9]* of [1-9][0-9]* in the language.*"));
      // The state that a damaged file has cannot be read.
      Files.writeString(state, "pages 1\n1\n");
      int code =
          folder.run(
              web.seeds(), "--rounds", "4", "--score-policy", "pages", "--proxy", web.proxy());
      assertFalse(code == 0);
      assertTrue(folder.output(), folder.output().contains("state of policy pages is damaged"));
    }
  }

  @Test(timeout = 280_000)
  public void aCrawlMayChangeToPagesWithRulesThatStopHostsAndBack() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      run(web, 3, "explore");
      Set<String> before = web.pages();
      run(web, 5, "pages:5+barren:4+limit:6", "--max-hops", "9");
      Set<String> after = web.pages();
      after.removeAll(before);
      Map<String, Long> ofHosts =
          after.stream()
              .collect(
                  Collectors.groupingBy(url -> URI.create(url).getHost(), Collectors.counting()));
      // A host is stopped after six pages, and gets at most five more in the round before.
      assertTrue(ofHosts.toString(), ofHosts.values().stream().allMatch(pages -> pages <= 11));
      long urdu = after.stream().filter(SectionWeb::isUrdu).count();
      assertTrue(urdu + " of " + after.size(), after.size() > TOP && urdu > 0.6 * after.size());
      assertTrue(folder.output(), folder.output().contains(", Brier 0."));
      run(web, 6, "mean");
      assertTrue(folder.output(), web.pages().size() > before.size() + after.size());
      assertFalse(folder.output(), folder.output().contains("Brier"));
    }
  }

  @Test(timeout = 280_000)
  public void aHostThatIsDeniedLaterHasNoMorePagesAndTheRoundIsFilledFromOthers() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      run(web, 3, "pages");
      Set<String> before = web.pages();
      String denied = best(before);
      run(web, 4, "pages", "--deny", denied);
      Set<String> after = web.pages();
      after.removeAll(before);
      assertTrue(denied, after.stream().noneMatch(url -> URI.create(url).getHost().equals(denied)));
      assertEquals(folder.output(), TOP, after.size(), 0.2 * TOP);
      try (Stream<Path> files = Files.walk(folder.data())) {
        assertTrue(files.noneMatch(file -> file.endsWith(PageSelector.DUE)));
      }
    }
  }

  /** Returns the host with the most pages in Urdu. */
  private static String best(Set<String> pages) {
    Map<String, Long> urdu =
        pages.stream()
            .filter(SectionWeb::isUrdu)
            .collect(
                Collectors.groupingBy(url -> URI.create(url).getHost(), Collectors.counting()));
    return Collections.max(urdu.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  /** Returns the state of the last round. */
  private Path reviewed() throws IOException {
    try (Stream<Path> files = Files.walk(folder.data())) {
      return files
          .filter(file -> file.endsWith(PageSelector.REVIEWED))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private static String text(Map<String, CrawlDatum> rows, String url, String key) {
    Writable value = rows.get(url).getMetaData().get(new Text(key));
    return value == null ? null : value.toString();
  }
}
