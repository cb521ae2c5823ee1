package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;

/** A host's totals and score, and where they come from. */
public final class HostRecord implements Writable {

  private String host;
  private HostTotals totals;
  private long pages;
  private float score;
  private float seedScore;
  private float otherScore;
  private float probeScore;
  private String probe;
  private String batch;
  private long time;
  private String language;
  private String version;

  /** For Hadoop, which then reads the fields. */
  public HostRecord() {}

  HostRecord(
      String host,
      HostTotals totals,
      long pages,
      float score,
      float seedScore,
      float otherScore,
      float probeScore,
      String probe,
      String batch,
      long time,
      String language,
      String version) {
    this.host = host;
    this.totals = totals;
    this.pages = pages;
    this.score = score;
    this.seedScore = seedScore;
    this.otherScore = otherScore;
    this.probeScore = probeScore;
    this.probe = probe;
    this.batch = batch;
    this.time = time;
    this.language = language;
    this.version = version;
  }

  /**
   * @param run the run that scored the host
   * @param language target language, ISO 639-3
   * @param version record version of the engine
   */
  static HostRecord scored(
      String host, HostSums sums, HostScore score, ScoreRun run, String language, String version) {
    return new HostRecord(
        host,
        sums.totals(),
        sums.pages(),
        score.rows(),
        score.injected(),
        score.other(),
        score.probe(sums.isStrong()),
        sums.probe(),
        run.batch(),
        run.time(),
        language,
        version);
  }

  /**
   * @return the reversed host, as row keys begin
   */
  public String host() {
    return host;
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
   * @return the scores, of which that of the probe is the one for this host
   */
  HostScore scores() {
    return new HostScore(score, seedScore, otherScore, probeScore);
  }

  /**
   * @return score of the host's rows
   */
  public float score() {
    return score;
  }

  /**
   * @return score of the host's injected seeds; the same as {@link #score()} once something is
   *     fetched
   */
  public float seedScore() {
    return seedScore;
  }

  /**
   * @return score of rows that were found on no page in the target language; {@link #score()} under
   *     policy mean
   */
  public float otherScore() {
    return otherScore;
  }

  /**
   * @return score of the row that probes the host, when there is one
   */
  public float probeScore() {
    return probeScore;
  }

  /**
   * @return key of the row that probes the host; empty when none does
   */
  public String probe() {
    return probe;
  }

  /**
   * @return the batch whose update led to this record, {@code -all}, or {@code -} when the passes
   *     ran alone
   */
  public String batch() {
    return batch;
  }

  /**
   * @return start of the run, milliseconds since 1970
   */
  public long time() {
    return time;
  }

  /**
   * @return target language, ISO 639-3
   */
  public String language() {
    return language;
  }

  /**
   * @return record version of the engine that scored
   */
  public String version() {
    return version;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeUTF(host);
    out.writeLong(totals.targetBytes());
    out.writeLong(totals.fetchedPages());
    out.writeLong(totals.unreadPages());
    out.writeLong(pages);
    out.writeFloat(score);
    out.writeFloat(seedScore);
    out.writeFloat(otherScore);
    out.writeFloat(probeScore);
    Text.writeString(out, probe);
    out.writeUTF(batch);
    out.writeLong(time);
    out.writeUTF(language);
    out.writeUTF(version);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    host = in.readUTF();
    totals = new HostTotals(in.readLong(), in.readLong(), in.readLong());
    pages = in.readLong();
    score = in.readFloat();
    seedScore = in.readFloat();
    otherScore = in.readFloat();
    probeScore = in.readFloat();
    probe = Text.readString(in);
    batch = in.readUTF();
    time = in.readLong();
    language = in.readUTF();
    version = in.readUTF();
  }
}
