package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;

/** Crawls in a process that gets no more native memory from the middle of a phase on. */
public class NativeMemoryFullTest {
  /** What the process may still have, in bytes, in every other phase: nothing, or some buffers. */
  private static final long[] MARGINS = {0, 3 << 20};

  @Rule public final TestCrawl undisturbed = new TestCrawl();

  private List<String> rows;
  private String yields;

  @Test(timeout = 580_000)
  public void aCrawlThatRunsOutOfNativeMemoryInAnyPhaseEndsAsIfNothingHadHappened()
      throws Exception {
    List<TestCrawl> folders = new ArrayList<>();
    try (TinyWeb web = new TinyWeb()) {
      Set<String> pages = KillTest.chain(web);
      ChildCrawl whole = KillTest.start(undisturbed, web);
      assertEquals(whole.output(), 0, whole.exitCode(200));
      rows = KillTest.rows(undisturbed.data());
      yields = RoundYield.table(undisturbed.state().yields());
      web.setDelayMillis(50);
      int failed = 0;
      TestCrawl folder = fresh(folders);
      for (Phase phase : Phase.values()) {
        ChildCrawl crawl = KillTest.start(folder, web);
        try {
          KillTest.awaitBegun(folder, crawl, phase);
          crawl.limitMemory(MARGINS[phase.ordinal() % MARGINS.length]);
        } catch (KillTest.Missed e) {
          // The phase was over before; what the crawl wrote must be right in any case.
        }
        // Hadoop may wait for ever for a thread of its own that could not start.
        int code = crawl.exitCodeOrKill(30);
        if (code == 0) {
          check(crawl.output(), folder, pages);
          folder = fresh(folders);
        } else {
          failed++;
        }
      }
      ChildCrawl last = KillTest.start(folder, web);
      assertEquals(last.output(), 0, last.exitCode(200));
      check(last.output(), folder, pages);
      assertTrue("no crawl ran out of memory", failed > 0);
    } finally {
      folders.forEach(TestCrawl::delete);
    }
  }

  private void check(String output, TestCrawl crawl, Set<String> pages) throws IOException {
    assertEquals(output, rows, KillTest.rows(crawl.data()));
    assertEquals(yields, RoundYield.table(crawl.state().yields()));
    assertEquals(pages, new HashSet<>(Corpus.values(crawl.corpus(), "url")));
    assertEquals(pages.size(), Corpus.lines(crawl.corpus()).size());
  }

  private static TestCrawl fresh(List<TestCrawl> folders) throws IOException {
    TestCrawl folder = new TestCrawl();
    folder.create();
    folders.add(folder);
    return folder;
  }
}
