package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;

/** Crawls for several languages, whose codes are in a file. */
public class SeveralLanguagesTest {
  private static final String[] CORPORA = {"eng", "urd"};

  @Rule public final TestCrawl folder = new TestCrawl();
  @Rule public final TestCrawl undisturbed = new TestCrawl();

  @Test(timeout = 400_000)
  public void aKilledCrawlForTheLanguagesOfAFileGoesOnToTheSameCorpora() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      String[] urdu = new String[6];
      String[] english = new String[6];
      for (int i = 0; i < urdu.length; i++) {
        urdu[i] = "http://ur" + i % 2 + ".test/" + i;
        english[i] = "http://en" + i % 2 + ".test/" + i;
      }
      for (int i = 0; i < urdu.length; i++) {
        web.urdu(urdu[i], english);
        web.english(english[i], urdu);
      }
      web.setDelayMillis(100);
      for (Phase phase : new Phase[] {Phase.FETCH, Phase.UPDATE, Phase.CORPUS}) {
        ChildCrawl crawl = start(folder, web);
        try {
          KillTest.awaitBegun(folder, crawl, phase);
        } catch (KillTest.Missed e) {
          // The phase was short; KillTest kills a crawl in each, here one in the fetch phase is
          // enough.
          assertNotEquals(e.getMessage(), Phase.FETCH, phase);
        }
        crawl.kill();
      }
      ChildCrawl last = start(folder, web);
      assertEquals(last.output(), 0, last.exitCode(120));
      web.setDelayMillis(0);
      ChildCrawl whole = start(undisturbed, web);
      assertEquals(whole.output(), 0, whole.exitCode(120));

      for (String code : CORPORA) {
        Set<String> pages = new HashSet<>(Arrays.asList(code.equals("urd") ? urdu : english));
        String corpus = code + "/corpus.jsonl.zst";
        assertEquals(pages, new HashSet<>(Corpus.values(folder.out().resolve(corpus), "url")));
        assertEquals(pages.size(), Corpus.lines(folder.out().resolve(corpus)).size());
        assertEquals(pages, new HashSet<>(Corpus.values(undisturbed.out().resolve(corpus), "url")));
      }
      long urduBytes = undisturbed.state().of("urd").corpusBytes();
      long englishBytes = undisturbed.state().of("eng").corpusBytes();
      assertTrue(urduBytes > 0 && englishBytes > 0);
      // The dashboard shows it.
      assertEquals(urduBytes + englishBytes, undisturbed.state().corpusBytes());
      assertEquals(
          RoundYield.table(undisturbed.state().yields()),
          RoundYield.table(folder.state().yields()));
    }
  }

  @Test
  public void aFileOfCodesThatIsNotThereIsNamed() throws Exception {
    assertEquals(2, folder.run("http://ur0.test/0\n", "--language", "@" + folder.path("none")));
    assertTrue(
        folder.output(),
        folder.output().contains("--language: " + folder.path("none") + " cannot be read"));
  }

  private static ChildCrawl start(TestCrawl crawl, TinyWeb web) throws Exception {
    Files.write(
        crawl.path("codes.txt"), Arrays.asList("# two languages", "ur # Urdu", "", "English"));
    return crawl.start(
        "http://ur0.test/0\n",
        "--language",
        "@" + crawl.path("codes.txt"),
        "--rounds",
        "3",
        "--top",
        "200",
        "--proxy",
        web.proxy());
  }
}
