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
        "`%s` holds %s with %d bytes of the language (%.1f MB, compressed), written on %s"
            + " (UTC).\n\n",
        file,
        documents(summary.documents()),
        summary.languageBytes(),
        summary.bytes() / 1e6,
        LocalDate.now(ZoneOffset.UTC));
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
        + row("language", options.language)
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
        return "One JSON object a line: `id` (unique), `url`, `host`, `fetch_time`, `round`,"
            + " `title`, `text` (main content, blocks joined by\n"
            + "`\\n"
            + "`), `charset`, `content_type`, `kind` (`document` for PDF, Office and RTF files),"
            + " `raw_bytes`, `visible_bytes`, `main_bytes`,"
            + " `languages` (UTF-8 bytes of main text by ISO\n"
            + "639-3 code), `language_set` (in percent), `decision`, `record_version`"
            + " (extractor and identifier), `signature` (MD5 of the\n"
            + "page's bytes). If the page states them: `published`, `modified`, `date_source`,"
            + " `license`, `license_url`, `license_source`,\n"
            + "`reservation`, `alternates`, `author`, `site_name`, `headline`"
            + " (docs/provenance.md of Corpulyzer defines them). If the seed list names sources:"
            + " `source`, the\nsource of the seed that led to the page.";
    }
  }
}
