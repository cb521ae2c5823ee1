package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.RowKeys;
import org.junit.Test;

public class ReversedUrlTest {

  @Test
  public void theUrlOfARowIsThatOfItsPageAlsoAtAnAddress() throws Exception {
    for (String url :
        new String[] {
          "http://example.com/",
          "https://www.example.com:8443/a/b:c?d&e",
          "http://localhost/",
          "http://192.0.2.1:80/",
          "http://[2001:db8::1]/",
          "https://[2001:db8::1]:81/x:y/z",
          "http://مثال.example/کتاب"
        }) {
      assertEquals(url, RowKeys.url(TableUtil.reverseUrl(url)));
    }
    assertEquals("gopher9://example.com/", RowKeys.url("com.example:gopher9/"));
    assertEquals(
        "http://example.com/?q", RowKeys.url(TableUtil.reverseUrl("http://example.com?q")));
    assertEquals("http://example.com", RowKeys.url(TableUtil.reverseUrl("http://example.com")));
  }

  @Test
  public void documentsHaveTheIdsThatNutchGivesRows() throws Exception {
    for (String url :
        new String[] {
          "http://example.com/",
          "https://www.example.com:8443/a/b?c=d&e",
          "http://example.com",
          "http://example.com?q",
          "ftp://a.b.c.example/file",
          "http://localhost/",
          "http://a..b.example./x",
          "http://192.0.2.1:80/",
          "http://[2001:db8::1]:81/x",
          "http://EXAMPLE.com/A",
          "http://user@example.com/#top",
          "http://مثال.example/کتاب"
        }) {
      String key = TableUtil.reverseUrl(url);
      assertEquals(url, key, RowKeys.of(url));
      assertEquals(
          url, TableUtil.unreverseHost(RowKeys.host(key)), RowKeys.reverse(RowKeys.host(key)));
    }
    assertEquals(
        "a scheme that Java does not know",
        "com.example:gopher9/",
        RowKeys.of("gopher9://example.com/"));
    for (String none :
        new String[] {"", "example.com/", "http:///path", "http:path", "http://a b:x/"}) {
      assertNull(none, RowKeys.of(none));
    }
  }
}
