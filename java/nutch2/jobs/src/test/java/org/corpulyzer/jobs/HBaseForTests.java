package org.corpulyzer.jobs;

import java.io.File;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * ZooKeeper, a master and a region server in this JVM, on loopback and free ports, data in a local
 * folder.
 */
final class HBaseForTests implements AutoCloseable {

  private static final int TICK_MILLIS = 2000;

  private static HBaseForTests shared;

  private final File folder;
  private final ServerCnxnFactory zooKeeper = new NIOServerCnxnFactory();
  private final LocalHBaseCluster cluster;

  /**
   * @param folder where its data goes; it is made, and must not be used yet
   */
  HBaseForTests(File folder) throws Exception {
    this.folder = folder.getAbsoluteFile();
    // Without this a second start in one process is refused: metrics are registered by name.
    DefaultMetricsSystem.setMiniClusterMode(true);
    File zooKeeperData = new File(folder, "zookeeper");
    zooKeeper.configure(new InetSocketAddress("127.0.0.1", 0), 0);
    zooKeeper.startup(new ZooKeeperServer(zooKeeperData, zooKeeperData, TICK_MILLIS));

    Configuration conf = HBaseConfiguration.create();
    configure(conf);
    conf.set(HConstants.HBASE_DIR, new File(this.folder, "hbase").toURI().toString());
    for (String role : new String[] {"master", "regionserver"}) {
      conf.set("hbase." + role + ".ipc.address", "127.0.0.1");
      conf.set("hbase." + role + ".hostname", "localhost");
      conf.setInt("hbase." + role + ".port", 0);
      conf.setInt("hbase." + role + ".info.port", -1);
    }
    // One region server, and waits made for large clusters: most of a small test would be sleep.
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.interval", 50);
    conf.setInt("hbase.master.event.waiting.time", 20);
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setInt("hbase.server.thread.wakefrequency", 100);
    cluster = new LocalHBaseCluster(conf, 1, 1);
    cluster.startup();
    while (cluster.getActiveMaster() == null || !cluster.getActiveMaster().isInitialized()) {
      Thread.sleep(50);
    }
  }

  /**
   * @return one for all tests of this JVM, which ends with it; tests take a crawl id of their own
   */
  static synchronized HBaseForTests shared() throws Exception {
    if (shared == null) {
      File folder = new File("hbase-for-tests");
      FileUtil.fullyDelete(folder);
      shared = new HBaseForTests(folder);
    }
    return shared;
  }

  /** Tells a client where the servers are, and Hadoop where its local folders are. */
  void configure(Configuration conf) {
    conf.set("hadoop.tmp.dir", new File(folder, "tmp").getPath());
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.getLocalPort());
    // A server that is gone fails a test in seconds, not after the default's quarter of an hour.
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 6);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 5000);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 10000);
    conf.setInt("zookeeper.recovery.retry", 1);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 10);
  }

  /** Takes the only region server away. */
  void stopRegionServer() throws InterruptedException {
    cluster.getRegionServer(0).abort("a test wants it gone");
    cluster.waitOnRegionServer(0);
  }

  @Override
  public void close() {
    cluster.shutdown();
    cluster.join();
    zooKeeper.shutdown();
  }
}
