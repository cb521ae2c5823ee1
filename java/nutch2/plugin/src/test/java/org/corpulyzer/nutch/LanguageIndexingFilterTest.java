package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class LanguageIndexingFilterTest {

  private final Configuration conf = Nutch.conf();

  @Test
  public void sharesTargetBytesAndDecisionBecomeFields() throws Exception {
    NutchDocument doc = index(page("keep 750 bytes of urd, 256 wanted", "urd:750,eng:250"));
    assertEquals(Arrays.asList("urd", "eng"), doc.getFieldValues("crp_language"));
    assertEquals(Arrays.asList("urd:0.750", "eng:0.250"), doc.getFieldValues("crp_share"));
    assertEquals("750", doc.getFieldValue("crp_target_bytes"));
    assertEquals("keep 750 bytes of urd, 256 wanted", doc.getFieldValue("crp_decision"));
  }

  @Test
  public void pageWithoutTextHasNoTargetBytes() throws Exception {
    assertEquals("0", index(page("reject no_content", "")).getFieldValue("crp_target_bytes"));
  }

  @Test
  public void rejectedPagesAreDroppedOnlyWhenToldTo() throws Exception {
    WebPage rejected = page("reject noindex", "urd:750");
    WebPage unseen = WebPage.newBuilder().build();
    assertNotNull(index(rejected));
    conf.set(Settings.INDEX_DROP_REJECTED, "true");
    assertNull(
        Nutch.filter(copy(), IndexingFilter.class)
            .filter(new NutchDocument(), "http://a.example/", rejected));
    IndexingFilter filter = Nutch.filter(copy(), IndexingFilter.class);
    assertNotNull(
        filter.filter(new NutchDocument(), "http://a.example/", page("keep 300", "urd:300")));
    assertTrue(
        filter.filter(new NutchDocument(), "http://a.example/", unseen).getFieldNames().isEmpty());
    assertNull(filter.filter(null, "http://a.example/", unseen));
  }

  @Test
  public void malformedFiguresDoNotStopTheIndex() throws Exception {
    NutchDocument doc = index(page("keep 300", "urd=300"));
    assertEquals("keep 300", doc.getFieldValue("crp_decision"));
    assertNull(doc.getFieldValues("crp_language"));
  }

  private NutchDocument index(WebPage page) throws Exception {
    return Nutch.filter(conf, IndexingFilter.class)
        .filter(new NutchDocument(), "http://a.example/", page);
  }

  /**
   * A plugin repository keeps the configuration that it was made with, so a change needs another.
   */
  private Configuration copy() {
    Configuration copy = Nutch.conf();
    copy.set(Settings.INDEX_DROP_REJECTED, conf.get(Settings.INDEX_DROP_REJECTED));
    return copy;
  }

  private static WebPage page(String decision, String languages) {
    WebPage page = WebPage.newBuilder().build();
    Nutch.setFigure(page, PageKeys.DECISION, decision);
    Nutch.setFigure(page, PageKeys.LANGUAGES, languages);
    return page;
  }
}
