package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;

/** Totals and scores of a host: a value of the host table. */
public final class HostRecord implements Writable {

  private HostTotals totals;
  private long pages;
  private HostScore score;
  private String probe;
  private boolean strong;

  /** For Hadoop, which then reads the fields. */
  public HostRecord() {}

  HostRecord(HostSums sums, HostScore score) {
    this.totals = sums.totals();
    this.pages = sums.pages();
    this.score = score;
    this.probe = sums.probe();
    this.strong = sums.isStrong();
  }

  /**
   * @return target bytes and number of fetched pages
   */
  public HostTotals totals() {
    return totals;
  }

  /**
   * @return rows of the host, fetched or not
   */
  public long pages() {
    return pages;
  }

  /**
   * @return scores of the host's rows
   */
  public HostScore score() {
    return score;
  }

  /**
   * @return URL of the row that may probe the host; empty when there is none
   */
  public String probe() {
    return probe;
  }

  /**
   * @return whether that row comes before the probes of other hosts
   */
  public boolean isStrong() {
    return strong;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    totals.write(number -> WritableUtils.writeVLong(out, number));
    WritableUtils.writeVLong(out, pages);
    out.writeFloat(score.rows());
    out.writeFloat(score.injected());
    out.writeFloat(score.other());
    out.writeFloat(score.probe());
    Text.writeString(out, probe);
    out.writeBoolean(strong);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    totals = HostTotals.read(() -> WritableUtils.readVLong(in));
    pages = WritableUtils.readVLong(in);
    score = new HostScore(in.readFloat(), in.readFloat(), in.readFloat(), in.readFloat());
    probe = Text.readString(in);
    strong = in.readBoolean();
  }
}
