package org.corpulyzer.corpus;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.LanguageNames;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/** Which pages an export writes, and how. It travels to tasks in the job's configuration. */
public final class ExportOptions {

  /** The options in a usage line. */
  public static final String SYNTAX =
      "[-format jsonl|text|wet|warc] [-all | [-language <code>] [-minBytes <n>]] [-fileSize <MiB>]";

  private static final String FORMAT = "crp.export.format";
  private static final String PAGES = "crp.export.pages";
  private static final String LANGUAGE = "crp.export.language";
  private static final String MIN_BYTES = "crp.export.minBytes";
  private static final String LANGUAGES = "crp.export.languages";
  private static final String FILE_MIB = "crp.export.fileMiB";
  private static final int DEFAULT_MIB = 1024;

  /** Help of the options, one line each. */
  public static final String HELP =
      "    -format <format> - jsonl: a JSON object per line with main content and figures"
          + " (default); text: main content;\n"
          + "                       wet: main content as WARC conversion records; warc: pages as"
          + " fetched, with their figures\n"
          + "    -all             - write rejected pages too; their decision is among their"
          + " figures\n"
          + "    -language <code> - write pages with at least -minBytes in this language, ISO 639-1"
          + " or 639-3, whatever their decision, except junk\n"
          + "    -minBytes <n>    - smallest size of a page in the language, in bytes (default: "
          + Settings.PAGE_MIN_BYTES
          + "); without -language, in the language of the crawl\n"
          + "    -fileSize <MiB>  - largest size of a file after compression: 1 to 65536"
          + " (default: "
          + DEFAULT_MIB
          + ")";

  /** Which pages are written. */
  public enum Pages {
    /** Those that the parser kept. */
    KEPT,
    /** Those with a decision. */
    ALL,
    /** Those with enough bytes in a language, except junk. */
    IN_LANGUAGE
  }

  private final DocumentFormat format;
  private final Pages pages;
  private final String language;
  private final long minBytes;
  private final List<String> languages;
  private final Configuration conf;

  /** Reads what {@link #set} wrote. */
  public ExportOptions(Configuration conf) {
    format = conf.getEnum(FORMAT, DocumentFormat.jsonl);
    pages = conf.getEnum(PAGES, Pages.KEPT);
    language = conf.get(LANGUAGE);
    minBytes = conf.getLong(MIN_BYTES, 0);
    languages =
        Collections.unmodifiableList(Arrays.asList(conf.getStrings(LANGUAGES, new String[0])));
    this.conf = conf;
  }

  /**
   * @return a command line that allows these options
   */
  public static Arguments arguments() {
    return new Arguments()
        .option("-format", Arguments.words("jsonl", "text", "wet", "warc"))
        .flag("-all")
        .option("-language")
        .option("-minBytes", Arguments.whole(0, 999_999_999))
        .option("-fileSize", Arguments.whole(1, 65_536));
  }

  /**
   * Writes the options of a command line into the job's configuration.
   *
   * @throws UsageException when options contradict each other
   * @throws CorpulyzerException when there is no such language, or another property does not read
   */
  public static void set(Configuration conf, Arguments args) {
    String language = args.get("-language");
    String least = args.get("-minBytes");
    boolean chosen = language != null || least != null;
    if (args.has("-all") && chosen) {
      throw new UsageException(
          "-all exports all pages, -language and -minBytes select some: use one or the other.");
    }
    conf.setEnum(
        FORMAT,
        args.has("-format") ? DocumentFormat.valueOf(args.get("-format")) : DocumentFormat.jsonl);
    conf.setEnum(PAGES, args.has("-all") ? Pages.ALL : chosen ? Pages.IN_LANGUAGE : Pages.KEPT);
    if (args.has("-fileSize")) {
      conf.set(FILE_MIB, args.get("-fileSize"));
    }
    if (chosen) {
      if (language != null && language.indexOf(',') >= 0) {
        throw new UsageException("-language is " + language + "; allowed is one code.");
      }
      // The engine checks the code of the language. The crawl's own language stays as it is.
      Configuration asked = new Configuration(conf);
      if (language != null) {
        asked.set(Settings.LANGUAGE_TARGET, codes(conf, language));
      }
      if (least != null) {
        asked.set(Settings.PAGE_MIN_BYTES, least);
      }
      Settings settings = Settings.from(asked::get);
      conf.set(LANGUAGE, Engine.of(settings).target());
      conf.setLong(MIN_BYTES, settings.minBytes());
    } else if (!args.has("-all")) {
      Settings settings = Settings.from(conf::get);
      if (settings.targetCodes().size() > 1) {
        conf.setStrings(LANGUAGES, settings.targetCodes().toArray(new String[0]));
        conf.setLong(MIN_BYTES, settings.minBytes());
      }
    }
  }

