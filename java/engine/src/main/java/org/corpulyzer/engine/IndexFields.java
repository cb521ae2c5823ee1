package org.corpulyzer.engine;

import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page's figures as fields of the index:
 *
 * <ul>
 *   <li>{@code crp_language}: ISO 639-3 codes, the language with most bytes first (multi-valued)
 *   <li>{@code crp_share}: {@code urd:0.953}, share of the main text's bytes, in the same order
 *       (multi-valued)
 *   <li>{@code crp_target_bytes}: bytes in the language of the crawl
 *   <li>{@code crp_decision}: {@code keep} or {@code reject}, a blank, the reason
 * </ul>
 */
public final class IndexFields {

  private static final Logger LOG = LoggerFactory.getLogger(IndexFields.class);

  private IndexFields() {}

  /**
   * Adds the fields of a page. A page without figures gets none.
   *
   * @param url for the log
   * @param decision the page's {@code crp.d}, or null
   * @param languages the page's {@code crp.l}, or null
   * @param doc takes a field's name and value
   * @return whether the page belongs into the index; false if it is rejected and {@code
   *     corpulyzer.index.dropRejected} is true, and no field is added then
   */
  public static boolean add(
      EngineSource source,
      String url,
      String decision,
      String languages,
      BiConsumer<String, String> doc) {
    if (decision == null) {
      return true;
    }
    if (source.settings().isDropRejected() && !PageRecord.isKept(decision)) {
      return false;
    }
    doc.accept("crp_decision", decision);
    try {
      addLanguages(source, LanguageBytes.parse(languages), doc);
    } catch (CorpulyzerException e) {
      LOG.warn("{} is indexed without languages: {}", url, e.getMessage());
    }
    return true;
  }

  private static void addLanguages(
      EngineSource source, Map<String, Long> languages, BiConsumer<String, String> doc) {
    double sum = languages.values().stream().mapToLong(Long::longValue).sum();
    languages.forEach(
        (code, bytes) -> {
          doc.accept("crp_language", code);
          doc.accept(
              "crp_share", String.format(Locale.ROOT, "%s:%.3f", code, sum == 0 ? 0 : bytes / sum));
        });
    Engine engine = source.get();
    if (engine != null) {
      doc.accept("crp_target_bytes", Long.toString(bytesIn(languages, engine.targets())));
    }
  }

  private static long bytesIn(Map<String, Long> languages, Targets targets) {
    return targets.codes().stream().mapToLong(code -> languages.getOrDefault(code, 0L)).sum();
  }
}
