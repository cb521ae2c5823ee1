package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

public class RowKeysTest {

  @Test
  public void hostEndsAtTheFirstColonWhateverTheSchemeOrPort() {
    assertEquals("com.foo.bar", RowKeys.host("com.foo.bar:http/"));
    assertEquals("com.foo.bar", RowKeys.host("com.foo.bar:https:8443/a:b?c=[d]"));
    assertEquals("com.Foo", RowKeys.host("com.Foo:http/"));
    assertEquals("localhost", RowKeys.host("localhost:http:80/"));
  }

  @Test
  public void ipv6HostKeepsItsColons() {
    assertEquals("[2001:db8::1]", RowKeys.host("[2001:db8::1]:http/"));
    assertEquals("[::1]", RowKeys.host("[::1]:https:8443/a:b]c"));
  }

  @Test
  public void malformedKeysAreRefused() {
    for (String key :
        new String[] {
          null,
          "",
          ":",
          "com.foo",
          "com.foo:",
          ":http/",
          "com.foo:/x",
          "com.foo:80/",
          "[::1",
          "[::1]",
          "[::1]x"
        }) {
      assertFalse(String.valueOf(key), RowKeys.isValid(key));
      assertThrows(IllegalArgumentException.class, () -> RowKeys.host(key));
    }
  }

  @Test
  public void everyValidKeyLiesInTheRangeOfItsHostAndInNoOther() {
    Random random = new Random(3);
    String letters = "ab.-:;/[]1";
    int valid = 0;
    for (int round = 0; round < 200000; round++) {
      String key = word(random, letters) + ":http" + word(random, letters);
      if (!RowKeys.isValid(key)) {
        continue;
      }
      valid++;
      String host = RowKeys.host(key);
      assertTrue(
          key,
          key.compareTo(RowKeys.startKey(host)) >= 0 && key.compareTo(RowKeys.endKey(host)) < 0);
      String other = RowKeys.host(word(random, "ab.-") + "x:http/");
      assertEquals(
          key + " in " + other,
          host.equals(other),
          key.compareTo(RowKeys.startKey(other)) >= 0 && key.compareTo(RowKeys.endKey(other)) < 0);
    }
    assertTrue("only " + valid + " valid keys tried", valid > 1000);
  }

  private static String word(Random random, String letters) {
    StringBuilder word = new StringBuilder();
    for (int n = random.nextInt(6); n >= 0; n--) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }
}
