package org.corpulyzer.corpus;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.Targets;

/**
 * Scores the hosts of a reducer, many at a time: one call of the library costs more than the score
 * of one host. Counts {@link ScoreCounter#HOSTS_SCORED}, their text and the hosts that are stopped.
 *
 * @param <H> name of a host, in the form that the reducer writes
 */
public final class HostBatch<H> {
  private static final int MOST = 1024;

  /** No host has as much; figures of a damaged row may, and counters add up without a check. */
  private static final long MAX_HOST_BYTES = 1L << 50;

  /** Takes a host with its score. */
  public interface Sink<H> {
    /** The order is that of {@link HostBatch#add}. */
    void accept(H host, HostSums sums, HostScore score) throws IOException, InterruptedException;
  }

  private final List<H> hosts = new ArrayList<>();
  private final List<HostSums> sums = new ArrayList<>();
  private final Engine engine;
  private final Targets targets;
  private final TaskInputOutputContext<?, ?, ?, ?> context;
  private final Sink<H> sink;

  /**
   * @param context of the task, for the counters
   */
  public HostBatch(Engine engine, TaskInputOutputContext<?, ?, ?, ?> context, Sink<H> sink) {
    this(engine, engine.targets(), context, sink);
  }

  /**
   * @param targets with the weight of each language in the scores
   * @param context of the task, for the counters
   */
  public HostBatch(
      Engine engine, Targets targets, TaskInputOutputContext<?, ?, ?, ?> context, Sink<H> sink) {
    this.engine = engine;
    this.targets = targets;
    this.context = context;
    this.sink = sink;
  }

  /**
   * Adds a host, and scores all that were added if they are enough.
   *
   * @param parts sums over disjoint rows of the host
   */
  public void add(H host, Iterable<HostSums> parts) throws IOException, InterruptedException {
    hosts.add(host);
    sums.add(HostSums.total(parts));
    if (hosts.size() == MOST) {
      finish();
    }
  }

  /** Scores the hosts that are left. */
  public void finish() throws IOException, InterruptedException {
    HostScore[] scores =
        engine.scores(
            sums.stream().map(host -> host.totals().weighted(targets)).toArray(HostTotals[]::new));
    long withText = 0;
    long bytes = 0;
    for (int i = 0; i < scores.length; i++) {
      long ofHost = sums.get(i).totals().targetBytes();
      withText += ofHost > 0 ? 1 : 0;
      bytes += Math.min(ofHost, MAX_HOST_BYTES);
      ScoreCounter.countStop(scores[i].stop(), sums.get(i).pages(), context);
      sink.accept(hosts.get(i), sums.get(i), scores[i]);
    }
    context.getCounter(ScoreCounter.HOSTS_SCORED).increment(hosts.size());
    context.getCounter(ScoreCounter.HOSTS_WITH_TEXT).increment(withText);
    context.getCounter(ScoreCounter.TARGET_BYTES).increment(bytes);
    hosts.clear();
    sums.clear();
  }
}
