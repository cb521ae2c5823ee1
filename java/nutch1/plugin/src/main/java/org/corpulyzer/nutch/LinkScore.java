package org.corpulyzer.nutch;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.nutch.crawl.CrawlDatum;

/** The scores of links, which decide which of them Nutch keeps for updatedb. */
final class LinkScore {
  // Nutch keeps the db.update.max.inlinks links of a row that have the lowest scores: its
  // InlinkPriorityQueue drops the highest first. No other code reads the score of a link.
  private static final float MARKED = 0;
  private static final float ELSEWHERE = 1;

  /** Score of links without marks. The sums of another filter are unlikely to have this value. */
  static final float PLAIN = (float) Math.PI;

  /** Bytes of a datum without metadata, as Nutch writes it; its signature comes on top. */
  private static final int BARE_BYTES = bytes(new CrawlDatum());

  private LinkScore() {}

  /** Whether a datum has metadata. A datum that is asked for them makes some. */
  static boolean hasMetadata(CrawlDatum datum) {
    int signature = datum.getSignature() == null ? 0 : datum.getSignature().length;
    return bytes(datum) > BARE_BYTES + signature;
  }

  private static int bytes(CrawlDatum datum) {
    DataOutputBuffer bytes = new DataOutputBuffer();
    try {
      datum.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory can be written", e);
    }
    return bytes.getLength();
  }

  /**
   * A link's score decides whether Nutch keeps the link for {@link LrlScoringFilter#updateDbScore}.
   * Links with marks must be kept.
   */
  static float of(CrawlDatum link) {
    if (!hasMetadata(link)) {
      return PLAIN;
    }
    if (RowMark.FOUND.isSet(link)
        || RowMark.INJECTED.isSet(link)
        || RowMark.ALTERNATE.isSet(link)) {
      return MARKED;
    }
    return RowMark.ELSEWHERE.isSet(link)
            || LinkingPages.isIn(link)
            || LinkPath.isIn(link)
            || LinkTag.isIn(link)
            || SourceTag.isIn(link)
        ? ELSEWHERE
        : PLAIN;
  }
}
