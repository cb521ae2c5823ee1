package org.corpulyzer.paper.standin;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.WebPage;

/**
 * Link-based scoring as Nutch 2.4's default does it (OPIC: S. Abiteboul, M. Preda, G. Cobena,
 * "Adaptive on-line page importance computation", WWW 2003): each page holds cash; a fetched page
 * hands all of its cash to the pages it links to, in equal parts; a page's score is all the cash it
 * ever received. The generator sorts by the square of the score, as Nutch does.
 *
 * <p>It is the control of the sample crawl: the comparison is only worth something if the other
 * side is what operators run today.
 */
public final class LinkScoringFilter extends Configured implements ScoringFilter {
  private static final Utf8 CASH = new Utf8("_csh_");

  @Override
  public void injectedScore(String url, WebPage page) {
    setCash(page, page.getScore());
  }

  @Override
  public void initialScore(String url, WebPage page) {
    page.setScore(0f);
    setCash(page, 0f);
  }

  @Override
  public float generatorSortValue(String url, WebPage page, float initSort) {
    return page.getScore() * initSort;
  }

  @Override
  public void distributeScoreToOutlinks(
      String fromUrl, WebPage page, Collection<ScoreDatum> scoreData, int allCount) {
    float cash = cash(page);
    if (cash == 0f || allCount == 0) {
      return;
    }
    for (ScoreDatum link : scoreData) {
      link.setScore(cash / allCount);
    }
    setCash(page, 0f);
  }

  @Override
  public void updateScore(String url, WebPage page, List<ScoreDatum> inlinks) {
    float received = 0f;
    for (ScoreDatum link : inlinks) {
      received += link.getScore();
    }
    page.setScore(page.getScore() + received);
    setCash(page, cash(page) + received);
  }

  @Override
  public float indexerScore(String url, NutchDocument doc, WebPage page, float initScore) {
    return initScore;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return new HashSet<>(Arrays.asList(WebPage.Field.METADATA, WebPage.Field.SCORE));
  }

  private static float cash(WebPage page) {
    ByteBuffer stored = page.getMetadata().get(CASH);
    return stored == null ? 0f : stored.getFloat(stored.position());
  }

  private static void setCash(WebPage page, float cash) {
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES);
    bytes.putFloat(0, cash);
    page.getMetadata().put(CASH, bytes);
  }
}
