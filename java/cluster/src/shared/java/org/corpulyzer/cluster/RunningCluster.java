package org.corpulyzer.cluster;

import static org.junit.Assert.assertEquals;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.rules.ExternalResource;
import org.junit.rules.RuleChain;
import org.junit.rules.TestRule;

/**
 * A cluster that runs as long as the tests of a class. It fails the class if anything listened on
 * another address than loopback.
 *
 * @param <C> the cluster
 */
public final class RunningCluster<C extends RunningCluster.Cluster> extends ExternalResource {
  /** Servers of this JVM, and what they start. */
  public interface Cluster extends Closeable {
    /**
     * @return sockets on another address than loopback that this process or one that it started has
     *     listened on until now
     */
    Set<String> strayListeners();
  }

  private final Callable<C> start;
  private C cluster;

  /**
   * @param start starts the cluster
   */
  public RunningCluster(Callable<C> start) {
    this.start = start;
  }

  /**
   * @param seconds after which the class fails, the start of the cluster included
   * @return this rule inside a deadline, as a class rule
   */
  public TestRule within(int seconds) {
    return RuleChain.outerRule(new Deadline(seconds)).around(this);
  }

  /**
   * @return the cluster, which runs
   */
  public C get() {
    return cluster;
  }

  @Override
  protected void before() throws Exception {
    cluster = start.call();
  }

  @Override
  protected void after() {
    try {
      assertEquals(Collections.emptySet(), cluster.strayListeners());
    } finally {
      close();
    }
  }

  private void close() {
    try {
      cluster.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the cluster did not stop", e);
    }
  }
}
