package org.corpulyzer.nutch;

import java.util.Collection;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.IndexFields;
import org.corpulyzer.engine.PageKeys;

/**
 * Adds a page's figures to the index, see {@link IndexFields}. Drops rejected pages if {@code
 * corpulyzer.index.dropRejected} is true. A page without figures passes unchanged.
 */
public class LanguageIndexingFilter implements IndexingFilter {

  private Configuration conf;
  private EngineSource source;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    source = new EngineSource(conf::get);
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
    boolean kept =
        doc != null
            && IndexFields.add(
                source,
                url,
                PageFigures.get(page, PageKeys.DECISION),
                PageFigures.get(page, PageKeys.LANGUAGES),
                doc::add);
    return kept ? doc : null;
  }
}
