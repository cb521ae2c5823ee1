package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Rule;
import org.junit.Test;

/** The files of {@code --dashboard} and {@code --json-log}. */
public class DashboardTest {
  private static final Pattern SVG = Pattern.compile("<svg .*?</svg>", Pattern.DOTALL);

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 300_000)
  public void thePageShowsTheCrawlWhileItRunsAndAtItsEnd() throws Exception {
    Path page = folder.path("watch.html");
    Path log = folder.path("events.jsonl");
    AtomicReference<String> during = new AtomicReference<>("");
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://one.test/", "http://one.test/2", "http://two.test/", "http://one.test/gone");
      web.urduNumber(2, "http://one.test/2");
      web.english("http://two.test/");
      web.setWitness(
          () -> {
            try {
              if (web.requests.size() > 2) {
                during.set(Files.readString(page));
              }
            } catch (java.io.IOException e) {
              during.set(e.toString());
            }
          });
      assertEquals(
          0,
          folder.run(
              "http://one.test/\n",
              "--proxy",
              web.proxy(),
              "--rounds",
              "3",
              "--no-report",
              "--dashboard",
              page.toString(),
              "--json-log",
              log.toString()));
    }
    String running = during.get();
    assertTrue(running, running.contains("Round 2 of 3, fetch"));
    assertTrue(running, running.contains("location.reload()"));
    assertTrue(running, running.contains("Estimated end: "));
    String ended = Files.readString(page);
    assertTrue(ended, ended.contains("<h1>Crawl for Urdu</h1>"));
    assertTrue(ended, ended.contains("The crawl has ended"));
    assertFalse("the summary does not load itself again", ended.contains("reload"));
    assertTrue(ended, ended.contains("<td>not found</td><td>1</td>"));
    assertTrue(ended, ended.contains("<tr><td>1</td><td>1</td><td>1</td><td>100.0 %</td>"));
    for (String html : new String[] {running, ended}) {
      Matcher resource = Pattern.compile("(src|href)=|url\\(|@import|https?://").matcher(html);
      assertFalse("nothing is loaded from elsewhere", resource.find());
    }
    Matcher plots = SVG.matcher(ended);
    int count = 0;
    while (plots.find()) {
      // Each plot is well-formed by itself.
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(plots.group().getBytes(StandardCharsets.UTF_8)));
      count++;
    }
    assertTrue(ended, count >= 5);
    assertEvents(Files.readAllLines(log));
  }

  private static void assertEvents(List<String> lines) {
    List<String> names =
        lines.stream()
            .map(line -> line.replaceFirst(".*\"event\":\"([a-z_]+)\".*", "$1"))
            .filter(name -> !name.equals("progress"))
            .collect(Collectors.toList());
    assertEquals("start", names.get(0));
    assertEquals("end", names.get(names.size() - 1));
    assertEquals(names.toString(), 2, names.stream().filter("round_end"::equals).count());
    assertTrue(names.toString(), names.contains("phase_begin"));
    String round =
        lines.stream().filter(line -> line.contains("\"round_end\"")).findFirst().orElse("");
    assertTrue(
        round,
        round.matches(
            "\\{\"time\":\"[0-9TZ:.-]+\",\"event\":\"round_end\",\"round\":1,\"fetched\":1,"
                + "\"kept\":1,\"any_text\":1,\"new_hosts\":1,\"new_texts\":1,\"hosts\":1,"
                + "\"effective_hosts\":1.0,\"language_bytes\":[0-9]+,\"needs_script\":0,"
                + "\"data_bytes\":[0-9]+,\"free_bytes\":[0-9]+,\"seconds\":[0-9.]+\\}"));
  }

  @Test
  public void textOfTheWebIsNoMarkup() {
    CrawlWatch.View view = new CrawlWatch.View();
    view.options = CrawlFiles.options();
    view.errors.put("failed: <script>alert(1)</script>\"&", 3L);
    String html = new DashboardPage(view).html();
    assertTrue(
        html, html.contains("failed: &lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;</td>"));
    assertTrue(html, html.contains("The first plots appear at the end of the first round."));
    JsonLog.Event event = new JsonLog.Event("phase_end").text("result", "a\"b\\\n\u2028\ud800x");
    assertTrue(event.toString(), event.toString().endsWith("\"a\\\"b\\\\\\n\\u2028\\ud800x\"}"));
  }

  @Test
  public void numbersAreShort() {
    assertEquals("0", SvgPlot.number(0));
    assertEquals("0.25", SvgPlot.number(0.25));
    assertEquals("950", SvgPlot.number(950));
    assertEquals("1.2k", SvgPlot.number(1200));
    assertEquals("10k", SvgPlot.number(10_000));
    assertEquals("3M", SvgPlot.number(3_000_000));
  }

  @Test(timeout = 100_000)
  public void filesOfOthersAreNotOverwritten() throws Exception {
    Path notes = folder.path("notes.html");
    Files.writeString(notes, "<!doctype html>\n<title>Notes</title>\n");
    for (String option : new String[] {"--dashboard", "--json-log"}) {
      String[] options = {"--proxy", "127.0.0.1:9", option, notes.toString()};
      assertEquals(2, folder.run("http://one.test/\n", options));
      assertTrue(
          folder.output(),
          folder.output().contains(option + ": " + notes + " is not a file of this option"));
      assertEquals("<!doctype html>\n<title>Notes</title>\n", Files.readString(notes));
    }
    String both = folder.path("both").toString();
    String[] options = {"--proxy", "127.0.0.1:9", "--dashboard", both, "--json-log", both};
    assertEquals(2, folder.run("http://one.test/\n", options));
    assertTrue(folder.output(), folder.output().contains("are both " + both));
    assertFalse(Files.exists(folder.path("both")));
    CrawlWatch.View view = new CrawlWatch.View();
    view.options = CrawlFiles.options();
    assertTrue("one that runs", DashboardPage.isOne(new DashboardPage(view).html()));
    view.outcome = "The crawl has ended";
    assertTrue("one at its end", DashboardPage.isOne(new DashboardPage(view).html()));
    assertTrue(JsonLog.isOne(new JsonLog.Event("start").toString()));
  }

  @Test(timeout = 100_000)
  public void aFileThatCannotBeWrittenIsNamedBeforeTheCrawl() throws Exception {
    String missing = folder.path("missing").resolve("watch.html").toString();
    assertEquals(
        2, folder.run("http://one.test/\n", "--proxy", "127.0.0.1:9", "--dashboard", missing));
    assertTrue(folder.output(), folder.output().contains("--dashboard: " + missing));
    assertEquals(
        2, folder.run("http://one.test/\n", "--proxy", "127.0.0.1:9", "--json-log", missing));
    assertTrue(folder.output(), folder.output().contains("--json-log: " + missing));
  }
}
