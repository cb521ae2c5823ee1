package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Settings;

/**
 * A fetched page among the pages with its signature. The order is that of preference: the first one
 * is kept, and the others are duplicates. Mutable.
 *
 * <p>A page that is no duplicate comes before one that is, and a page that was there at the last
 * run before newer ones. So a mirror that is found later never takes the place of the original. Of
 * pages that are equal in this, the one with the higher score is kept, so that one of two hosts
 * with the same pages keeps all, then the one with the shorter key (both as in Nutch's
 * DeduplicationJob), then the first by key. Both lines of Nutch use this class, so the rule is in
 * one place.
 */
public final class PageCopy implements Writable, Comparable<PageCopy> {

  /** Takes the pages whose mark changes. */
  public interface Changes {
    /**
     * Takes a page that became a duplicate, or ceased to be one; it is valid until this returns.
     */
    void accept(PageCopy page, boolean isDuplicate) throws IOException, InterruptedException;
  }

  private static final String SIGNATURE_CLASS = "db.signature.class";

  /** Nutch's default. */
  private static final String RAW_SIGNATURE = "org.apache.nutch.crawl.MD5Signature";

  private static final String NEAR_SIGNATURE = "org.apache.nutch.crawl.TextProfileSignature";

  private final Text key = new Text();
  private boolean isDuplicate;
  private boolean isNew;
  private float score;
  private long markTime;

  /**
   * Sets this to a row.
   *
   * @param newKey the row's key: its URL, reversed or not
   * @param duplicate whether the last run found it a duplicate
   * @param fresh whether it was fetched since the last run
   * @param newScore its stored score, or NaN if it has none
   * @param newMarkTime see {@link #markTime}
   */
  public PageCopy set(
      Text newKey, boolean duplicate, boolean fresh, float newScore, long newMarkTime) {
    key.set(newKey);
    isDuplicate = duplicate;
    isNew = fresh;
    score = Float.isNaN(newScore) ? 0 : newScore;
    markTime = newMarkTime;
    return this;
  }

  /**
   * Checks that pages are compared by their texts.
   *
   * @param equalTexts name of the class for equal texts, which differs between the lines of Nutch
   * @throws CorpulyzerException if the signature of a page is that of its bytes as fetched
   */
  public static void requireTextSignature(Configuration conf, String equalTexts) {
    if (conf.get(SIGNATURE_CLASS, RAW_SIGNATURE).equals(RAW_SIGNATURE)) {
      throw new CorpulyzerException(
          "Property "
              + Settings.SCORE_DUPLICATES
              + " is 'zero', which compares pages by their signature, and "
              + SIGNATURE_CLASS
              + " is '"
              + RAW_SIGNATURE
              + "', the MD5 of a page as it was fetched; set "
              + SIGNATURE_CLASS
              + " to "
              + equalTexts
              + " (equal texts) or "
              + NEAR_SIGNATURE
              + " (also near duplicates).");
    }
  }

  private void set(PageCopy other) {
    key.set(other.key);
    isDuplicate = other.isDuplicate;
    isNew = other.isNew;
    score = other.score;
    markTime = other.markTime;
  }

  /**
   * Finds the page to keep, in any order of the pages, with two of them in memory.
   *
   * @param copies the fetched pages with one signature; Hadoop's one object for all of them will do
   * @param changes takes the pages that became duplicates, and the kept page if it was one
   */
  public static void compare(Iterable<PageCopy> copies, Changes changes)
      throws IOException, InterruptedException {
    PageCopy kept = null;
    PageCopy other = new PageCopy();
    for (PageCopy copy : copies) {
      other.set(copy);
      if (kept == null) {
        kept = other;
        other = new PageCopy();
      } else {
        if (other.compareTo(kept) < 0) {
          PageCopy less = kept;
          kept = other;
          other = less;
        }
        if (!other.isDuplicate) {
          changes.accept(other, true);
        }
      }
    }
    if (kept != null && kept.isDuplicate) {
      changes.accept(kept, false);
    }
  }

  /**
   * @return the row's key
   */
  public Text key() {
    return key;
  }

  /**
   * @return when the row's mark was written, in milliseconds since 1970; 0 if it has none, or its
   *     line of Nutch keeps no times
   */
  public long markTime() {
    return markTime;
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
      order = Integer.compare(key.getLength(), other.key.getLength());
    }
    return order == 0 ? key.compareTo(other.key) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PageCopy && compareTo((PageCopy) other) == 0;
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    key.write(out);
    WritableUtils.writeVInt(out, (isDuplicate ? 1 : 0) + (isNew ? 2 : 0));
    out.writeFloat(score);
    WritableUtils.writeVLong(out, markTime);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    key.readFields(in);
    int marks = WritableUtils.readVInt(in);
    isDuplicate = (marks & 1) != 0;
    isNew = (marks & 2) != 0;
    score = in.readFloat();
    markTime = WritableUtils.readVLong(in);
  }
}
