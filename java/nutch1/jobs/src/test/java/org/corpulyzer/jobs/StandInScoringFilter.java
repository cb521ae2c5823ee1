package org.corpulyzer.jobs;

import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.scoring.AbstractScoringFilter;

/** Gives new rows a score that no host has, and leaves the scores of others alone. */
public class StandInScoringFilter extends AbstractScoringFilter {

  static final float NEW_ROW = 77;

  @Override
  public void initialScore(Text url, CrawlDatum datum) {
    datum.setScore(NEW_ROW);
  }

  @Override
  public void updateDbScore(Text url, CrawlDatum old, CrawlDatum datum, List<CrawlDatum> inlinked) {
    datum.setScore(old == null ? NEW_ROW : old.getScore());
  }
}
