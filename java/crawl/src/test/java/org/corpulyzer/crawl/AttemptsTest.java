package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;

/** Pages that the process may have died of. */
public class AttemptsTest {
  private static final String BAD = "http://one.test/bad";

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test
  public void aPageIsLeftWhenTheProcessDiedTwiceWhileItWasParsed() throws Exception {
    Path file = folder.path("attempts");
    for (int death = 0; death < 2; death++) {
      // The file is not closed, as if the process had died.
      Attempts attempts = new Attempts(file);
      assertFalse(attempts.isLeft(BAD));
      attempts.begin("http://one.test/good");
      attempts.end("http://one.test/good");
      attempts.begin(BAD);
      attempts.begin("http://one.test/" + death);
    }
    try (Attempts attempts = new Attempts(file)) {
      assertTrue(attempts.isLeft(BAD));
      assertFalse(attempts.isLeft("http://one.test/good"));
      assertFalse(attempts.isLeft("http://one.test/0"));
      assertFalse(attempts.isLeft("http://one.test/1"));
    }
  }

  @Test
  public void aCrawlThatIsStoppedIsNoDeath() throws Exception {
    Path file = folder.path("attempts");
    for (int stop = 0; stop < 3; stop++) {
      try (Attempts attempts = new Attempts(file)) {
        assertFalse(attempts.isLeft(BAD));
        attempts.begin(BAD);
      }
    }
  }

  @Test(timeout = 300_000)
  public void aPageThatTheCrawlDiedOfTwiceIsMarkedFailedAndTheOthersAreParsed() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://one.test/", BAD, "http://one.test/good");
      web.urdu(BAD);
      web.urdu("http://one.test/good");
      crawl(web);
      Path attempts = folder.path("data/segments/00002/_attempts");
      assertTrue(Files.isDirectory(attempts.getParent()));
      assertFalse("a phase that ended leaves no notes", Files.exists(attempts));
      Files.write(
          attempts, ("=\n+" + BAD + "\n=\n+" + BAD + "\n+htt").getBytes(StandardCharsets.UTF_8));
      String said = crawl(web, "--reparse");
      assertTrue(said, said.contains("2 pages, 1 failed"));
      List<String> urls = Corpus.values(folder.corpus(), "url");
      urls.sort(null);
      assertEquals(Arrays.asList("http://one.test/", "http://one.test/good"), urls);
      assertFalse(Files.exists(attempts));
    }
  }

  private String crawl(TinyWeb web, String... more) throws Exception {
    List<String> options =
        new ArrayList<>(Arrays.asList("--proxy", web.proxy(), "--rounds", "2", "--no-report"));
    options.addAll(Arrays.asList(more));
    int code = folder.run("http://one.test/\n", options.toArray(new String[0]));
    assertEquals(folder.output(), 0, code);
    return folder.output();
  }
}
