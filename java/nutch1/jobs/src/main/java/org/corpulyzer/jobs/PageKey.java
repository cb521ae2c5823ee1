package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;
import org.corpulyzer.engine.RowKeys;

/**
 * Brings what the segments have of a URL together. Keys are in the order of reversed URLs, so the
 * pages of a host follow each other, after the files with its rules; of a URL, the statuses come
 * before the pages.
 */
public final class PageKey implements WritableComparable<PageKey> {

  private final Text id = new Text();
  private final Text url = new Text();
  private boolean isStatus;

  /** Makes an empty key, for Hadoop to read into. */
  public PageKey() {}

  /**
   * @param isStatus whether the value is a status, by which the page is chosen
   */
  void set(Text newUrl, boolean newIsStatus) {
    String rowKey = RowKeys.of(newUrl.toString());
    id.set(rowKey == null ? "" : rowKey);
    url.set(newUrl);
    isStatus = newIsStatus;
  }

  /** Makes this the key of a file with rules of its host, which comes before the host's pages. */
  void setHostFile(Text newUrl) {
    set(newUrl, false);
    if (!id().isEmpty()) {
      id.set(RowKeys.startKey(RowKeys.host(id())));
    }
  }

  /**
   * @return whether it is the key of a file with rules of its host
   */
  boolean isHostFile() {
    return !id().isEmpty() && !RowKeys.isValid(id());
  }

  /**
   * @return the host, reversed; empty if the URL does not read
   */
  String host() {
    String key = id();
    return key.isEmpty()
        ? ""
        : isHostFile() ? key.substring(0, key.length() - 1) : RowKeys.host(key);
  }

  /**
   * @return the reversed URL; empty if the URL does not read
   */
  String id() {
    return id.toString();
  }

  String url() {
    return url.toString();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    id.write(out);
    url.write(out);
    out.writeBoolean(isStatus);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    id.readFields(in);
    url.readFields(in);
    isStatus = in.readBoolean();
  }

  @Override
  public int compareTo(PageKey other) {
    int byUrl = compareUrl(other);
    return byUrl != 0 ? byUrl : Boolean.compare(other.isStatus, isStatus);
  }

  private int compareUrl(PageKey other) {
    int byId = id.compareTo(other.id);
    return byId != 0 ? byId : url.compareTo(other.url);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PageKey && compareTo((PageKey) other) == 0;
  }

  @Override
  public int hashCode() {
    return url.hashCode();
  }

  /** Groups the values of a URL. */
  public static final class SameUrl extends WritableComparator {

    /** Makes the comparator; Hadoop calls it. */
    public SameUrl() {
      super(PageKey.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public int compare(WritableComparable one, WritableComparable other) {
      return ((PageKey) one).compareUrl((PageKey) other);
    }
  }

  /** Gives all pages of a host to one reducer. */
  public static final class ByHost extends Partitioner<PageKey, PagePart> {

    @Override
    public int getPartition(PageKey key, PagePart value, int partitions) {
      String host = key.host();
      int hash = host.isEmpty() ? key.hashCode() : host.hashCode();
      return (hash & Integer.MAX_VALUE) % partitions;
    }
  }
}
