package org.corpulyzer.crawl;

import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A web with sections by language, crawled with Nutch's own jobs as {@link StockPoliciesTest}. */
public class StockSectionsFullTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 590_000)
  public void sectionsAreFoundByNutchsOwnJobsToo() throws Exception {
    try (SectionWeb web = new SectionWeb()) {
      double mean = percent(web, "mean");
      int sites = web.found().size();
      web.forget();
      double pages = percent(web, "pages");
      assertTrue(pages + " " + mean, pages > mean + 10);
      assertTrue(web.found().size() + " " + sites, web.found().size() > sites);
    }
  }

  private double percent(SectionWeb web, String policy) throws Exception {
    Path root = folder.newFolder("sections-" + policy).toPath();
    Path seeds = Files.writeString(root.resolve("list.txt"), web.seeds());
    Configuration conf = StockPoliciesTest.conf(root, seeds, web.proxy(), policy, 100);
    StockPoliciesTest.rounds(root, seeds, conf, policy, 5, 100, () -> {});
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f %% of %d pages in Urdu, %d of %d sites%n",
        policy,
        web.percent(),
        web.pages().size(),
        web.found().size(),
        web.sitesWithUrdu());
    return web.percent();
  }
}
