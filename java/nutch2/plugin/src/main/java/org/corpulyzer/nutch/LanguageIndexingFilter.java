package org.corpulyzer.nutch;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a page's figures into the index:
 * <ul>
 * <li>{@code crp_language}: ISO 639-3 codes, the language with most bytes first (multi-valued)
 * <li>{@code crp_share}: {@code urd:0.953}, share of the main text's bytes, in the same order (multi-valued)
 * <li>{@code crp_target_bytes}: bytes in the language of the crawl
 * <li>{@code crp_decision}: {@code keep} or {@code reject}, a blank, the reason
 * </ul>
 * Drops rejected pages if {@code corpulyzer.index.dropRejected} says so. A page without figures passes as it is.
 */
public class LanguageIndexingFilter implements IndexingFilter {

  private static final Logger LOG = LoggerFactory.getLogger(LanguageIndexingFilter.class);

  private Configuration conf;
  private EngineSource source;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    source = new EngineSource(conf);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.of(WebPage.Field.METADATA);
  }

  @Override
  public NutchDocument filter(NutchDocument doc, String url, WebPage page) {
    String decision = PageFigures.get(page, PageKeys.DECISION);
    if (doc == null || decision == null) {
      return doc;
    }
    if (source.settings().isDropRejected() && !PageRecord.isKept(decision)) {
      return null;
    }
    doc.add("crp_decision", decision);
    try {
      addLanguages(doc, LanguageBytes.parse(PageFigures.get(page, PageKeys.LANGUAGES)));
    } catch (CorpulyzerException e) {
      LOG.warn("{} is indexed without languages: {}", url, e.getMessage());
    }
    return doc;
  }

  private void addLanguages(NutchDocument doc, Map<String, Long> languages) {
    double sum = languages.values().stream().mapToLong(Long::longValue).sum();
    languages.forEach((code, bytes) -> {
      doc.add("crp_language", code);
      doc.add("crp_share", String.format(Locale.ROOT, "%s:%.3f", code, sum == 0 ? 0 : bytes / sum));
    });
    Engine engine = source.get();
    if (engine != null) {
      doc.add("crp_target_bytes", Long.toString(languages.getOrDefault(engine.target(), 0L)));
    }
  }
}
