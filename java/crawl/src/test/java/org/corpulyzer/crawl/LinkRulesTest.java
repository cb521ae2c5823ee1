package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;

/** Tests {@code --links}, {@code --max-tunnel} and {@code --max-hops}, each in a whole crawl. */
public class LinkRulesTest {
  private static final String SEED = "http://seed.test/";
  private static final String ENGLISH_1 = "http://one.test/1";
  private static final String ENGLISH_2 = "http://one.test/2";
  private static final String ENGLISH_3 = "http://one.test/3";
  private static final String FAR = "http://far.test/";

  @Rule public final TestCrawl folder = new TestCrawl();

  /** Two Urdu pages with three English pages between them. */
  private static TinyWeb web() throws Exception {
    TinyWeb web = new TinyWeb();
    web.urdu(SEED, ENGLISH_1);
    web.english(ENGLISH_1, ENGLISH_2);
    web.english(ENGLISH_2, ENGLISH_3);
    web.english(ENGLISH_3, FAR);
    web.urdu(FAR);
    return web;
  }

  @Test(timeout = 200_000)
  public void withoutRulesEveryLinkIsFollowed() throws Exception {
    assertFetched(SEED, ENGLISH_1, ENGLISH_2, ENGLISH_3, FAR);
  }

  @Test(timeout = 200_000)
  public void aTunnelOfThreeRejectedPagesNeedsALimitOfThree() throws Exception {
    assertFetched(new String[] {SEED, ENGLISH_1, ENGLISH_2, ENGLISH_3, FAR}, "--max-tunnel", "3");
  }

  @Test(timeout = 200_000)
  public void aTunnelThatIsTooLongIsLeft() throws Exception {
    assertFetched(new String[] {SEED, ENGLISH_1, ENGLISH_2, ENGLISH_3}, "--max-tunnel", "2");
  }

  @Test(timeout = 200_000)
  public void aPageThatIsTooManyLinksAwayIsNotFetched() throws Exception {
    assertFetched(new String[] {SEED, ENGLISH_1, ENGLISH_2}, "--max-hops", "2");
  }

  @Test(timeout = 200_000)
  public void hardFocusFollowsNoLinkOfARejectedPage() throws Exception {
    assertFetched(new String[] {SEED, ENGLISH_1}, "--links", "hard");
  }

  /** In a round of one page the links of kept pages come first. */
  @Test(timeout = 200_000)
  public void softFocusFetchesTheLinksOfKeptPagesFirst() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.english("http://english.test/", "http://a.test/", "http://b.test/");
      web.urdu("http://urdu.test/", "http://c.test/", "http://d.test/");
      for (String host : new String[] {"a", "b", "c", "d"}) {
        web.english("http://" + host + ".test/");
      }
      crawl(web, "http://english.test/\nhttp://urdu.test/\n", "--top", "2", "--links", "soft");
      assertEquals(
          web.requests.toString(),
          new TreeSet<>(Arrays.asList("http://c.test/", "http://d.test/")),
          new TreeSet<>(web.requests.subList(2, 4)));
      assertTrue(web.requests.contains("http://a.test/"));
    }
  }

  @Test
  public void linkScoringHasNoRules() throws Exception {
    assertEquals(2, folder.run(SEED, "--scoring", "link", "--max-hops", "3"));
    assertTrue(folder.output(), folder.output().contains("no effect with --scoring link"));
    assertEquals(2, folder.run(SEED, "--scoring", "link", "--score-policy", "explore"));
    assertTrue(folder.output(), folder.output().contains("--score-policy has no effect with"));
  }

  @Test
  public void wholePagesAreNotNormalized() throws Exception {
    assertEquals(2, folder.run(SEED, "--format", "warc", "--nfc"));
    assertTrue(folder.output(), folder.output().contains("--nfc has no effect with --format warc"));
  }

  @Test
  public void aRuleThatIsNotAllowedIsNamedByItsOption() throws Exception {
    assertEquals(2, folder.run(SEED, "--links", "some"));
    assertTrue(folder.output(), folder.output().contains("--links is 'some'"));
    assertEquals(2, folder.run(SEED, "--max-hops", "-1"));
    assertTrue(folder.output(), folder.output().contains("--max-hops is '-1'"));
  }

  private void assertFetched(String... urls) throws Exception {
    assertFetched(urls, new String[0]);
  }

  private void assertFetched(String[] urls, String... options) throws Exception {
    try (TinyWeb web = web()) {
      crawl(web, SEED, options);
      assertEquals(new TreeSet<>(Arrays.asList(urls)), asSet(web));
    }
  }

  private static Set<String> asSet(TinyWeb web) {
    return new TreeSet<>(web.requests);
  }

  private void crawl(TinyWeb web, String seeds, String... options) throws Exception {
    String[] common = {"--proxy", web.proxy(), "--rounds", "5", "--no-report"};
    String[] all = Arrays.copyOf(common, common.length + options.length);
    System.arraycopy(options, 0, all, common.length, options.length);
    int code = folder.run(seeds, all);
    assertEquals(folder.output(), 0, code);
  }
}
