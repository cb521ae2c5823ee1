package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.scoring.ScoringFilters;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class LrlScoringFilterTest {

  private static final Text URL = new Text("http://a.example/");

  @Test
  public void seedsAreMarkedAndScoreAboveAllUnlessTheOperatorGaveThemAScore() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    CrawlDatum seed = row(CrawlDatum.STATUS_INJECTED, 1f);
    filter.injectedScore(URL, seed);
    assertEquals(1e9f, seed.getScore(), 0);
    assertEquals("y", Nutch.figure(seed, PageKeys.INJECTED_MARK));
    CrawlDatum custom = row(CrawlDatum.STATUS_INJECTED, 5f);
    filter.injectedScore(URL, custom);
    assertEquals(5f, custom.getScore(), 0);
    assertEquals("y", Nutch.figure(custom, PageKeys.INJECTED_MARK));
  }

  @Test
  public void rowIsGeneratedByTheScoreThatItHasAndNeverByNaN() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    assertEquals(
        12.5f, filter.generatorSortValue(URL, row(CrawlDatum.STATUS_DB_UNFETCHED, 12.5f), 3f), 0);
    assertEquals(
        -1f, filter.generatorSortValue(URL, row(CrawlDatum.STATUS_DB_UNFETCHED, -1f), 3f), 0);
    assertEquals(
        256f,
        filter.generatorSortValue(URL, row(CrawlDatum.STATUS_DB_UNFETCHED, Float.NaN), Float.NaN),
        0);
    CrawlDatum updated = row(CrawlDatum.STATUS_DB_FETCHED, 1f);
    filter.updateDbScore(
        URL, row(CrawlDatum.STATUS_DB_FETCHED, Float.NaN), updated, Collections.emptyList());
    assertEquals(256f, updated.getScore(), 0);
  }

  @Test
  public void probesAreAPartOfTheBatchAndHostsWithoutALeadGetHalfOfThem() throws Exception {
    float[] scores = {2.5e8f, 5e8f, 2.5e8f, 5e8f, 5e8f, 300f};
    assertEquals(
        "without -topN", Arrays.toString(scores), sortValues(task("explore", null), scores));
    // 8 % of 38 are four places, and this is the second of two tasks.
    Configuration conf = task("explore", "38");
    float[] two = {2.5e8f, 5e8f, 256f, 256f, 256f, 300f};
    assertEquals(Arrays.toString(two), sortValues(conf, scores));
    ScoringFilter filter = filter(conf);
    CrawlDatum seed = row(CrawlDatum.STATUS_DB_UNFETCHED, 5e8f);
    Nutch.setFigure(seed, PageKeys.FOUND_MARK, "y");
    Nutch.setFigure(seed, PageKeys.INJECTED_MARK, "y");
    for (int i = 0; i < 5; i++) {
      assertEquals("a seed is no probe", 5e8f, filter.generatorSortValue(URL, seed, 1f), 0);
    }
    assertEquals("no probes", Arrays.toString(scores), sortValues(task("mean", "38"), scores));
  }

  /** The second of two tasks of a generator. */
  private static Configuration task(String policy, String topN) {
    Configuration task = Nutch.conf();
    task.set(Settings.SCORE_POLICY, policy);
    if (topN != null) {
      task.set(Generator.GENERATOR_TOP_N, topN);
    }
    task.setInt("mapreduce.job.maps", 2);
    task.setInt("mapreduce.task.partition", 1);
    return task;
  }

  private static String sortValues(Configuration conf, float... scores) throws Exception {
    ScoringFilter filter = filter(conf);
    float[] values = new float[scores.length];
    for (int i = 0; i < scores.length; i++) {
      CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, scores[i]);
      Nutch.setFigure(row, PageKeys.FOUND_MARK, "y");
      values[i] = filter.generatorSortValue(URL, row, 1f);
    }
    return Arrays.toString(values);
  }

  @Test
  public void updateKeepsTheRowsScoreAndNewRowsStartUnknown() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    CrawlDatum fetched = row(CrawlDatum.STATUS_DB_FETCHED, 99f);
    filter.updateDbScore(
        URL, row(CrawlDatum.STATUS_DB_UNFETCHED, 7f), fetched, Arrays.asList(link(3f), link(4f)));
    assertEquals("scores of links add nothing", 7f, fetched.getScore(), 0);
    CrawlDatum found = row(CrawlDatum.STATUS_DB_UNFETCHED, 99f);
    filter.initialScore(URL, found);
    filter.updateDbScore(URL, null, found, Arrays.asList(link(3f)));
    assertEquals(256f, found.getScore(), 0);
    CrawlDatum orphan = row(CrawlDatum.STATUS_DB_FETCHED, 8f);
    filter.orphanedScore(URL, orphan);
    assertEquals(8f, orphan.getScore(), 0);
    assertEquals(0, orphan.getMetaData().size());
    assertEquals(3f, filter.indexerScore(URL, null, null, null, null, null, 3f), 0);
  }

  @Test
  public void pageMarksItsLinksByItsBytesWhenExploring() throws Exception {
    ScoringFilter filter = filter(exploring());
    assertEquals("some words", "", marks(filter, "urd:255,eng:900"));
    assertEquals("FOUND", marks(filter, "urd:256,eng:900"));
    assertEquals("ELSEWHERE", marks(filter, "eng:900"));
    assertEquals("no text at all", "ELSEWHERE", marks(filter, (String) null));
    assertEquals("malformed figures", "", marks(filter, "urd:many"));
    assertEquals("page that was not read", "", marks(filter, new Metadata()));
    assertEquals("policy mean", "", marks(filter(Nutch.conf()), "urd:256,eng:900"));
  }

  @Test
  public void marksAreGatheredFromAllLinksAndStay() throws Exception {
    ScoringFilter filter = filter(exploring());
    CrawlDatum elsewhere = link(0f);
    Nutch.setFigure(elsewhere, PageKeys.ELSEWHERE_MARK, "y");
    CrawlDatum found = link(0f);
    Nutch.setFigure(found, PageKeys.FOUND_MARK, "y");
    CrawlDatum known = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    filter.updateDbScore(
        URL,
        row(CrawlDatum.STATUS_DB_UNFETCHED, 7f),
        known,
        Arrays.asList(link(1f), elsewhere, found));
    assertEquals("FOUND ELSEWHERE", marks(known));
    filter.updateDbScore(URL, known, known, Collections.emptyList());
    assertEquals("FOUND ELSEWHERE", marks(known));
    CrawlDatum mean = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    filter(Nutch.conf()).updateDbScore(URL, null, mean, Arrays.asList(found));
    assertEquals("policy mean", "", marks(mean));
  }

  @Test
  public void aRowIsAnAlternateIfAnyPageNamesItSoUnderEveryPolicy() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    CrawlDatum alternate = link(0f);
    Nutch.setFigure(alternate, PageKeys.ALTERNATE_MARK, "y");
    CrawlDatum plain = link(0f);
    filter.initialScore(URL, alternate);
    filter.initialScore(URL, plain);
    // Of many links Nutch keeps those with the lowest scores.
    assertTrue(alternate.getScore() < plain.getScore());
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    filter.updateDbScore(
        URL, row(CrawlDatum.STATUS_DB_UNFETCHED, 7f), row, Arrays.asList(plain, alternate));
    assertEquals("y", Nutch.figure(row, PageKeys.ALTERNATE_MARK));
    alternate.setScore(1.5f);
    CrawlDatum beside = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    filter.updateDbScore(URL, null, beside, Arrays.asList(alternate));
    assertEquals("a score of another filter", "y", Nutch.figure(beside, PageKeys.ALTERNATE_MARK));
  }

  @Test
  public void targetOfARedirectHasTheMarksButNotTheFigures() throws Exception {
    ScoringFilter filter = filter(exploring());
    CrawlDatum target = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    for (String key :
        new String[] {
          PageKeys.LANGUAGES, PageKeys.VERSION, PageKeys.DECISION, PageKeys.TARGET_BYTES
        }) {
      Nutch.setFigure(target, key, "of another page");
    }
    for (String key : new String[] {PageKeys.FOUND_MARK, PageKeys.INJECTED_MARK, "other.plugin"}) {
      Nutch.setFigure(target, key, "y");
    }
    filter.initialScore(URL, target);
    assertEquals("FOUND INJECTED", marks(target));
    assertEquals("y", Nutch.figure(target, "other.plugin"));
    assertNull(Nutch.figure(target, PageKeys.LANGUAGES));
    assertEquals(3, target.getMetaData().size());
    assertEquals(256f, target.getScore(), 0);
  }

  @Test
  public void scanIsRefusedWithWhatIsAllowed() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_SOURCE, "scan");
    Error failure = assertThrows(Error.class, () -> new ScoringFilters(conf));
    assertEquals(
        "Property corpulyzer.score.source is 'scan'; this Nutch allows stored, hostdb, row.",
        failure.getMessage());
  }

  /**
   * Source row: a row scores the mean of those pages of its host that link to it, over all updates.
   */
  @Test
  public void rowScoresByThePagesOfItsHostThatLinkToIt() throws Exception {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_SOURCE, "row");
    ScoringFilter filter = filter(conf);
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    List<CrawlDatum> links =
        Arrays.asList(
            linkFrom(filter, "http://B.example:80/a", "urd:900"),
            linkFrom(filter, "https://b.example/", "eng:5"),
            linkFrom(filter, "http://a.example/", "urd:90000"),
            linkFrom(filter, "http://b.example/c", "urd:x"),
            link(7f));
    filter.initialScore(URL, row);
    filter.updateDbScore(URL, null, row, links);
    assertEquals("pages of the host that were read", 450f, row.getScore(), 0);
    CrawlDatum next = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    filter.updateDbScore(
        URL,
        row,
        next,
        Collections.singletonList(linkFrom(filter, "http://b.example/d", "urd:600")));
    assertEquals(500f, next.getScore(), 0);
    assertEquals(500f, filter.generatorSortValue(URL, next, 1f), 0);
    filter.orphanedScore(URL, next);
    assertEquals(500f, next.getScore(), 0);

    CrawlDatum stranger = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    filter.updateDbScore(URL, null, stranger, links.subList(2, 5));
    assertEquals("no page of the host links to it", 256f, stranger.getScore(), 0);
    CrawlDatum seed = row(CrawlDatum.STATUS_DB_UNFETCHED, 1e9f);
    Nutch.setFigure(seed, PageKeys.INJECTED_MARK, "y");
    CrawlDatum updated = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    Nutch.setFigure(updated, PageKeys.INJECTED_MARK, "y");
    filter.updateDbScore(URL, seed, updated, links);
    assertEquals("a seed waits for its fetch", 1e9f, updated.getScore(), 0);
    Nutch.setFigure(row, PageKeys.LINKING_PAGES, "9 9999999999999999999999");
    filter.updateDbScore(URL, row, next, Collections.emptyList());
    assertEquals("a sum that nobody could have made", 450f, next.getScore(), 0);

    Configuration explore = exploring();
    explore.set(Settings.SCORE_SOURCE, "row");
    ScoringFilter exploring = filter(explore);
    CrawlDatum other = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    exploring.updateDbScore(
        URL,
        null,
        other,
        Collections.singletonList(linkFrom(exploring, "http://b.example/e", "urd:200")));
    assertEquals("found on no page in the language", 20f, other.getScore(), 1e-5);
    CrawlDatum found = row(CrawlDatum.STATUS_DB_UNFETCHED, 9f);
    exploring.updateDbScore(
        URL,
        null,
        found,
        Collections.singletonList(linkFrom(exploring, "http://b.example/e", "urd:800")));
    assertEquals(800f, found.getScore(), 0);
  }

  @Test
  public void hardFocusDropsTheLinksOfRejectedPagesAndOfNoOthers() throws Exception {
    ScoringFilter filter = filter(links("hard", 0, 0));
    assertEquals(0, targets(filter, "reject: 12 bytes", null).size());
    assertEquals(1, targets(filter, "keep: 900 bytes", null).size());
    assertEquals("not read, or a sitemap", 1, targets(filter, null, null).size());
    assertEquals(1, targets(filter(links("all", 0, 0)), "reject: 12 bytes", null).size());
  }

  @Test
  public void softFocusMarksTheLinksOfKeptPagesAlone() throws Exception {
    ScoringFilter filter = filter(links("soft", 0, 0));
    CrawlDatum found = targets(filter, "keep: 900 bytes", null).get(0);
    assertEquals("FOUND", marks(found));
    CrawlDatum other = targets(filter, "reject: 12 bytes", null).get(0);
    assertEquals("", marks(other));
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    filter.updateDbScore(URL, null, row, Arrays.asList(other, found));
    assertEquals("FOUND", marks(row));
  }

  /** Suki: pages are at most 20 links away from a seed. */
  @Test
  public void aChainOfPagesEndsAtTheLimitOfHops() throws Exception {
    assertEquals(20, length(filter(links("all", 0, 20)), "keep it", 25));
    assertEquals(25, length(filter(links("all", 0, 0)), "keep it", 25));
    assertEquals(3, length(filter(links("all", 3, 20)), "reject it", 25));
    assertEquals("pages that were not read", 20, length(filter(links("all", 3, 20)), null, 25));
  }

  @Test
  public void aKeptPageStartsANewTunnelAndTheShortestWayCounts() throws Exception {
    ScoringFilter filter = filter(links("all", 2, 9));
    assertEquals("6 2", path(targets(filter, "reject it", "5 1").get(0)));
    assertEquals("6 0", path(targets(filter, "keep it", "5 2").get(0)));
    assertEquals(0, targets(filter, "reject it", "5 2").size());
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    Nutch.setFigure(row, PageKeys.LINK_PATH, "7 0");
    CrawlDatum old = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    Nutch.setFigure(old, PageKeys.LINK_PATH, "7 0");
    filter.updateDbScore(
        URL, old, row, Arrays.asList(link(3f), targets(filter, "reject it", "3 1").get(0)));
    assertEquals("4 0", path(row));
    CrawlDatum redirected = row(CrawlDatum.STATUS_LINKED, 7f);
    Nutch.setFigure(redirected, PageKeys.LINK_PATH, "7 1");
    filter.initialScore(URL, redirected);
    assertEquals("7 1", path(redirected));
    assertNull("a link without a path", path(update(filter, link(3f))));
  }

  @Test
  public void aServerCannotSetThePathOfItsPages() throws Exception {
    ScoringFilter filter = filter(links("all", 2, 9));
    for (String path : new String[] {"9 0", "99999999999 0", "-1 0", "0"}) {
      CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
      Nutch.setFigure(row, PageKeys.LINK_PATH, path);
      Content content = Nutch.html(Nutch.conf(), "http://a.example/", "<p>x");
      content.getMetadata().set(PageKeys.LINK_PATH, "0 0");
      filter.passScoreBeforeParsing(URL, row, content);
      assertEquals(
          "a value that is no path counts as a seed's",
          path.equals("9 0") ? path : "0 0",
          content.getMetadata().get(PageKeys.LINK_PATH));
    }
  }

  @Test
  public void aNewRowHasTheSourceOfMostPagesThatLinkToItAndKeepsIt() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    CrawlDatum twitter = linkWithSource(filter, "twitter");
    CrawlDatum directory = linkWithSource(filter, "directory");
    CrawlDatum none = linkWithSource(filter, null);
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(URL, null, row, Arrays.asList(none, directory, twitter, twitter));
    assertEquals("twitter", Nutch.figure(row, PageKeys.SOURCE));
    CrawlDatum equal = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(URL, null, equal, Arrays.asList(twitter, directory));
    assertEquals("directory", Nutch.figure(equal, PageKeys.SOURCE));
    CrawlDatum later = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    Nutch.setFigure(later, PageKeys.SOURCE, "twitter");
    filter.updateDbScore(URL, row, later, Arrays.asList(directory, directory));
    assertEquals("twitter", Nutch.figure(later, PageKeys.SOURCE));
    // A row without a source stays without.
    CrawlDatum old = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    CrawlDatum update = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(URL, old, update, Arrays.asList(directory));
    assertNull(Nutch.figure(update, PageKeys.SOURCE));
    CrawlDatum redirected = row(CrawlDatum.STATUS_LINKED, 7f);
    Nutch.setFigure(redirected, PageKeys.SOURCE, "directory");
    filter.initialScore(URL, redirected);
    assertEquals("directory", Nutch.figure(update(filter, redirected), PageKeys.SOURCE));
  }

  @Test
  public void aServerCannotSetTheSourceOfItsPages() throws Exception {
    ScoringFilter filter = filter(Nutch.conf());
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    Content content = Nutch.html(Nutch.conf(), "http://a.example/", "<p>x");
    content.getMetadata().set(PageKeys.CONTENT_SOURCE, "server");
    filter.passScoreBeforeParsing(URL, row, content);
    assertNull(content.getMetadata().get(PageKeys.CONTENT_SOURCE));
    Nutch.setFigure(row, PageKeys.SOURCE, "twitter");
    content.getMetadata().set(PageKeys.CONTENT_SOURCE, "server");
    filter.passScoreBeforeParsing(URL, row, content);
    assertEquals("twitter", content.getMetadata().get(PageKeys.CONTENT_SOURCE));
  }

  /** A link of a page whose row has a source, as the page's links have it. */
  private static CrawlDatum linkWithSource(ScoringFilter filter, String source) throws Exception {
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 7f);
    if (source != null) {
      Nutch.setFigure(row, PageKeys.SOURCE, source);
    }
    Content content = Nutch.html(Nutch.conf(), "http://a.example/", "<p>x");
    filter.passScoreBeforeParsing(URL, row, content);
    CrawlDatum target = link(0f);
    filter.initialScore(new Text("http://b.example/"), target);
    filter.distributeScoreToOutlinks(
        URL,
        new ParseData(
            ParseStatus.STATUS_SUCCESS, "", new Outlink[0], content.getMetadata(), new Metadata()),
        Collections.singletonList(new SimpleEntry<>(new Text("http://b.example/"), target)),
        row(CrawlDatum.STATUS_LINKED, 1f),
        1);
    return target;
  }

  /**
   * @return pages of a chain that are added to the crawl after its seed
   */
  private static int length(ScoringFilter filter, String decision, int pages) throws Exception {
    CrawlDatum row = row(CrawlDatum.STATUS_INJECTED, 1f);
    filter.injectedScore(URL, row);
    for (int added = 0; added < pages; added++) {
      Content content = Nutch.html(Nutch.conf(), "http://a.example/", "<p>x");
      filter.passScoreBeforeParsing(URL, row, content);
      List<CrawlDatum> links =
          targets(filter, decision, content.getMetadata().get(PageKeys.LINK_PATH));
      if (links.isEmpty()) {
        return added;
      }
      row = update(filter, links.get(0));
    }
    return pages;
  }

  /** A new row that one link leads to. */
  private static CrawlDatum update(ScoringFilter filter, CrawlDatum link) throws Exception {
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(URL, null, row, Collections.singletonList(link));
    return row;
  }

  /** The targets that are left of the only link of a page. */
  private static List<CrawlDatum> targets(ScoringFilter filter, String decision, String path)
      throws Exception {
    Metadata figures = new Metadata();
    if (decision != null) {
      figures.set(PageKeys.DECISION, decision);
    }
    Metadata content = new Metadata();
    if (path != null) {
      content.set(PageKeys.LINK_PATH, path);
    }
    CrawlDatum target = link(0f);
    filter.initialScore(new Text("http://b.example/"), target);
    List<Entry<Text, CrawlDatum>> targets = new ArrayList<>();
    targets.add(new SimpleEntry<>(new Text("http://b.example/"), target));
    filter.distributeScoreToOutlinks(
        URL,
        new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], content, figures),
        targets,
        row(CrawlDatum.STATUS_LINKED, 1f),
        1);
    return targets.stream().map(Entry::getValue).collect(Collectors.toList());
  }

  private static String path(CrawlDatum row) {
    return Nutch.figure(row, PageKeys.LINK_PATH);
  }

  private static Configuration links(String policy, int maxTunnel, int maxHops) {
    Configuration conf = Nutch.conf();
    conf.set(Settings.LINKS_POLICY, policy);
    conf.setInt(Settings.LINKS_MAX_TUNNEL, maxTunnel);
    conf.setInt(Settings.LINKS_MAX_HOPS, maxHops);
    return conf;
  }

  @Test
  public void rulesThatStopHostsAreRefusedWithSourceRow() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_SOURCE, "row");
    conf.set(Settings.SCORE_POLICY, "mean+limit:9");
    Error failure = assertThrows(Error.class, () -> new ScoringFilters(conf));
    assertTrue(
        failure.getMessage(),
        failure.getMessage().endsWith("allowed with row are mean and explore."));
  }

  @Test
  public void policyPagesIsRefusedWhereItHasNoEffect() throws Exception {
    for (String source : new String[] {"hostdb", "row"}) {
      Configuration conf = Nutch.conf();
      conf.set(Settings.SCORE_POLICY, "pages:5");
      conf.set(Settings.SCORE_SOURCE, source);
      assertEquals(
          "Property corpulyzer.score.policy is 'pages:5' and corpulyzer.score.source is '"
              + source
              + "', which has scores of hosts alone: set corpulyzer.score.source to stored, or"
              + " corpulyzer.score.policy to mean or explore.",
          assertThrows(Error.class, () -> new ScoringFilters(conf)).getMessage());
    }
    Configuration soft = links("soft", 0, 0);
    soft.set(Settings.SCORE_POLICY, "pages");
    assertEquals(
        "Property corpulyzer.score.policy is 'pages' and corpulyzer.links.policy is 'soft', which"
            + " lowers scores of hosts: set corpulyzer.links.policy to all or hard, or"
            + " corpulyzer.score.policy to mean or explore.",
        assertThrows(Error.class, () -> new ScoringFilters(soft)).getMessage());
  }

  @Test
  public void policyPagesCountsLinksUntilTheFetch() throws Exception {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_POLICY, "pages");
    ScoringFilter filter = filter(conf);
    CrawlDatum row = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    List<CrawlDatum> links =
        Arrays.asList(
            counted(filter, "keep it", ""),
            counted(filter, "keep it", "-"),
            counted(filter, "reject it", "+/"),
            counted(filter, null, "+"));
    // Counts of links without other metadata are in the score, and less than those of plain links.
    assertEquals(
        Arrays.asList(0, 0, 0, 0),
        links.stream().map(link -> link.getMetaData().size()).collect(Collectors.toList()));
    assertTrue(links.get(0).getScore() > 1 && links.get(0).getScore() < 2);
    CrawlDatum alternate = link(0f);
    Nutch.setFigure(alternate, PageKeys.ALTERNATE_MARK, "y");
    assertEquals(
        "h1t1", Nutch.figure(counted(filter, "keep it", "+", alternate), PageKeys.LINK_COUNTS));
    filter.updateDbScore(new Text("http://b.example/"), null, row, links);
    assertEquals("f1g1h1o1", Nutch.figure(row, PageKeys.LINK_COUNTS));
    CrawlDatum next = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(new Text("http://b.example/"), row, next, links.subList(0, 1));
    assertEquals("f1g1h2o1", Nutch.figure(next, PageKeys.LINK_COUNTS));
    CrawlDatum fetched = row(CrawlDatum.STATUS_DB_FETCHED, 1f);
    Nutch.setFigure(fetched, PageKeys.LINK_COUNTS, "h2");
    filter.updateDbScore(new Text("http://b.example/"), next, fetched, links);
    assertEquals("h2", Nutch.figure(fetched, PageKeys.LINK_COUNTS));
    Nutch.setFigure(next, PageKeys.LINK_COUNTS, "h255a99999999999999999999?b1");
    CrawlDatum full = row(CrawlDatum.STATUS_DB_UNFETCHED, 1f);
    filter.updateDbScore(new Text("http://b.example/"), next, full, links.subList(0, 1));
    assertEquals("a255h255", Nutch.figure(full, PageKeys.LINK_COUNTS));
  }

  /** In the order of their codes, see {@link PageKeys#LINK_SIGNS}. */
  private static final List<String> SIGNS = Arrays.asList("", "+", "-", "/", "+/", "-/");

  private static CrawlDatum counted(ScoringFilter filter, String decision, String signs)
      throws Exception {
    return counted(filter, decision, signs, link(0f));
  }

  /**
   * A link to http://b.example/ under policy pages, the third of a page, with what a parser found
   * out about it. Nutch leaves the second one out.
   */
  private static CrawlDatum counted(
      ScoringFilter filter, String decision, String signs, CrawlDatum target) throws Exception {
    Metadata figures = new Metadata();
    if (decision != null) {
      figures.set(PageKeys.DECISION, decision);
    }
    figures.set(PageKeys.LINK_SIGNS, "04" + SIGNS.indexOf(signs));
    Outlink[] links = {
      new Outlink("http://a.example/", ""),
      new Outlink("http://left-out.example/", ""),
      new Outlink("http://b.example/", "")
    };
    filter.distributeScoreToOutlinks(
        URL,
        new ParseData(ParseStatus.STATUS_SUCCESS, "", links, new Metadata(), figures),
        Arrays.asList(
            new SimpleEntry<>(new Text("http://a.example/"), link(0f)),
            new SimpleEntry<>(new Text("http://b.example/"), target)),
        row(CrawlDatum.STATUS_LINKED, 1f),
        3);
    assertNull(figures.get(PageKeys.LINK_SIGNS));
    return target;
  }

  @Test
  public void duplicatesCountAsZeroWithTheScoreJobsAlone() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_DUPLICATES, "zero");
    new ScoringFilters(conf);
    for (String source : new String[] {"row", "hostdb"}) {
      Configuration other = Nutch.conf();
      other.set(Settings.SCORE_DUPLICATES, "zero");
      other.set(Settings.SCORE_SOURCE, source);
      assertEquals(
          "Property corpulyzer.score.duplicates is 'zero' and corpulyzer.score.source is '"
              + source
              + "', which compares no pages: set corpulyzer.score.source to stored, or"
              + " corpulyzer.score.duplicates to count.",
          assertThrows(Error.class, () -> new ScoringFilters(other)).getMessage());
    }
  }

  /** A link to http://b.example/ as the parse of a page makes it. */
  private static CrawlDatum linkFrom(ScoringFilter filter, String page, String languages)
      throws Exception {
    Metadata figures = new Metadata();
    figures.set(PageKeys.DECISION, "keep it");
    figures.set(PageKeys.LANGUAGES, languages);
    CrawlDatum target = link(0f);
    filter.initialScore(new Text("http://b.example/"), target);
    filter.distributeScoreToOutlinks(
        new Text(page),
        new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], new Metadata(), figures),
        Collections.singletonList(new SimpleEntry<>(new Text("http://b.example/"), target)),
        row(CrawlDatum.STATUS_LINKED, 1f),
        1);
    return target;
  }

  private static String marks(ScoringFilter filter, String languages) throws Exception {
    Metadata figures = new Metadata();
    figures.set(PageKeys.DECISION, "keep it");
    if (languages != null) {
      figures.set(PageKeys.LANGUAGES, languages);
    }
    return marks(filter, figures);
  }

  private static String marks(ScoringFilter filter, Metadata figures) throws Exception {
    CrawlDatum target = link(0f);
    List<Entry<Text, CrawlDatum>> targets =
        Collections.singletonList(new SimpleEntry<>(new Text("http://b.example/"), target));
    CrawlDatum adjust = row(CrawlDatum.STATUS_LINKED, 1f);
    assertSame(
        adjust,
        filter.distributeScoreToOutlinks(
            URL,
            new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], new Metadata(), figures),
            targets,
            adjust,
            1));
    return marks(target);
  }

  private static String marks(CrawlDatum row) {
    return ((Nutch.figure(row, PageKeys.FOUND_MARK) == null ? "" : "FOUND ")
            + (Nutch.figure(row, PageKeys.ELSEWHERE_MARK) == null ? "" : "ELSEWHERE ")
            + (Nutch.figure(row, PageKeys.INJECTED_MARK) == null ? "" : "INJECTED "))
        .trim();
  }

  private static Configuration exploring() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.SCORE_POLICY, "explore");
    return conf;
  }

  private static ScoringFilter filter(Configuration conf) throws Exception {
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    assertTrue(filter.getClass().getName().equals("org.corpulyzer.nutch.LrlScoringFilter"));
    return filter;
  }

  private static CrawlDatum link(float score) {
    return row(CrawlDatum.STATUS_LINKED, score);
  }

  private static CrawlDatum row(byte status, float score) {
    CrawlDatum row = new CrawlDatum(status, 100, score);
    return row;
  }
}
