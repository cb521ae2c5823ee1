package org.corpulyzer.embedded;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Hears what Gora's HBase store only logs: it catches the exceptions of its writes, so that a job whose rows were lost ends well.
 */
final class StoreErrors extends AppenderSkeleton implements AutoCloseable {
  private static final String STORE = "org.apache.gora.hbase.store.HBaseStore";

  private final AtomicReference<String> first = new AtomicReference<>();

  private StoreErrors() {}

  static StoreErrors listen() {
    StoreErrors errors = new StoreErrors();
    Logger.getLogger(STORE).addAppender(errors);
    return errors;
  }

  /** The first error since the last call; null when there was none. */
  String take() {
    return first.getAndSet(null);
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      first.compareAndSet(null, String.valueOf(event.getRenderedMessage()));
    }
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    Logger.getLogger(STORE).removeAppender(this);
  }
}
