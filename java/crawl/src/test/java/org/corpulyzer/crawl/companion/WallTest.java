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
          "<script id='anubis_challenge'>{}</script><p>Making sure",
          "<title>Nur einen Moment</title><script>window._cf_chl_opt={}</script>",
          "<title>Access Denied</title><h1>Access Denied</h1>Reference&#32;&#35;18",
          "<div id=challenge-container></div><script"
              + " src='https://a.token.awswaf.com/challenge.js'>",
          "<script src='/__qrator/qauth.js'></script>",
          "<title>Einen Moment</title><p>Ihr Browser wird überprüft.",
          "<form><div class='frc-captcha'></div></form>",
          "<script>document.cookie='a=1; path=/';location.reload();</script>Please enable cookies",
          "<p>صبر کنید<script>function on(){location.reload()}\n"
              + "document.cookie='a=1';on()</script>"
        }) {
      assertEquals(page, Wall.CHALLENGE, wall("http://a.test/", page));
      assertNull(page, wall("http://a.test/", page + "</script></noscript></head>" + TEXT + TEXT));
    }
  }

  @Test
  public void aWallMayExplainItself() {
    String reasons = "<p>The owner of this site uses this check, because robots ask too much. ";
    String check = "<script id='anubis_challenge'>{}</script>" + reasons.repeat(15);
    assertEquals(Wall.CHALLENGE, wall("http://a.test/", check));
  }

  @Test
  public void shortArticlesBesideScriptsOfProvidersAreNone() {
    String article = "<p>" + "The council met on Monday to speak about the new road. ".repeat(6);
    for (String beside :
        new String[] {
          "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
          "<form><textarea></textarea><div class=g-recaptcha></div></form>",
          "<form><input type=password></form>",
          "<button id=onetrust-accept-btn-handler>OK</button>"
        }) {
      assertNull(beside, wall("http://a.test/", article + beside));
    }
  }

  @Test
  public void anArticleWithTheTitleOfACheckIsNone() {
    String article = "<p>" + "The villagers of the valley went to the river on Monday. ".repeat(6);
    for (String title : new String[] {"Access denied to the river", "Security check at the port"}) {
      assertNull(title, wall("http://a.test/", "<title>" + title + "</title>" + article));
      assertEquals(
          Wall.CHALLENGE, wall("http://a.test/", "<title>" + title + "</title><p>Reference 18"));
    }
  }

  @Test
  public void consentAndLogInPagesAreRecognised() {
    for (String page :
        new String[] {
          "<title>DPG Privacy Gate</title><script src=/consent.js></script>",
          "<p>Ce site utilise des cookies.<form action='/accept-cookies'><button>Accepter</form>",
          "<p>Weiterlesen mit Werbung<button class='sp_choice_type_11'>Zustimmen</button>",
          "<h1>Are you over 18?</h1><form action='/age-gate' method=post><button>Yes</form>"
        }) {
      assertEquals(page, Wall.CONSENT, wall("http://a.test/", page));
      assertNull(page, wall("http://a.test/", page + TEXT + TEXT));
    }
    for (String page :
        new String[] {
          "<title>Log in</title><form action='/login'><input type=email><button>Next</form>",
          "<h1>Sign in to continue</h1><a href=/oauth>Account</a>",
          "<p>You must be logged in to view this page."
        }) {
      assertEquals(page, Wall.LOG_IN, wall("http://a.test/", page));
    }
    assertEquals(
        Wall.CONSENT,
        wall("http://a.test/", "<form action='https://x.test/collectConsent'><p>We use cookies."));
    assertEquals(Wall.CONSENT, wall("http://consent.a.test/", "<p>Before you go on"));
    String partners =
        "<p>We and our partners store data on your device to show you ads. ".repeat(15);
    String save = "<form action='/consent/save'><button>Agree</button></form>";
    assertEquals(Wall.CONSENT, wall("http://a.test/cookie-consent?to=/x", partners + save));
    assertNull("a page about consent", wall("http://a.test/consent?to=/x", partners));
    assertNull(wall("http://a.test/x", partners + save));
    StringBuilder years = new StringBuilder("<h1>Geburtsjahr</h1><form><select name=y>");
    for (int year = 1940; year < 2020; year++) {
      years.append("<option value=").append(year).append(">").append(year).append("</option>\n");
    }
    assertEquals(Wall.CONSENT, wall("http://a.test/", years + "</select>"));
    assertNull("a form in an article", wall("http://a.test/", years + "</select>" + TEXT));
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

  /** Each took 3 to 30 seconds when a mark without an end was looked for again and again. */
  @Test(timeout = 20_000)
  public void whateverIsRepeatedCostsLittleTime() {
    for (String unit :
        new String[] {
          "<", "<!--", "<script ", "<noscript> ", "<svg>", "<title", "<a ", "<a x", "</head", "a<b"
        }) {
      String page = unit.repeat((256 << 10) / unit.length());
      Wall.of(HttpUrl.get("http://a.test/"), page.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
