package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.nutch.parse.ParseData;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;

/** Pages whose text only scripts show, and the command of {@code --render}. */
public class ScriptPagesTest {
  private static final String APP =
      "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";

  /** Those of docs/crawler.md. As root Chromium runs without its sandbox alone. */
  private static final String OPTIONS =
      " --headless --disable-gpu --virtual-time-budget=10000 --dump-dom"
          + ("root".equals(System.getProperty("user.name")) ? " --no-sandbox" : "");

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 300_000)
  public void theyAreCountedAndRenderedOnRequest() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.html(
          "http://app.test/", APP.replace("src=", ">location.href='/ur/';</script><script src="));
      web.urdu("http://text.test/");
      String seeds = "http://app.test/\nhttp://text.test/\n";
      assertEquals(0, crawl(seeds, web));
      assertTrue(CrawlFiles.rows(folder.data()).containsKey("http://app.test/ur/"));
      assertTrue(folder.output(), folder.output().contains(", 1 need scripts"));
      ParseData app =
          CrawlFiles.newest(folder.data(), ParseData.DIR_NAME, ParseData::new)
              .get("http://app.test/");
      assertEquals("reject needs_script", app.getParseMeta().get(PageKeys.DECISION));
      assertEquals(1, Corpus.lines(folder.corpus()).size());
    }
    LocalFiles.deleteTree(folder.data());
    LocalFiles.deleteTree(folder.out());
    Path command = folder.path("render");
    Files.write(
        command,
        ("#!/bin/sh\necho \"<html lang=ur><body><p>$1</p><p>"
                + TinyWeb.URDU.repeat(6)
                + "</p></body></html>\"\n")
            .getBytes(StandardCharsets.UTF_8));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    try (TinyWeb web = new TinyWeb()) {
      web.html("http://app.test/", APP);
      web.urdu("http://text.test/");
      String seeds = "http://app.test/\nhttp://text.test/\n";
      assertEquals(0, crawl(seeds, web, "--render", command.toString()));
      assertFalse(folder.output(), folder.output().contains("need scripts"));
      List<String> documents = Corpus.lines(folder.corpus());
      assertEquals(documents.toString(), 2, documents.size());
      assertTrue(documents.toString(), documents.get(0).contains("http://app.test/"));
      // The stored page is the rendered one, so it needs no second run of the command.
      Files.delete(command);
      assertEquals(0, crawl(seeds, web, "--reparse"));
      assertEquals(2, Corpus.lines(folder.corpus()).size());
    }
  }

  /** The script fetches the text after the page has loaded, as such sites do. */
  @Test(timeout = 300_000)
  public void headlessChromiumGivesPagesTheirText() throws Exception {
    String browser = chromium();
    assumeTrue("skipped: no Chromium, which would render the pages", browser != null);
    try (TinyWeb web = new TinyWeb()) {
      web.html("http://app.test/", APP);
      web.html(
          "http://app.test/app.js",
          "fetch('/text').then(answer => answer.text()).then(text => {"
              + "for (const line of text.split('\\n')) {"
              + "const p = document.createElement('p'); p.textContent = line;"
              + "document.getElementById('root').append(p); }"
              + "const a = document.createElement('a'); a.href = '/next'; a.textContent = 'next';"
              + "document.getElementById('root').append(a); });");
      web.html("http://app.test/text", (TinyWeb.URDU + "\n").repeat(6));
      crawl("http://app.test/\n", web, "--render", browser + OPTIONS);
      assertFalse(folder.output(), folder.output().contains("need scripts"));
      List<String> documents = Corpus.lines(folder.corpus());
      assertEquals(folder.output(), 1, documents.size());
      assertTrue(documents.get(0), documents.get(0).contains(TinyWeb.URDU.trim()));
      assertTrue(
          "links of the rendered page are known",
          CrawlFiles.rows(folder.data()).containsKey("http://app.test/next"));
    }
  }

  /** The name of Chromium; null if it is not installed. */
  private static String chromium() throws Exception {
    for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
      try {
        Process version =
            new ProcessBuilder(name, "--version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (version.waitFor() == 0) {
          return name;
        }
      } catch (IOException e) {
        continue; // It has another name, or is not installed.
      }
    }
    return null;
  }

  private int crawl(String seeds, TinyWeb web, String... more) throws Exception {
    String[] all = new String[more.length + 5];
    String[] first = {"--proxy", web.proxy(), "--rounds", "1", "--no-report"};
    System.arraycopy(first, 0, all, 0, 5);
    System.arraycopy(more, 0, all, 5, more.length);
    int code = folder.run(seeds, all);
    assertEquals(folder.output(), 0, code);
    return code;
  }
}
