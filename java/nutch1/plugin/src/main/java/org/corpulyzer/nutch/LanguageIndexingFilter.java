package org.corpulyzer.nutch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
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
    source = EngineSource.checked(conf::get);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public NutchDocument filter(
      NutchDocument doc, Parse parse, Text url, CrawlDatum datum, Inlinks inlinks) {
    Metadata figures = parse.getData().getParseMeta();
    boolean kept =
        doc != null
            && IndexFields.add(
                source,
                url.toString(),
                figures.get(PageKeys.DECISION),
                figures.get(PageKeys.LANGUAGES),
                doc::add);
    return kept ? doc : null;
  }
}
