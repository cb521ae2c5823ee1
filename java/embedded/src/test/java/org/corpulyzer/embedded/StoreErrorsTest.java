package org.corpulyzer.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.apache.gora.hbase.store.HBaseStore;
import org.junit.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class StoreErrorsTest {
  private static final Logger STORE = LoggerFactory.getLogger(HBaseStore.class);

  @Test
  public void theFirstErrorThatTheStoreLogsIsHeardOnceAndWarningsAreNot() {
    try (StoreErrors errors = StoreErrors.listen()) {
      STORE.warn("slow");
      assertNull(errors.take());
      STORE.error("a row was lost");
      STORE.error("another row was lost");
      assertEquals("a row was lost", errors.take());
      assertNull(errors.take());
    }
  }
}
