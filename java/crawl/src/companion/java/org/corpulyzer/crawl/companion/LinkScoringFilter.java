package org.corpulyzer.crawl.companion;

import java.util.Collection;
import java.util.List;
import java.util.Map.Entry;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.AbstractScoringFilter;

/**
 * Link-based scoring with the results of Nutch 1.x's default plugin, scoring-opic (after S.
 * Abiteboul, M. Preda, G. Cobena, "Adaptive on-line page importance computation", WWW 2003): a new
 * page has the score 0; a fetched page hands its score to the pages that it links to, in equal
 * parts; a page adds up what it receives. The generator sorts by the score.
 *
 * <p>It is the control of the sample crawl: the comparison counts only if the other side is what
 * operators run today.
 */
public final class LinkScoringFilter extends AbstractScoringFilter {
  @Override
  public void injectedScore(Text url, CrawlDatum datum) {
    // The injector has set db.score.injected or the seed's own score.
  }

  @Override
  public void initialScore(Text url, CrawlDatum datum) {
    datum.setScore(0f);
  }

  @Override
  public float generatorSortValue(Text url, CrawlDatum datum, float initSort) {
    return datum.getScore() * initSort;
  }

  @Override
  public void passScoreBeforeParsing(Text url, CrawlDatum datum, Content content) {
    content.getMetadata().set(Nutch.SCORE_KEY, Float.toString(datum.getScore()));
  }

  @Override
  public void passScoreAfterParsing(Text url, Content content, Parse parse) {
    String score = content.getMetadata().get(Nutch.SCORE_KEY);
    if (score != null) {
      parse.getData().getContentMeta().set(Nutch.SCORE_KEY, score);
    }
  }

  @Override
  public CrawlDatum distributeScoreToOutlinks(
      Text fromUrl,
      ParseData data,
      Collection<Entry<Text, CrawlDatum>> targets,
      CrawlDatum adjust,
      int allCount) {
    String score = data.getContentMeta().get(Nutch.SCORE_KEY);
    if (score != null && !targets.isEmpty()) {
      float part = Float.parseFloat(score) / targets.size();
      for (Entry<Text, CrawlDatum> target : targets) {
        target.getValue().setScore(part);
      }
    }
    return adjust;
  }

  @Override
  public void updateDbScore(Text url, CrawlDatum old, CrawlDatum datum, List<CrawlDatum> inlinked) {
    float score = (old == null ? datum : old).getScore();
    for (CrawlDatum link : inlinked) {
      score += link.getScore();
    }
    datum.setScore(score);
  }

  @Override
  public float indexerScore(
      Text url,
      NutchDocument doc,
      CrawlDatum dbDatum,
      CrawlDatum fetchDatum,
      Parse parse,
      Inlinks inlinks,
      float initScore) {
    return initScore;
  }
}
