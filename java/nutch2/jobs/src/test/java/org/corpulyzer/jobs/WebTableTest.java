package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.junit.Test;

public class WebTableTest {

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    return conf;
  }

  @Test
  public void crawlIdPrefixesTheTable() throws Exception {
    Configuration conf = conf();
    assertEquals("webpage", WebTable.of(conf).name().getNameAsString());
    conf.set(Nutch.CRAWL_ID_KEY, "urdu");
    assertEquals("urdu_webpage", WebTable.of(conf).name().getNameAsString());
  }

  @Test
  public void columnsAreThoseOfTheOperatorsMapping() throws Exception {
    Configuration conf = conf();
    conf.set("gora.hbase.mapping.file", "other-mapping.xml");
    WebTable table = WebTable.of(conf);
    assertArrayEquals(HBase.utf8("big"), table.column(WebPage.Field.SCORE).getFamily());
    assertArrayEquals(HBase.utf8("rank"), table.column(WebPage.Field.SCORE).getQualifier());
    assertArrayEquals(HBase.utf8("marks"), PageRow.Column.INJECTED.in(table).getFamily());
    assertArrayEquals(HBase.utf8("_injmrk_"), PageRow.Column.INJECTED.in(table).getQualifier());
  }

  @Test
  public void otherStoreIsRefusedByItsProperty() {
    Configuration conf = conf();
    for (String store : new String[] {"org.apache.gora.memory.store.MemStore", "no.such.Store"}) {
      conf.set("storage.data.store.class", store);
      String message =
          assertThrows(CorpulyzerException.class, () -> WebTable.of(conf)).getMessage();
      assertTrue(message, message.startsWith("storage.data.store.class is " + store));
    }
  }

  @Test
  public void mappingThatIsMissingOrLacksAFieldIsNamed() throws Exception {
    Configuration conf = conf();
    conf.set("gora.hbase.mapping.file", "no-mapping.xml");
    String missing = assertThrows(CorpulyzerException.class, () -> WebTable.of(conf)).getMessage();
    assertTrue(missing, missing.contains("no-mapping.xml"));
    conf.set("gora.hbase.mapping.file", "other-mapping.xml");
    WebTable table = WebTable.of(conf);
    String lacking =
        assertThrows(CorpulyzerException.class, () -> table.column(WebPage.Field.TITLE))
            .getMessage();
    assertTrue(lacking, lacking.contains("'title'"));
  }
}
