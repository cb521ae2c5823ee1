package org.corpulyzer.install.standin;

import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.scoring.AbstractScoringFilter;

/** Multiplies the value by which rows are sorted, as Nutch's scoring-depth does. */
public final class DepthScoring extends AbstractScoringFilter {

  @Override
  public float generatorSortValue(Text url, CrawlDatum row, float value) {
    return value * 4;
  }
}
