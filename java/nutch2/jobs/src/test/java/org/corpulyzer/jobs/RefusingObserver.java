package org.corpulyzer.jobs;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.BaseRegionObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.wal.WALEdit;

/** A region that refuses what stock updatedb asks of it, and takes scores. */
public class RefusingObserver extends BaseRegionObserver {

  static volatile boolean refusesGets;
  static volatile boolean refusesPuts;
  static volatile boolean refusesScores;

  /** Number of refused calls. */
  static volatile int refused;

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells)
      throws DoNotRetryIOException {
    if (refusesGets) {
      refuse();
    }
  }

  @Override
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Put put,
      WALEdit edit,
      Durability durability)
      throws DoNotRetryIOException {
    if (refusesPuts && put.size() > 1 || refusesScores) {
      refuse();
    }
  }

  private static void refuse() throws DoNotRetryIOException {
    refused++;
    throw new DoNotRetryIOException("refused by the test");
  }
}
