package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.apache.hadoop.fs.Path;
import org.corpulyzer.engine.CorpulyzerException;
import org.junit.Test;

public class PlainPathTest {

  @Test
  public void pathsThatHadoopWouldReadAsPatternsAreRefused() {
    for (String name : new String[] {"a*", "a?", "crawl[1]", "b/{x,y}/c", "file:/tmp/x]"}) {
      String message =
          assertThrows(CorpulyzerException.class, () -> PlainPath.require(new Path(name)))
              .getMessage();
      assertEquals(
          "The path " + name + " has '" + name.replaceAll("[^*?\\[\\]{}]", "").charAt(0) + "'",
          message.substring(0, message.indexOf(',', message.indexOf(" has '"))));
    }
  }

  @Test
  public void otherPathsStayAsTheyAre() {
    for (String name : new String[] {"crawl", "hdfs://host:8020/a b,c", "گرال/2024"}) {
      assertEquals(new Path(name), PlainPath.require(new Path(name)));
    }
  }
}
