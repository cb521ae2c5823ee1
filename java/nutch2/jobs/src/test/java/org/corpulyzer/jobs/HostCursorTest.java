package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.Test;

public class HostCursorTest {

  private final HostCursor cursor = new HostCursor();

  private static Cell row(String key) {
    return row(HBase.utf8(key));
  }

  private static Cell row(byte[] key) {
    return new KeyValue(key, HBase.utf8("f"), HBase.utf8("st"), HBase.utf8("value"));
  }

  @Test
  public void hostEndsWhereTheNextBegins() {
    assertTrue(cursor.moveTo(row("com.foo:http/")));
    assertEquals("com.foo", cursor.host());
    assertFalse(cursor.moveTo(row("com.foo:http:8080/a")));
    assertFalse(cursor.moveTo(row("com.foo:https/a:b")));
    assertTrue(cursor.moveTo(row("com.foob:http/")));
    assertEquals("com.foob", cursor.host());
  }

  @Test
  public void ipv6HostEndsAfterItsBracket() {
    assertTrue(cursor.moveTo(row("[2001:db8::1]:http/")));
    assertEquals("[2001:db8::1]", cursor.host());
    assertFalse(cursor.moveTo(row("[2001:db8::1]:https/")));
    assertTrue(cursor.moveTo(row("[2001:db8::10]:http/")));
  }

  @Test
  public void malformedKeyBelongsToNoHostAndDoesNotJoinItsNeighbours() {
    byte[] notUtf8 = HBase.utf8("com.?:http/");
    notUtf8[4] = (byte) 0xff;
    for (byte[] key :
        new byte[][] {
          HBase.utf8("com.foo:80/no scheme"), HBase.utf8("nothing"), HBase.utf8(":http/"), notUtf8
        }) {
      cursor.moveTo(row("com.foo:http/"));
      assertTrue(cursor.moveTo(row(key)));
      assertNull(cursor.host());
      assertTrue(cursor.moveTo(row("com.foo:http/")));
      assertEquals("com.foo", cursor.host());
    }
  }

  @Test
  public void normalisedHostIsLowerCaseWithoutDefaultPortOrEmptyLabel() {
    assertTrue(isNormalised("com.foo:http/"));
    assertTrue(isNormalised("com.foo:http:8080/"));
    assertTrue(isNormalised("com.foo:http:800/"));
    assertTrue(isNormalised("com.foo:https:80/"));
    assertFalse(isNormalised("com.foo:http:80/"));
    assertFalse(isNormalised("com.foo:http:80"));
    assertFalse(isNormalised("com.foo:https:443/"));
    assertFalse(isNormalised("com.Foo:http/"));
    assertFalse(isNormalised(".com.foo:http/"));
  }

  private boolean isNormalised(String key) {
    cursor.moveTo(row(key));
    return cursor.isNormalised(row(key));
  }
}
