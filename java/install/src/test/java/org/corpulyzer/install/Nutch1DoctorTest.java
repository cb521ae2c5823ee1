package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.corpulyzer.install.NutchHome.Answer;
import org.corpulyzer.install.NutchHome.Release;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The doctor in homes of Nutch 1.x, started by the installed script as an operator starts it. */
public class Nutch1DoctorTest {
  private static final String OURS = "org.corpulyzer.nutch.LrlScoringFilter";
  private static final String DEPTH = "org.corpulyzer.install.standin.DepthScoring";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** A home with the settings that the option recommends. */
  private NutchHome home(Release release) throws Exception {
    byte[] site =
        "<configuration>\n  <property><name>http.agent.name</name><value>probe</value></property>\n</configuration>\n"
            .getBytes(StandardCharsets.UTF_8);
    NutchHome home = new NutchHome(folder.newFolder().toPath().resolve("nutch"), site, release);
    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE,
            "install",
            "--nutch-home",
            home.root.toString(),
            "--language",
            "ur",
            "--recommended",
            "--top",
            "200",
            "--alias-updatedb");
    assertEquals(answer.toString(), 0, answer.exit);
    return home;
  }

  @Test
  public void finds_and_changes_nothing_after_an_installation_with_recommended_settings()
      throws Exception {
    for (Release release : new Release[] {Release.NUTCH_1_20, Release.NUTCH_1_22}) {
      NutchHome home = home(release);
      if (release == Release.NUTCH_1_22) {
        // As in Nutch's own file: Log4j would tell of itself.
        Files.write(
            home.root.resolve("conf/log4j2.xml"),
            "<Configuration status=\"INFO\"><Loggers><Root level=\"INFO\"/></Loggers></Configuration>"
                .getBytes(StandardCharsets.UTF_8));
      }
      Set<String> before = names(home);
      Answer answer = doctor(home);
      assertEquals(answer.toString(), 0, answer.exit);
      assertEquals(before, names(home));
      assertFalse(answer.toString(), answer.err.contains("log4j"));
      assertFalse(answer.toString(), answer.err.contains("Configuration"));
      for (String line : answer.out.split("\n")) {
        assertTrue(answer.toString(), line.startsWith("ok    "));
      }
      for (String line :
          new String[] {
            "the settings are valid, the language is ur",
            "the native library loads as the plugin loads it",
            "db.parsemeta.to.crawldb copies our keys to CrawlDb",
            "a page in the language urd parses to urd:",
            "scoring-opic is not active",
            "a plugin fetches pages by http",
            "a plugin parses HTML",
            "the scoring filter starts",
            "bin/nutch updatedb scores every host, and the generator reads these scores.",
            "policy pages chooses 200 URLs for each generate; -topN should be the same",
            "a trial crawl of one page works, from inject to export ("
          }) {
        assertTrue(line + " in " + answer, answer.out.contains("ok    " + line));
      }
      assertTrue(answer.toString(), answer.err.contains("the trial crawl runs updatedb\n"));
    }
  }

  @Test
  public void names_keys_that_do_not_reach_crawldb_and_a_script_that_was_put_back()
      throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(
        home.site(),
        site.with("db.parsemeta.to.crawldb", "lang,crp.v")
            .with("corpulyzer.langauge.target", "ur")
            .bytes());
    Path script = home.root.resolve("bin/nutch");
    Files.write(script, NutchScript.release(Files.readAllBytes(script)));
    says(
        home,
        "fail  db.parsemeta.to.crawldb lacks crp.l, crp.d (it is 'lang,crp.v'), so that CrawlDb has"
            + " no figures of pages",
        "fail  corpulyzer.langauge.target is not a property of Corpulyzer. Fix: rename it to"
            + " corpulyzer.language.target if that is meant, ",
        "is Nutch's own again: the crawl has no scores. Fix: run corpulyzer install.");
  }

  @Test
  public void names_what_a_stock_configuration_lacks() throws Exception {
    NutchHome home = home(Release.NUTCH_1_20);
    Files.write(home.site(), NutchHome.vector("empty.before.xml"));
    says(
        home,
        "fail  Property corpulyzer.language.target is not set; allowed is",
        "fail  plugin.includes does not include corpulyzer (it is protocol-http|urlfilter-regex|",
        "fail  scoring-opic is active and overwrites the score of the language. Fix: run corpulyzer"
            + " install,",
        "fail  db.parsemeta.to.crawldb lacks crp.v, crp.l, crp.d",
        "fail  http.agent.name is not set",
        "warn  parser.skip.truncated is true",
        "warn  generate.max.count is not set");
  }

  @Test
  public void names_plugins_that_a_crawl_lacks_and_a_folder_that_is_no_crawldb() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    Path crawlDb = folder.newFolder("crawldb").toPath();
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(home.site(), site.with("plugin.includes", "urlfilter-regex|corpulyzer").bytes());
    says(
        home,
        crawlDb,
        "fail  " + crawlDb + " is not a CrawlDb: it has no current/part-*",
        "fail  no active plugin fetches pages by http",
        "fail  no active plugin parses text/html",
        "warn  urlnormalizer-basic is not active");
  }

  @Test
  public void advises_a_top_and_accepts_a_proxy_another_filter_before_ours_and_few_figures()
      throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    Path crawlDb = folder.newFolder("crawldb").toPath();
    CrawlDbWriter.write(home, crawlDb, true);
    setDepthScoring(home, DEPTH + " " + OURS);
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    // Nothing listens on the port of the proxy.
    Files.write(
        home.site(),
        site.without("corpulyzer.score.topN")
            .with("http.proxy.host", "127.0.0.1")
            .with("http.proxy.port", "9")
            .bytes());
    Answer answer = doctor(home, "--crawldb", crawlDb.toString());
    assertEquals(answer.toString(), 0, answer.exit);
    for (String finding :
        new String[] {
          "warn  policy pages chooses 50000 URLs for each generate, because corpulyzer.score.topN"
              + " is not set; with a smaller -topN it finds fewer new hosts. Fix: install again"
              + " with --top N",
          "ok    a trial crawl of one page works",
          "ok    generate takes rows by their scores",
          "ok    the CrawlDb "
              + crawlDb
              + " has figures (crp.l) of 1 of 2 fetched pages that were read."
        }) {
      assertTrue(finding + "\nin " + answer, answer.out.contains(finding));
    }
  }

  @Test
  public void names_a_filter_that_changes_the_order_after_ours_and_a_crawldb_without_figures()
      throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    Path crawlDb = folder.newFolder("crawldb").toPath();
    CrawlDbWriter.write(home, crawlDb, false);
    setDepthScoring(home, OURS + " " + DEPTH);
    says(
        home,
        crawlDb,
        "has no figures: none of 2 fetched pages that were read has crp.l",
        "warn  generate sorts a row with score -2.0 by -8.0, because another scoring filter"
            + " changes the order after ours. Fix: name all scoring filters in"
            + " scoring.filter.order, org.corpulyzer.nutch.LrlScoringFilter as the last one.");
  }

  private static void setDepthScoring(NutchHome home, String order) throws Exception {
    home.addDepthScoring();
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(
        home.site(),
        site.with("plugin.includes", site.get("plugin.includes") + "|scoring-depth")
            .with("scoring.filter.order", order)
            .bytes());
  }

  @Test
  public void names_a_policy_of_links_that_lowers_scores_under_policy_pages() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    SiteFile pages = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(home.site(), pages.with("corpulyzer.links.policy", "soft").bytes());
    says(
        home,
        "fail  Property corpulyzer.score.policy is 'pages' and corpulyzer.links.policy is 'soft',"
            + " which lowers scores of hosts: set ");
  }

  @Test
  public void names_scores_that_the_generator_cannot_read() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(
        home.site(),
        site.with("corpulyzer.score.source", "hostdb")
            .with("corpulyzer.score.hostDb", folder.newFolder("hostdb").toString())
            .bytes());
    says(
        home,
        "fail  corpulyzer.score.source is hostdb, and ",
        "is no HostDb (it has no folder current), so that generate fails");
  }

  @Test
  public void a_trial_crawl_names_the_step_that_a_setting_breaks() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    Files.write(home.site(), site.with("db.ignore.internal.links", "true").bytes());
    says(home, "fail  the trial crawl did not find the link of its page");
    Files.write(home.site(), site.with("generate.min.score", "1000000").bytes());
    says(home, "fail  the trial crawl's second generate selects no page");
  }

  @Test
  public void names_a_wrong_argument_before_the_usage() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22);
    String command = home.root.resolve("bin/corpulyzer").toString();
    String root = home.root.toString();
    for (String[] wrong :
        new String[][] {
          {"doctor --crawl-db x", "Unknown argument --crawl-db of doctor."},
          {"doctor --crawldb", "The argument --crawldb has no value."},
          {"doctor --nutch-home " + root + " --job x", "Give --nutch-home or --job, not both."},
          {
            "report",
            "Unknown verb report: this script has install, uninstall and doctor. The others are in"
                + " the source tree and in corpulyzer-command-VERSION-linux-ARCH.zip."
          }
        }) {
      Answer answer =
          NutchHome.command(
              java.util.stream.Stream.concat(
                      java.util.stream.Stream.of(command), Arrays.stream(wrong[0].split(" ")))
                  .toArray(String[]::new));
      assertEquals(answer.toString(), 2, answer.exit);
      assertTrue(
          answer.toString(), answer.err.startsWith(wrong[1] + "\nusage: corpulyzer install "));
    }
  }

  @Test
  public void help_is_the_same_for_each_verb() throws Exception {
    String command = home(Release.NUTCH_1_20).root.resolve("bin/corpulyzer").toString();
    Answer help = NutchHome.command(command, "help");
    for (String option :
        "language alias-updatedb top recommended follow dry-run crawldb nutch-home job"
            .split(" ")) {
      assertTrue(help.toString(), help.out.contains("--" + option + " "));
    }
    for (String line : help.out.split("\n")) {
      assertTrue(line, line.length() < 100);
    }
    for (String verb : new String[] {"install", "uninstall", "doctor"}) {
      Answer answer = NutchHome.command(command, verb, "--help");
      assertEquals(answer.toString(), 0, answer.exit);
      assertEquals(help.out, answer.out);
    }
  }

  private static Set<String> names(NutchHome home) {
    return new TreeSet<>(Arrays.asList(home.root.toFile().list()));
  }

  private void says(NutchHome home, String... findings) throws Exception {
    assertSays(doctor(home), findings);
  }

  private void says(NutchHome home, Path crawlDb, String... findings) throws Exception {
    assertSays(doctor(home, "--crawldb", crawlDb.toString()), findings);
  }

  private static void assertSays(Answer answer, String... findings) {
    assertEquals(answer.toString(), 1, answer.exit);
    for (String finding : findings) {
      assertTrue(finding + "\nin " + answer, answer.out.contains(finding));
    }
    assertFalse(answer.toString(), answer.out.contains("Exception"));
  }

  private static Answer doctor(NutchHome home, String... options)
      throws IOException, InterruptedException {
    String[] command = new String[4 + options.length];
    System.arraycopy(
        new String[] {
          home.root.resolve("bin/corpulyzer").toString(),
          "doctor",
          "--nutch-home",
          home.root.toString()
        },
        0,
        command,
        0,
        4);
    System.arraycopy(options, 0, command, 4, options.length);
    return NutchHome.command(command);
  }
}
