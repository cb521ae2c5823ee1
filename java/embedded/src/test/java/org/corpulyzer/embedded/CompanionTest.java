package org.corpulyzer.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.embedded.companion.UrlFilter;
import org.corpulyzer.embedded.companion.UrlNormalizer;
import org.junit.Test;

public class CompanionTest {
  private final UrlNormalizer normalizer = new UrlNormalizer();

  @Test
  public void oneAddressHasOneSpellingAndNormalisingTwiceChangesNothing() throws Exception {
    assertNormal("http://www.example.org/a?b=1&a=2", "HTTP://WWW.Example.ORG.:80/x/../a?b=1&a=2#part");
    assertNormal("https://example.org/", "https://user:secret@example.org:443");
    assertNormal("http://example.org:8080/", "http://example.org:8080");
    assertNormal("http://xn--mgba3gch31f.example/%D8%AE%D8%A8%D8%B1", "http://\u0646\u0627\u0645\u0647\u0627\u06cc.example/\u062e\u0628\u0631");
  }

  @Test
  public void onlyWhatCanBeAPageIsKept() {
    UrlFilter filter = filter("", "");
    assertNotNull(filter.filter("http://example.org/story/17.html"));
    for (String url : new String[] {"ftp://example.org/", "http://example.org/a.JPG", "http://example.org/a/b/a/b/a/b/", "http://[::1]/",
        "http://example.org/" + new String(new char[2000]).replace('\0', 'x')}) {
      assertNull(url, filter.filter(url));
    }
  }

  @Test
  public void theListsSpeakForAHostAndAllBelowIt() {
    UrlFilter filter = filter("example.org, other.test", "bad.example.org");
    assertNotNull(filter.filter("http://example.org/"));
    assertNotNull(filter.filter("http://www.example.org/"));
    assertNull(filter.filter("http://notexample.org/"));
    assertNull(filter.filter("http://www.bad.example.org/"));
    assertNull(filter.filter("http://elsewhere.test/"));
  }

  private void assertNormal(String expected, String url) throws Exception {
    assertEquals(expected, normalizer.normalize(url, null));
    assertEquals(expected, normalizer.normalize(expected, null));
  }

  private static UrlFilter filter(String allow, String deny) {
    Configuration conf = new Configuration(false);
    conf.set(UrlFilter.ALLOW, allow);
    conf.set(UrlFilter.DENY, deny);
    UrlFilter filter = new UrlFilter();
    filter.setConf(conf);
    return filter;
  }
}
