package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class ResumingScannerTest {

  private final List<String> starts = new ArrayList<>();

  /** A table whose scanners give these rows, one list a scanner; {@code !} is a failure. */
  private Table table(String... scanners) {
    Iterator<String> scripts = Arrays.asList(scanners).iterator();
    return (Table)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Table.class},
            (proxy, method, args) -> {
              starts.add(Bytes.toStringBinary(((Scan) args[0]).getStartRow()));
              return scanner(scripts.next());
            });
  }

  private ResultScanner scanner(String script) {
    Iterator<Integer> rows = script.chars().iterator();
    return (ResultScanner)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ResultScanner.class},
            (proxy, method, args) -> {
              if (!method.getName().equals("next") || !rows.hasNext()) {
                return null;
              }
              int row = rows.next();
              if (row == '!') {
                throw new IOException("the lease ended");
              }
              return Result.create(
                  new KeyValue[] {
                    new KeyValue(
                        new byte[] {(byte) row}, HBase.utf8("f"), HBase.utf8("q"), new byte[0])
                  });
            });
  }

  private String read(String... scanners) throws IOException {
    StringBuilder rows = new StringBuilder();
    try (ResumingScanner scanner = new ResumingScanner(table(scanners), new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.append(Bytes.toString(row.getRow()));
      }
    }
    return rows.toString();
  }

  @Test
  public void everyRowComesOnceThroughAnyNumberOfFailures() throws Exception {
    assertEquals("abcdef", read("ab!", "c!", "def"));
    assertEquals(Arrays.asList("", "b\\x00", "c\\x00"), starts);
  }

  @Test
  public void failureAfterTheLastRowEndsTheScan() throws Exception {
    assertEquals("ab", read("ab!", ""));
  }

  @Test
  public void scannerThatGivesNothingBeforeItFailsIsAnError() {
    assertThrows(IOException.class, () -> read("!", "a"));
    assertThrows(IOException.class, () -> read("a!", "!", "b"));
  }
}
