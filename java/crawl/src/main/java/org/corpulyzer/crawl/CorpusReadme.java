package org.corpulyzer.crawl;

import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Languages;

/** The README of a corpus: its contents, how it was made, and a contact for removals. */
final class CorpusReadme {
  /** Beginning of every README of a corpus. */
  static final String TITLE = "# Web corpus: ";

  /** The fields of a record. The README of `collect` has the same table. */
  private static final String FIELDS =
      "One JSON object a line. What a page does not state is left out.\n\n"
          + "| field | contents |\n|---|---|\n"
          + row("`id`", "the URL with the parts of its host in reverse order; no other line has it")
          + row(
              "`url`, `host`, `fetch_time`",
              "address of the page, its host, and when it was fetched (UTC)")
          + row("`round`", "round of the crawl in which the page was fetched")
          + row(
              "`title`, `text`",
              "title of the page, and its main content; `\\n"
                  + "` separates headings, paragraphs and items")
          + row("`charset`, `content_type`", "charset and media type of the page")
          + row("`kind`", "`document` for PDF, Office and RTF files; pages have no `kind`")
          + row(
              "`raw_bytes`, `visible_bytes`, `main_bytes`",
              "bytes of the page as fetched, of all its visible text, and of `text` (UTF-8)")
          + row(
              "`languages`",
              "bytes of `text` in each language (UTF-8), by ISO 639-3 code; `und` is no known"
                  + " language")
          + row(
              "`language_set`",
              "the languages that the page is written in, in percent of its text; single sentences"
                  + " in others do not count")
          + row("`decision`", "`keep` or `reject`, with the reason")
          + row(
              "`record_version`",
              "versions of the record, the extractor of main content and the identifier of"
                  + " languages")
          + row("`signature`", "MD5 of the page's bytes")
          + row(
              "`published`, `modified`, `date_source`",
              "days on which the page was published and changed, as it states them, and where it"
                  + " does")
          + row(
              "`license`, `license_url`, `license_source`, `reservation`",
              "licence and reservations that the page states")
          + row(
              "`author`, `site_name`, `headline`, `alternates`",
              "author, site, headline, and versions in other languages, as the page states them")
          + row(
              "`source`",
              "source of the seed that led to the page, if the seed list names sources");

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
    return TITLE
        + Languages.names(options.language)
        + " ("
        + options.language
        + ")\n\n"
        + contents()
        + settings()
        + format()
        + "\n\n"
        + removal();
  }

  private String contents() {
    return String.format(
        Locale.ROOT,
        "`%s` has %s with %d bytes of the language (%s, compressed), written on %s" + " (UTC).\n\n",
        file,
        documents(summary.documents()),
        summary.languageBytes(),
        size(summary.bytes()),
        LocalDate.now(ZoneOffset.UTC));
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
    return "| setting | value |\n|---|---|\n"
        + row("language code", options.language)
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
        + row("crawler", options.agent + ", " + options.contact)
        + "\n";
  }

  private static String row(String name, String value) {
    return "| " + name + " | " + value + " |\n";
  }

  private String removal() {
    return "Pages whose robots directives forbid indexing are not in this corpus, and robots.txt"
        + " was obeyed.\n\n## Removal\n\nThe texts belong to their authors. To have a page or a"
        + " site removed, write to "
        + options.contact
        + ". Name its\naddresses (field `url`). Write from an address of the site, or show in"
        + " another way that it is yours.\n";
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
        return FIELDS.stripTrailing();
    }
  }
}
