package org.corpulyzer.engine;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A filter's settings, and the engine behind them from its first use on. */
public final class EngineSource {

  private static final Logger LOG = LoggerFactory.getLogger(EngineSource.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final Settings settings;
  private volatile Engine engine;

  /**
   * A filter that cannot start. It is an Error because Nutch swallows every Exception that a parse
   * filter throws in {@code setConf}. It has no stack trace, so that a command of Nutch ends with
   * one sentence: a setting is wrong, not the program.
   */
  public static final class StartFailure extends Error {
    /**
     * @param cause what is wrong, in one sentence
     */
    public StartFailure(CorpulyzerException cause) {
      super(cause.getMessage(), null, false, false);
    }

    @Override
    public String toString() {
      return getMessage();
    }
  }

  /**
   * @throws CorpulyzerException if a property is wrong
   */
  public EngineSource(Settings.PropertySource properties) {
    settings = Settings.from(properties);
  }

  /**
   * The source of a filter that must not run with wrong settings. The engine is not started.
   *
   * @throws StartFailure if a property is wrong
   */
  public static EngineSource checked(Settings.PropertySource properties) {
    return orFail(properties, false);
  }

  /**
   * The source of a parse filter. Starts the engine if pages are parsed in this JVM: in a task, or
   * when jobs run locally. A driver that only submits a job needs no library for its own platform.
   *
   * @throws StartFailure if a property is wrong or the engine does not start
   */
  public static EngineSource started(Settings.PropertySource properties) {
    String framework = properties.get("mapreduce.framework.name");
    return orFail(
        properties,
        properties.get("mapreduce.task.attempt.id") != null
            || framework == null
            || framework.equals("local"));
  }

  private static EngineSource orFail(Settings.PropertySource properties, boolean start) {
    try {
      EngineSource source = new EngineSource(properties);
      if (start) {
        source.get();
      }
      return source;
    } catch (CorpulyzerException e) {
      LOG.error(e.getMessage());
      throw new StartFailure(e);
    }
  }

  /**
   * Refuses several target languages.
   *
   * @param nutch name of the line of Nutch
   * @return this source
   * @throws StartFailure if there are several
   */
  public EngineSource requireOneTarget(String nutch) {
    try {
      settings.requireOneTarget(nutch);
      return this;
    } catch (CorpulyzerException e) {
      LOG.error(e.getMessage());
      throw new StartFailure(e);
    }
  }

  /**
   * @return the settings
   */
  public Settings settings() {
    return settings;
  }

  /**
   * @return the engine, or null when the library does not load and {@code
   *     corpulyzer.native.required} is false
   * @throws CorpulyzerException when it does not load and is required, or refuses the settings
   */
  public Engine get() {
    if (engine == null) {
      try {
        engine = Engine.of(settings);
      } catch (NativeLibrary.Unavailable e) {
        if (settings.isNativeRequired()) {
          throw e;
        }
        if (WARNED.compareAndSet(false, true)) {
          LOG.warn(
              "{} Corpulyzer's filters do nothing, because {} is false.",
              e.getMessage(),
              Settings.NATIVE_REQUIRED);
        }
      }
    }
    return engine;
  }

  /**
   * @param languages a {@code crp.l} value; null if the page has no figures
   * @return bytes in the language of the crawl; those of several are summed up; -1 if the value is
   *     malformed or the engine is missing
   */
  public long targetBytes(String languages) {
    Engine found = get();
    try {
      return found == null ? -1 : LanguageBytes.targetBytes(languages, found.target());
    } catch (CorpulyzerException e) {
      // Malformed figures count as no language. The sums of a host count them for a warning.
      return -1;
    }
  }

  /**
   * @param languages a {@code crp.l} value; null if the page has no figures
   * @return bytes in the language of the crawl of which the page has most; -1 if the value is
   *     malformed or the engine is missing
   */
  public long mostTargetBytes(String languages) {
    Engine found = get();
    if (found == null || !found.targets().areSeveral()) {
      return targetBytes(languages);
    }
    try {
      Map<String, Long> bytes = LanguageBytes.parse(languages);
      return found.targets().codes().stream()
          .mapToLong(code -> bytes.getOrDefault(code, 0L))
          .max()
          .orElse(0);
    } catch (CorpulyzerException e) {
      return -1;
    }
  }

  /**
   * The mark for the links of a page under policy explore. A page with a few words of the language
   * gives no mark: it is as often an index or a gallery of a good site as not.
   *
   * @param targetBytes bytes of the page in the language of the crawl, {@link #mostTargetBytes};
   *     negative if unknown
   * @return {@link PageKeys#FOUND_MARK}, {@link PageKeys#ELSEWHERE_MARK}, or null for no mark
   */
  public String linkMark(long targetBytes) {
    if (targetBytes >= Math.max(1, settings.minBytes())) {
      return PageKeys.FOUND_MARK;
    }
    return targetBytes == 0 ? PageKeys.ELSEWHERE_MARK : null;
  }
}
