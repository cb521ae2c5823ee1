package org.corpulyzer.corpus;

import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;

/** Which pages an export writes, and how. It travels to tasks in the job's configuration. */
public final class ExportOptions {

  /** The options in a usage line. */
  public static final String SYNTAX = "[-format jsonl|text|wet|warc] [-all | [-language <code>] [-minBytes <n>]] [-fileSize <MiB>]";
  private static final String FORMAT = "crp.export.format";
  private static final String PAGES = "crp.export.pages";
  private static final String LANGUAGE = "crp.export.language";
  private static final String MIN_BYTES = "crp.export.minBytes";
  private static final String FILE_MIB = "crp.export.fileMiB";
  private static final int DEFAULT_MIB = 1024;
  /** What the options do, a line each. */
  public static final String HELP =
      "    -format <format> - jsonl: main content and figures of a page as a JSON object a line (default); text: main content alone;\n"
      + "                       wet: the same as WARC conversion records; warc: pages as fetched, and their figures\n"
      + "    -all             - also pages that were rejected; their decision is among their figures\n"
      + "    -language <code> - whatever was decided: pages with bytes enough in this language, ISO 639-1 or 639-3, that are no junk\n"
      + "    -minBytes <n>    - so many bytes are enough (default: " + Settings.PAGE_MIN_BYTES
      + "); without -language, in that of the crawl\n"
      + "    -fileSize <MiB>  - compressed bytes after which another file begins: 1 to 65536 (default: " + DEFAULT_MIB + ")";

  /** Which pages are written. */
  public enum Pages {
    /** Those that the parser kept. */
    KEPT,
    /** Those that it judged. */
    ALL,
    /** Those with bytes enough in a language that are no junk. */
    IN_LANGUAGE
  }

  private final DocumentFormat format;
  private final Pages pages;
  private final String language;
  private final long minBytes;
  private final Configuration conf;

  /** Reads what {@link #set} wrote. */
  public ExportOptions(Configuration conf) {
    format = conf.getEnum(FORMAT, DocumentFormat.jsonl);
    pages = conf.getEnum(PAGES, Pages.KEPT);
    language = conf.get(LANGUAGE);
    minBytes = conf.getLong(MIN_BYTES, 0);
    this.conf = conf;
  }

  /** @return a command line that allows these options */
  public static Arguments arguments() {
    return new Arguments().option("-format", value -> value.matches("jsonl|text|wet|warc")).flag("-all").option("-language")
        .option("-minBytes", Arguments.whole(0, 999_999_999)).option("-fileSize", Arguments.whole(1, 65_536));
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
      throw new UsageException("-all has all pages, -language and -minBytes some: leave out one or the other.");
    }
    conf.setEnum(FORMAT, args.has("-format") ? DocumentFormat.valueOf(args.get("-format")) : DocumentFormat.jsonl);
    conf.setEnum(PAGES, args.has("-all") ? Pages.ALL : chosen ? Pages.IN_LANGUAGE : Pages.KEPT);
    if (args.has("-fileSize")) {
      conf.set(FILE_MIB, args.get("-fileSize"));
    }
    if (chosen) {
      // Only the engine knows the codes of languages. The crawl's own language stays as it is.
      Configuration asked = new Configuration(conf);
      if (language != null) {
        asked.set(Settings.LANGUAGE_TARGET, language);
      }
      if (least != null) {
        asked.set(Settings.PAGE_MIN_BYTES, least);
      }
      Settings settings = Settings.from(asked::get);
      conf.set(LANGUAGE, Engine.of(settings).target());
      conf.setLong(MIN_BYTES, settings.minBytes());
    }
  }

  /** @return how pages are written */
  public DocumentFormat format() {
    return format;
  }

  /** @return which pages are written */
  public Pages pages() {
    return pages;
  }

  /** @return ISO 639-3 code for {@link Pages#IN_LANGUAGE}, or null */
  public String language() {
    return language;
  }

  /** @return compressed bytes after which another file begins */
  long fileBytes() {
    return (long) conf.getInt(FILE_MIB, DEFAULT_MIB) << 20;
  }

  /** @return whether a fetched page is one of those asked for */
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
