package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.corpulyzer.engine.Settings;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

/** When two runs of a crawl have the same settings of pages. */
public class PageSettingsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void packsOfTheCrawlAreFoundByTheirNames() throws Exception {
    for (String name : new String[] {"seed", "far"}) {
      Path pack = Paths.get(Home.pack(name));
      assertTrue(pack.toString(), pack.endsWith("packs/" + name + ".pack"));
      assertTrue(pack.toString(), Files.size(pack) > 1 << 20);
    }
    assertEquals("own.pack", Home.pack("own.pack"));
  }

  @Test
  public void aNumberIsTheSameHoweverItIsWritten() throws Exception {
    Path file = folder.newFile().toPath();
    for (String kept : new String[] {"256", "0256"}) {
      Files.write(
          file,
          ("crawl.language=urd\ncrawl.extractor=best\ncrawl.min-bytes=" + kept + "\n")
              .getBytes(StandardCharsets.US_ASCII));
      CrawlState state = CrawlState.load(file);
      for (String given : new String[] {"256", "0256", "+256", " 256"}) {
        assertEquals("256", PageSettings.properties(options(given)).get(Settings.PAGE_MIN_BYTES));
        assertTrue(kept + ", " + given, new RecordFacts(options(given)).isSame(state));
        new RecordFacts(options(given)).requireSame(state);
      }
      assertFalse(kept, new RecordFacts(options("257")).isSame(state));
    }
  }

  @Test
  public void serversAreAskedForTheLanguagesByAllTheirTags() throws Exception {
    CrawlOptions options = options("256");
    for (String[] asked :
        new String[][] {
          {"urd", "ur,urd,*;q=0.5"},
          {"kpv,urd", "kpv,kv,kom,ur,urd,*;q=0.5"},
          {"skr", "skr,lah,*;q=0.5"}
        }) {
      options.language = asked[0];
      assertEquals(asked[1], options.acceptLanguage());
    }
    options.acceptLanguage = "ur";
    assertEquals("ur", options.acceptLanguage());
  }

  @Test
  public void pagesAreOrderedUnlessAnotherOptionNeedsTheMean() {
    assertEquals("pages", policy());
    assertEquals("mean", policy("--profile", "paper"));
    assertEquals("mean", policy("--mode", "S"));
    assertEquals("mean", policy("--links", "soft"));
    assertEquals("mean", policy("--scoring", "link"));
    assertEquals("pages", policy("--links", "hard", "--max-hops", "3", "--duplicates", "zero"));
    assertEquals("mean", policy("--score-policy", "mean"));
    assertEquals("explore", policy("--score-policy", "explore", "--profile", "paper"));
  }

  private static String policy(String... given) {
    CrawlOptions options = parsed(given);
    assertEquals(options.policy(), PageSettings.properties(options).get(Settings.SCORE_POLICY));
    return options.policy();
  }

  private static CrawlOptions options(String minBytes) {
    return parsed("--language", "ur", "--min-bytes", minBytes);
  }

  private static CrawlOptions parsed(String... given) {
    CrawlOptions options = new CrawlOptions();
    CommandLine line = new CommandLine(options);
    line.parseArgs(given);
    line.setDefaultValueProvider(PageSettings.defaults(options.profile));
    line.parseArgs(given);
    return options;
  }
}
