package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.nutch.util.StringUtil;
import org.corpulyzer.engine.Settings;

/**
 * The settings that decide the content of records. The data folder stores them, so that no run adds
 * records made with other settings.
 */
final class RecordFacts {
  private static final String EXTRACTOR = "extractor";
  private static final String COMMENTS = "comments";
  private static final String HEADLINE = "headline";
  private static final String POLICY = "page-policy";
  private static final String MIN_BYTES = "min-bytes";
  private static final String REJECT_JUNK = "reject-junk";
  private static final String PACK = "pack";

  /** Version of the records, as rows have it in {@code crp.v}. */
  static final String VERSION = "record";

  private static final String NO_PACK = "none";

  private final Map<String, String> facts = new LinkedHashMap<>();

  /** Gets the record version from an engine with these options. */
  RecordFacts(CrawlOptions options) throws CrawlException {
    facts.put(EXTRACTOR, options.extractor);
    facts.put(COMMENTS, options.comments);
    facts.put(HEADLINE, options.headline);
    facts.put(POLICY, options.pagePolicy);
    facts.put(MIN_BYTES, options.minBytes);
    facts.put(REJECT_JUNK, options.rejectJunk);
    facts.put(PACK, options.packs.isEmpty() ? NO_PACK : fingerprint(options));
    facts.put(VERSION, PageSettings.require(options).recordVersion());
  }

  /**
   * SHA-256 over the packs in their order: of two packs with a language the order decides. Their
   * names do not matter.
   */
  private static String fingerprint(CrawlOptions options) throws CrawlException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String pack : options.packs) {
        digest.update(
            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Paths.get(pack))));
      }
      return StringUtil.toHexString(digest.digest());
    } catch (IOException e) {
      throw CrawlException.usage(
          "--pack cannot be read (" + CrawlException.reason(e) + "); name a file that can");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Facts by name. */
  Map<String, String> asMap() {
    return facts;
  }

  /**
   * Returns whether the records of the data folder were made with the same; also if it has none
   * yet.
   */
  boolean isSame(CrawlState state) {
    return facts.entrySet().stream()
        .allMatch(
            fact -> {
              String kept = kept(state, fact.getKey());
              return kept == null || kept.equals(fact.getValue());
            });
  }

  /** Fails if the data folder has another one, and names the option that differs. */
  void requireSame(CrawlState state) throws CrawlException {
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      String kept = kept(state, fact.getKey());
      if (kept != null && !kept.equals(fact.getValue())) {
        throw CrawlException.usage(conflict(fact.getKey(), fact.getValue(), kept));
      }
    }
  }

  private static String conflict(String name, String now, String kept) {
    String again = "add --reparse to parse the stored pages again";
    switch (name) {
      case VERSION:
        return "this release makes records of version '"
            + now
            + "', but the pages in this --data folder have records of version '"
            + kept
            + "'; "
            + again;
      case PACK:
        return now.equals(NO_PACK)
            ? "--pack is missing, but the pages in this --data folder were parsed with a language"
                + " pack; "
                + again
                + ", or name that pack"
            : "--pack names a language pack that the pages in this --data folder were not parsed"
                + " with; "
                + again
                + ", or "
                + (kept.equals(NO_PACK)
                    ? "leave it out"
                    : "name the pack that they were parsed with");
      default:
        return "--"
            + name
            + " is "
            + now
            + ", but the pages in this --data folder were parsed with "
            + kept
            + "; "
            + again
            + ", or name "
            + kept;
    }
  }

  /**
   * @return null when the folder has no record yet, or is of a release that did not say
   */
  private static String kept(CrawlState state, String name) {
    String kept = state.fact(name);
    if (kept != null) {
      return name.equals(MIN_BYTES) ? new PageSettings.Number().convert(kept) : kept;
    }
    if (!state.isOfACrawl()) {
      return null;
    }
    // A folder from before there were options for these.
    switch (name) {
      case EXTRACTOR:
        return "web-am";
      case COMMENTS:
        return Settings.defaultOf(Settings.PAGE_COMMENTS);
      case HEADLINE:
        return Settings.defaultOf(Settings.PAGE_HEADLINE);
      case REJECT_JUNK:
        return Settings.defaultOf(Settings.PAGE_REJECT_JUNK);
      case POLICY:
        return Settings.defaultOf(Settings.PAGE_POLICY);
      case MIN_BYTES:
        return Settings.defaultOf(Settings.PAGE_MIN_BYTES);
      default:
        return null;
    }
  }
}
