package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

public class NeedsScriptTest {
  private static final String TEXT =
      "<p>" + "The ferry leaves at noon and comes back before the market closes. ".repeat(12);
  private static final String SCRIPT = "<script src=/main.js></script>";

  @Test
  public void pagesThatOnlyScriptsFillAreRecognised() {
    for (String body :
        new String[] {
          "<div id=root></div>",
          "<div class=x id='app'>Loading</div>",
          "<div id=\"__next\"></div><script id=__NEXT_DATA__>{\"a\":\"" + TEXT + "\"}</script>",
          "<app-root>One moment</app-root>",
          "<news-app></news-app>",
          "<body ng-app=news><div ng-view></div>",
          "<noscript>You need to enable JavaScript to run this app.</noscript><div id=main></div>",
          "<p>This site requires JavaScript. Please switch it on.</p>",
          "<div></div>",
          "<!-- " + TEXT + " --><style>a{}</style><svg><text>x</text></svg>"
        }) {
      assertTrue(body, is("<!doctype html><head><title>News</title></head>" + body + SCRIPT));
      assertFalse("without a script: " + body, is(body.replace("<script", "<p")));
      assertFalse("with a text: " + body, is(body + SCRIPT + TEXT));
    }
  }

  @Test
  public void shortPagesWithTextAreNone() {
    assertFalse(is(SCRIPT + "<p>The office is closed on Friday, and opens again on Monday."));
    assertFalse(is("<p>How to enable JavaScript in a browser.</p>"));
    assertFalse(is(""));
  }

  @Test
  public void bytesOfOneCharacterCountOnce() {
    assertEquals(4, NeedsScript.characters(latin("<b>لاہو</b> \n"), 100));
    assertEquals(2, NeedsScript.characters("a<header>b</header><script>c", 100));
  }

  @Test(timeout = 10_000)
  public void elementsWithoutAnEndTakeLinearTime() {
    assertTrue(is("<script>".repeat(130_000)));
    assertTrue(is("<script><!--".repeat(100_000)));
    assertTrue(is("<script></script>" + "<".repeat(1_000_000)));
    assertTrue(is("<script></script>" + "<div ".repeat(200_000)));
  }

  private static boolean is(String html) {
    return NeedsScript.is(html.getBytes(StandardCharsets.UTF_8));
  }

  private static String latin(String html) {
    return new String(html.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
