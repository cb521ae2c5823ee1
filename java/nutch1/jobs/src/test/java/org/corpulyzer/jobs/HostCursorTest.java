package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.io.Text;
import org.apache.nutch.util.URLUtil;
import org.junit.Test;

public class HostCursorTest {

  private static String nutchsHost(String url) {
    String host = URLUtil.getHost(url);
    return host == null || host.isEmpty() ? null : host;
  }

  @Test
  public void theHostIsNutchsInAnyOrderOfRows() {
    Random random = new Random(1);
    String alphabet = "aB./:?#@[]1\\ é";
    String[] starts = {
      "http://",
      "https://",
      "http:/",
      "HTTP://",
      "url:http://",
      "ftp://",
      "http://a.example",
      "http://a.example/",
      "https://a.example:80/",
      "x://"
    };
    HostCursor cursor = new HostCursor();
    String last = null;
    int moves = 0;
    for (int i = 0; i < 100_000; i++) {
      StringBuilder url = new StringBuilder(starts[random.nextInt(starts.length)]);
      for (int j = random.nextInt(6); j > 0; j--) {
        url.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      boolean moved = cursor.moveTo(new Text(url.toString()));
      String host = nutchsHost(url.toString());
      assertEquals(url.toString(), host, cursor.host());
      assertEquals(url.toString(), !Objects.equals(host, last), moved);
      moves += moved ? 1 : 0;
      last = host;
    }
    assertTrue("hosts changed and stayed", moves > 10_000 && moves < 90_000);
  }

  @Test
  public void hostsAreInLowerCaseWithoutPort() {
    HostCursor cursor = new HostCursor();
    assertTrue(cursor.moveTo(new Text("http://A.Example:8080/")));
    assertEquals("a.example", cursor.host());
    assertFalse(cursor.moveTo(new Text("https://u@a.example/x")));
    assertTrue(cursor.moveTo(new Text("http://[2001:DB8::1]:81/")));
    assertEquals("[2001:db8::1]", cursor.host());
  }
}
