package org.corpulyzer.nutch;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A filter's settings, and the engine behind them from its first use on. */
final class EngineSource {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSource.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final Settings settings;
  private volatile Engine engine;

  /** @throws org.corpulyzer.engine.CorpulyzerException when a property is wrong */
  EngineSource(Configuration conf) {
    settings = Settings.from(conf::get);
  }

  Settings settings() {
    return settings;
  }

  /**
   * @return the engine, or null when the library does not load and {@code corpulyzer.native.required} is false
   * @throws org.corpulyzer.engine.CorpulyzerException when it does not load and is required, or refuses the settings
   */
  Engine get() {
    if (engine == null) {
      try {
        engine = Engine.of(settings);
      } catch (NativeLibrary.Unavailable e) {
        if (settings.isNativeRequired()) {
          throw e;
        }
        if (WARNED.compareAndSet(false, true)) {
          LOG.warn("{} Corpulyzer's filters do nothing, because {} is false.", e.getMessage(), Settings.NATIVE_REQUIRED);
        }
      }
    }
    return engine;
  }
}
