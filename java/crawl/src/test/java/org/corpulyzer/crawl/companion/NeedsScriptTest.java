package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
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
          "<p>\u0416\u0430\u04a3\u044b\u043b\u044b\u043a\u0442\u0430\u0440 \u04af\u0447\u04af\u043d"
              + " JavaScript \u043a\u0435\u0440\u0435\u043a.</p><div></div>",
          "<noscript>JavaScript &#2309;&#2357;&#2358;&#2381;&#2351;&#2325;</noscript><p>The news of"
              + " the valley</p>",
          "<noscript><b>برای دیدن این سایت جاوا اسکریپت را فعال کنید.</b></noscript>"
              + "<nav>خانه"
              + " اخبار</nav><main class=c></main><p>News of the whole valley</p>",
          "<div class=page><main id='mainPart'> </main><p>All rights are reserved by the"
              + " publisher.</div>",
          "<flt-glass-pane></flt-glass-pane><p>News of the valley</p>",
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
    String counter = "<noscript><img src=/count.gif?page=the-office-is-closed></noscript>";
    assertFalse(is(SCRIPT + counter + "<p>The office is closed on Friday."));
    assertFalse(is("<p>How to enable JavaScript in a browser.</p>"));
    assertFalse(is(""));
    assertFalse(is("<script></script><frameset><frame src=/main></frameset>"));
    assertFalse(is(SCRIPT + "<div id=ad></div><p>" + "The office is closed on Friday. ".repeat(6)));
  }

  @Test
  public void thePageToWhichAScriptGoesIsKnown() {
    for (String script :
        new String[] {
          "window.location.href = '/ur/';",
          "location=\"http:\\/\\/a.test\\/ur\\/\"\n",
          "if (x) { top.location.replace( 'ur/' ) }",
          "document.location.assign('//a.test/ur/')</script>"
        }) {
      assertEquals(script, "http://a.test/ur/", next("<script>" + script));
    }
    for (String none :
        new String[] {
          "if (location.href == '/x') {}",
          "location.href = base + '/x';",
          "location.href = '/x' + id;",
          "var allocation = '/x';",
          "location = 'javascript:go()';",
          "<a data-location='/x'>"
        }) {
      assertNull(none, next("<script>" + none));
    }
  }

  private static String next(String html) {
    return NeedsScript.next(html.getBytes(StandardCharsets.UTF_8), "http://a.test/");
  }

  @Test
  public void bytesOfOneCharacterCountOnce() {
    assertEquals(4, NeedsScript.characters(latin("<b>لاہو</b> \n"), 100, new StringBuilder()));
    assertEquals(
        2, NeedsScript.characters("a<header>b</header><script>c", 100, new StringBuilder()));
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
