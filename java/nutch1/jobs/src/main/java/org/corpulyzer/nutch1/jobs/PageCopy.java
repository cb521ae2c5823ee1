package org.corpulyzer.nutch1.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * A fetched page among the pages with its signature. The order is that of preference: the first one
 * is kept, and the others are duplicates. Mutable.
 *
 * <p>A page that is no duplicate comes before one that is, and a page that was there at the last
 * run before newer ones. So a mirror that is found later never takes the place of the original. Of
 * pages that are equal in this, the one with the higher score is kept, so that one of two hosts
 * with the same pages keeps all, then the one with the shorter URL (both as in Nutch's
 * DeduplicationJob), then the first by URL.
 */
final class PageCopy implements Writable, Comparable<PageCopy> {

  private final Text url = new Text();
  private boolean isDuplicate;
  private boolean isNew;
  private float score;

  /**
   * Sets this to a row.
   *
   * @param lastRun start of the last run of the score passes, in milliseconds since 1970
   */
  PageCopy set(Text key, PageRow row, long lastRun) {
    url.set(key);
    isDuplicate = row.status() == CrawlDatum.STATUS_DB_DUPLICATE;
    isNew = row.lastFetch() >= lastRun;
    score = Float.isNaN(row.score()) ? 0 : row.score();
    return this;
  }

  /** Sets this to another page. */
  void set(PageCopy other) {
    url.set(other.url);
    isDuplicate = other.isDuplicate;
    isNew = other.isNew;
    score = other.score;
  }

  Text url() {
    return url;
  }

  /**
   * @return whether the row has the status of duplicates
   */
  boolean isDuplicate() {
    return isDuplicate;
  }

  @Override
  public int compareTo(PageCopy other) {
    int order = Boolean.compare(isDuplicate, other.isDuplicate);
    if (order == 0) {
      order = Boolean.compare(isNew, other.isNew);
    }
    if (order == 0) {
      order = Float.compare(other.score, score);
    }
    if (order == 0) {
      order = Integer.compare(url.getLength(), other.url.getLength());
    }
    return order == 0 ? url.compareTo(other.url) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PageCopy && compareTo((PageCopy) other) == 0;
  }

  @Override
  public int hashCode() {
    return url.hashCode();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    url.write(out);
    WritableUtils.writeVInt(out, (isDuplicate ? 1 : 0) + (isNew ? 2 : 0));
    out.writeFloat(score);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    url.readFields(in);
    int marks = WritableUtils.readVInt(in);
    isDuplicate = (marks & 1) != 0;
    isNew = (marks & 2) != 0;
    score = in.readFloat();
  }
}
