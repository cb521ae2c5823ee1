package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;

import org.apache.nutch.crawl.CrawlStatus;
import org.corpulyzer.engine.WebTableStatus;
import org.junit.Test;

public class WebTableStatusTest {

  @Test
  public void statusesOfRowsAreThoseOfNutch() {
    for (int status = 0; status < 256; status++) {
      assertEquals(
          status == CrawlStatus.STATUS_FETCHED || status == CrawlStatus.STATUS_NOTMODIFIED,
          WebTableStatus.isFetched(status));
      assertEquals(status == CrawlStatus.STATUS_UNFETCHED, WebTableStatus.isUntried(status));
    }
  }
}
