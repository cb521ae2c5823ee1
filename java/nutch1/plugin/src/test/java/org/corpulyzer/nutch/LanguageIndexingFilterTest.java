package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.IndexingFilters;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseStatus;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class LanguageIndexingFilterTest {

  @Test
  public void sharesTargetBytesAndDecisionBecomeFields() throws Exception {
    NutchDocument doc =
        index(Nutch.conf(), page("keep 750 bytes of urd, 256 wanted", "urd:750,eng:250"));
    assertEquals(Arrays.asList("urd", "eng"), doc.getField("crp_language").getValues());
    assertEquals(Arrays.asList("urd:0.750", "eng:0.250"), doc.getField("crp_share").getValues());
    assertEquals("750", doc.getFieldValue("crp_target_bytes"));
    assertEquals("keep 750 bytes of urd, 256 wanted", doc.getFieldValue("crp_decision"));
  }

  @Test
  public void pageWithoutTextHasNoTargetBytes() throws Exception {
    assertEquals(
        "0",
        index(Nutch.conf(), page("reject no_content", null)).getFieldValue("crp_target_bytes"));
  }

  @Test
  public void rejectedPagesAreDroppedOnlyWhenToldTo() throws Exception {
    Configuration dropping = Nutch.conf();
    dropping.set(Settings.INDEX_DROP_REJECTED, "true");
    assertNotNull(index(Nutch.conf(), page("reject noindex", "urd:750")));
    assertNull(index(dropping, page("reject noindex", "urd:750")));
    assertNotNull(index(dropping, page("keep 300", "urd:300")));
    assertTrue(
        "a page without figures", index(dropping, page(null, null)).getFieldNames().isEmpty());
    IndexingFilter filter = Nutch.filter(dropping, IndexingFilter.class);
    assertNull(
        "dropped by another filter",
        filter.filter(
            null, page("keep 300", "urd:300"), new Text("http://a.example/"), null, null));
  }

  @Test
  public void malformedFiguresDoNotStopTheIndex() throws Exception {
    NutchDocument doc = index(Nutch.conf(), page("keep 300", "urd=300"));
    assertEquals("keep 300", doc.getFieldValue("crp_decision"));
    assertNull(doc.getField("crp_language"));
  }

  @Test
  public void wrongSettingStopsTheStartWithItsName() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.INDEX_DROP_REJECTED, "perhaps");
    Error failure = assertThrows(Error.class, () -> index(conf, page("keep 300", "urd:300")));
    assertEquals(
        "Property corpulyzer.index.dropRejected is 'perhaps'; allowed is one of true, false.",
        failure.getMessage());
  }

  /** As Nutch's indexer does. */
  private static NutchDocument index(Configuration conf, Parse parse) throws Exception {
    return new IndexingFilters(conf)
        .filter(new NutchDocument(), parse, new Text("http://a.example/"), new CrawlDatum(), null);
  }

  private static Parse page(String decision, String languages) {
    Metadata figures = new Metadata();
    if (decision != null) {
      figures.set(PageKeys.DECISION, decision);
    }
    if (languages != null) {
      figures.set(PageKeys.LANGUAGES, languages);
    }
    return new ParseImpl(
        "text",
        new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], new Metadata(), figures));
  }
}