  /** The ISO 639-3 codes of the value of {@code -language}, which may have names. */
  static String codes(Configuration conf, String names) {
    NativeLibrary.load(conf.get(Settings.NATIVE_PATH, ""));
    try {
      return LanguageNames.codes(names, true);
    } catch (NativeLibrary.Unavailable e) {
      throw e;
    } catch (CorpulyzerException e) {
      throw new CorpulyzerException("-language: " + e.getMessage() + ".");
    }
  }

  /**
   * As {@link #set} for a job that decides on pages itself: {@code -language} and {@code -minBytes}
   * are the settings of its decisions, so they may stand beside {@code -all}.
   *
   * @throws UsageException when the format has no text
   * @throws CorpulyzerException when there is no such language, or another property does not read
   */
  static void setDecided(Configuration conf, Arguments args) {
    DocumentFormat format =
        args.has("-format") ? DocumentFormat.valueOf(args.get("-format")) : DocumentFormat.jsonl;
    if (format == DocumentFormat.warc) {
      throw new UsageException("-format warc is not possible: the inputs are WARC files already.");
    }
    conf.setEnum(FORMAT, format);
    conf.setEnum(PAGES, args.has("-all") ? Pages.ALL : Pages.KEPT);
    if (args.has("-fileSize")) {
      conf.set(FILE_MIB, args.get("-fileSize"));
    }
    if (args.has("-language")) {
      conf.set(Settings.LANGUAGE_TARGET, codes(conf, args.get("-language")));
    }
    if (args.has("-minBytes")) {
      conf.set(Settings.PAGE_MIN_BYTES, args.get("-minBytes"));
    }
    Settings settings = Settings.from(conf::get);
    if (settings.targetCodes().size() > 1) {
      conf.setStrings(LANGUAGES, settings.targetCodes().toArray(new String[0]));
    }
    // The engine checks the codes of the languages.
    Engine.of(settings);
  }

  /**
   * @return ISO 639-3 codes of the target languages that have a corpus each, in a folder of that
   *     name; empty if there is one corpus
   */
  List<String> languages() {
    return languages;
  }

  /**
   * @return whether a page is in the corpus of one of {@link #languages}
   */
  boolean isIn(String language, CorpusPage page) {
    return page.isIn(language, minBytes);
  }

  /**
   * @return how pages are written
   */
  public DocumentFormat format() {
    return format;
  }

  /**
   * @return which pages are written
   */
  public Pages pages() {
    return pages;
  }

  /**
   * @return ISO 639-3 code for {@link Pages#IN_LANGUAGE}, or null
   */
  public String language() {
    return language;
  }

  /**
   * @return largest size of a file after compression, in bytes
   */
  long fileBytes() {
    return (long) conf.getInt(FILE_MIB, DEFAULT_MIB) << 20;
  }

  /**
   * @return whether a fetched page is one of the requested pages
   */
  boolean isChosen(CorpusPage page) {
    switch (pages) {
      case KEPT:
        return page.isKept();
      case IN_LANGUAGE:
        return page.bytesIn(language) >= Math.max(1, minBytes) && !page.isJunk();
      default:
        return true;
    }
  }
}
