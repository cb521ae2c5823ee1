package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Languages;

/** The README of a corpus: its contents, how it was made, and a contact for removals. */
final class CorpusReadme {
  /** The page with names of values in braces; the README of {@code collect} fills it too. */
  private static final String PAGE = resource("readme.md");

  /** Beginning of every README of a corpus. */
  static final String TITLE = PAGE.substring(0, PAGE.indexOf('{'));

  /** A name in braces. */
  private static final Pattern NAME = Pattern.compile("\\{(\\w+)\\}");

  private final CrawlOptions options;
  private final String file;
  private final CorpusWriter.Summary summary;

  CorpusReadme(CrawlOptions options, String file, CorpusWriter.Summary summary) {
    this.options = options;
    this.file = file;
    this.summary = summary;
  }

  byte[] bytes() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  private String text() {
    StringBuffer text = new StringBuffer();
    Matcher names = NAME.matcher(PAGE);
    while (names.find()) {
      names.appendReplacement(text, Matcher.quoteReplacement(value(names.group(1))));
    }
    return names.appendTail(text).toString();
  }

  private String value(String name) {
    switch (name) {
      case "language":
        return Languages.names(options.language);
      case "code":
        return options.language;
      case "file":
        return file;
      case "documents":
        return documents(summary.documents());
      case "bytes":
        return summary.languageBytes() + " bytes";
      case "size":
        return size(summary.bytes());
      case "day":
        return LocalDate.now(ZoneOffset.UTC).toString();
      case "settings":
        return settings();
      case "rejected":
        return "";
      case "form":
        return format();
      case "robots":
        return ", and robots.txt was obeyed.";
      case "contact":
        return options.contact;
      default:
        throw new IllegalStateException("readme.md names " + name);
    }
  }

  private static String resource(String name) {
    try (InputStream in = CorpusReadme.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar of the crawl has no readable " + name, e);
    }
  }

  /** A size in decimal units, which are those of the report. */
  static String size(long bytes) {
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }

  /** The number with its noun. */
  static String documents(long count) {
    return count + (count == 1 ? " document" : " documents");
  }

  private String settings() {
    String pages =
        options.all
            ? "kept pages and rejected pages (their decision begins with `reject`)"
            : "kept pages only";
    return row("language code", options.language)
        + row(
            "order of the crawl",
            options.scoring == CrawlOptions.Scoring.lrl
                ? "by language (policy " + options.policy() + ")"
                : "by links")
        + row("rounds, pages a round", options.rounds + ", " + options.top)
        + row("pages of a host a round", String.valueOf(options.maxPerHost()))
        + row("main content by", extractor())
        + row("pages are kept", policy())
        + row("language packs", packs())
        + row("pages", pages)
        + row("characters", options.nfc ? "composed (NFC)" : "as in the pages")
        + row("duplicates", duplicates())
        + row("crawler", options.agent + ", " + options.contact);
  }

  private static String row(String name, String value) {
    return "| " + name + " | " + value + " |\n";
  }

  private String duplicates() {
    switch (options.dedup) {
      case exact:
        return documents(summary.duplicates())
            + " skipped, because an earlier one has the same text";
      case canonical:
        return documents(summary.duplicates())
            + " skipped, because an earlier one has the same text and canonical address";
      default:
        return "kept";
    }
  }

  private String extractor() {
    return options.extractor
        + (options.comments.equals("drop") ? ", without comments of readers" : "");
  }

  private String policy() {
    return options.pagePolicy.equals("recall")
        ? "for any sign of the language (recall)"
        : "from " + options.minBytes + " bytes of the language (" + options.pagePolicy + ")";
  }

  /** File names only: their folders do not matter to a reader. */
  private String packs() {
    return options.packs.isEmpty()
        ? "none"
        : options.packs.stream()
            .map(pack -> Paths.get(pack).getFileName().toString())
            .collect(Collectors.joining(", "));
  }

  private String format() {
    switch (options.format) {
      case text:
        return "Each document is followed by an empty line.";
      case wet:
        return "WARC 1.0: a record of type `conversion` for each page, its main content as UTF-8"
            + " text.";
      case warc:
        return "WARC 1.0: for each page a record of type `response`, its bytes as fetched, and one"
            + " of type `metadata`, its figures\n"
            + "(bytes per language in `crp.l`, what was decided and why in `crp.d`).";
      default:
        return resource("fields.md").stripTrailing();
    }
  }
}
