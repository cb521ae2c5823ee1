package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import okhttp3.HttpUrl;
import org.junit.Test;

public class WallTest {
  private static final String TEXT =
      "<p>" + "The council met on Monday to speak about the new road and its cost. ".repeat(20);

  @Test
  public void checksOfTheBrowserAreRecognised() {
    for (String page :
        new String[] {
          "<title>Just a moment...</title><div id=cf-wrapper>",
          "<title>x</title><h1>Checking your browser before accessing a.test.</h1>",
          "<html><script src='/_Incapsula_Resource?a=1'></script></html>",
          "<script>var c=toNumbers('ab'),d=slowAES.decrypt(c,2)</script><noscript>"
              + TEXT
              + "</noscript>",
          "<title>DDoS-Guard</title>",
          "<form><div class='h-captcha'></div></form>",
          "<script id='anubis_challenge'>{}</script><p>Making sure"
        }) {
      assertEquals(page, Wall.CHALLENGE, wall("http://a.test/", page));
      assertNull(page, wall("http://a.test/", page + "</script></noscript></head>" + TEXT));
    }
  }

  @Test
  public void consentAndLogInPagesAreRecognised() {
    assertEquals(
        Wall.CONSENT,
        wall("http://a.test/", "<form action='https://x.test/collectConsent'><p>We use cookies."));
    assertEquals(Wall.CONSENT, wall("http://consent.a.test/", "<p>Before you go on"));
    String logIn = "<h1>Log in</h1><form><input name=u><input name=p type=\"password\"></form>";
    assertEquals(Wall.LOG_IN, wall("http://a.test/", logIn));
    assertNull("a box beside an article", wall("http://a.test/", logIn + TEXT));
    assertNull(
        "a box beside a menu", wall("http://a.test/", logIn + "<a href=/x>y</a>".repeat(20)));
    assertNull(wall("http://a.test/", "<p>A short page."));
  }

  private static Wall wall(String url, String page) {
    return Wall.of(HttpUrl.get(url), page.getBytes(StandardCharsets.UTF_8));
  }
}
