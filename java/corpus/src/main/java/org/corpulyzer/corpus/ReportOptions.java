package org.corpulyzer.corpus;

import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpusSums;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;

/** How a report is made. It travels to tasks in the job's configuration. */
public final class ReportOptions {

  /** The options in a usage line. */
  public static final String SYNTAX = "[-name <name>] [-noWords] [-memory <MiB>]";

  private static final String LANGUAGE = "crp.report.language";
  private static final String NAME = "crp.report.name";
  private static final String WORDS = "crp.report.words";
  private static final String MEMORY = "crp.report.memory";
  private static final int MEMORY_MIB = 64;

  /** Help of the options, one line each, without {@code -name}, whose default differs. */
  public static final String HELP =
      "    -noWords       - skip word-based figures: vocabulary, Zipf's law, near duplicates\n"
          + "    -memory <MiB>  - memory for counting in each task, in addition to its heap: 16 to"
          + " 65536 (default: "
          + MEMORY_MIB
          + ")";

  private ReportOptions() {}

  /**
   * @return a command line that allows these options
   */
  public static Arguments arguments() {
    return new Arguments()
        .option("-name")
        .flag("-noWords")
        .option("-memory", Arguments.whole(16, 65_536));
  }

  /**
   * Writes options into the job's configuration.
   *
   * @param name name of the corpus in the report
   * @param words whether words are read
   * @param memory MiB for counting, or null for the default
   */
  public static void set(Configuration conf, String name, boolean words, String memory) {
    conf.set(NAME, name);
    conf.setBoolean(WORDS, words);
    if (memory != null) {
      conf.setLong(MEMORY, Long.parseLong(memory));
    }
  }

  /**
   * Chooses the language of the report, and checks all settings.
   *
   * @param language one of the target languages, or null
   * @throws UsageException if there are several and none is named, or another one is named
   * @throws CorpulyzerException if a setting is wrong
   */
  public static void setLanguage(Configuration conf, String language) {
    Settings settings = Settings.from(conf::get);
    Engine.of(settings);
    String code = language == null ? null : ExportOptions.codes(conf, language);
    if (code == null ? settings.targetCodes().size() > 1 : !settings.targetCodes().contains(code)) {
      throw new UsageException(
          (code == null ? "-language is missing" : "-language is " + language)
              + ": name one of the target languages, which are "
              + String.join(", ", settings.targetCodes())
              + ".");
    }
    if (settings.targetCodes().size() > 1) {
      conf.set(LANGUAGE, code);
    }
  }

  /**
   * @return the one of several target languages that the report is on; null if there is one
   */
  static String language(Configuration conf) {
    return conf.get(LANGUAGE);
  }

  /**
   * @return name of the corpus in the report
   */
  public static String name(Configuration conf) {
    return conf.get(NAME);
  }

  static CorpusSums open(Configuration conf, java.nio.file.Path scratch) {
    Engine engine = Engine.of(Settings.from(conf::get));
    return CorpusSums.open(
        engine,
        language(conf),
        scratch,
        conf.getLong(MEMORY, MEMORY_MIB) << 20,
        conf.getBoolean(WORDS, true));
  }
}
