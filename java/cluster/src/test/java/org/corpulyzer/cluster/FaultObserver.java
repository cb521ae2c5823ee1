package org.corpulyzer.cluster;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.BaseRegionObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.wal.WALEdit;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.cluster.Fault.Point;

/**
 * A coprocessor in every region of this JVM's servers. It recognises the jobs by the columns that
 * they read and write, and notifies {@link Fault}.
 */
public class FaultObserver extends BaseRegionObserver {

  private static final byte[] SCORE = Bytes.toBytes("s");
  private static final byte[] METADATA = Bytes.toBytes("mtdt");
  private static final byte[] OUTLINKS = Bytes.toBytes("ol");

  private final Map<InternalScanner, Point> scanners =
      Collections.synchronizedMap(new WeakHashMap<>());

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    Map<byte[], ?> families = scan.getFamilyMap();
    // The passes read scores and few other columns; stock jobs read links too.
    if (isTable(context, "_webpage")
        && families.containsKey(SCORE)
        && !families.containsKey(OUTLINKS)) {
      scanners.put(
          scanner,
          families.containsKey(METADATA) ? Point.SCAN_OF_HOST_PASS : Point.SCAN_OF_ROW_PASS);
    }
    return scanner;
  }

  /** Called before the region is locked for the scan, so that a fault may wait here for a split. */
  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasMore)
      throws IOException {
    Point point = scanners.get(scanner);
    if (point != null) {
      Fault.reached(point, context.getEnvironment());
    }
    return hasMore;
  }

  @Override
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Put put,
      WALEdit edit,
      Durability durability)
      throws IOException {
    if (isTable(context, "_corpulyzer_host") && put.getRow().length > 1) {
      // A shorter key is that of the log of runs.
      Fault.reached(Point.PUT_OF_HOST, context.getEnvironment());
    } else if (isTable(context, "_webpage")) {
      boolean isScore = put.size() == 1 && put.getFamilyCellMap().containsKey(SCORE);
      Fault.reached(isScore ? Point.PUT_OF_SCORE : Point.PUT_OF_UPDATE, context.getEnvironment());
    }
  }

  private static boolean isTable(
      ObserverContext<RegionCoprocessorEnvironment> context, String suffix) {
    return context.getEnvironment().getRegionInfo().getTable().getNameAsString().endsWith(suffix);
  }
}
