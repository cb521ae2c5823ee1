package org.corpulyzer.paper;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TrackedConnection;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * ZooKeeper, an HBase master and a region server in this process, on the loopback interface alone,
 * with the data in a local folder.
 *
 * <p>HBase 1.2 has no authentication without Kerberos. The JVM must therefore run with the agent of
 * the cluster tests, which closes connections from processes of other users.
 *
 * <p>What outlives {@code kill -9}: everything up to the last sync of the write-ahead log. Hadoop's
 * local file system would hold the log back in its checksum buffer (HBASE-3696), so its checksums
 * are switched off (HBase keeps its own). {@link #flush()} after each phase puts the tables into
 * store files, so that not even the log is needed.
 */
public final class LocalHBase implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int TICK_MILLIS = 2000;

  /** The system property that the agent sets. */
  static final String PEERS_CHECKED = "corpulyzer.peers.checked";

  private static final int SESSION_MILLIS = 40_000;

  private final ServerCnxnFactory zooKeeper;
  private final LocalHBaseCluster cluster;
  private final Configuration client;
  private final Connection connection;

  private LocalHBase(
      ServerCnxnFactory zooKeeper,
      LocalHBaseCluster cluster,
      Configuration client,
      Connection connection) {
    this.zooKeeper = zooKeeper;
    this.cluster = cluster;
    this.client = client;
    this.connection = connection;
  }

  /**
   * Starts both and waits until tables can be used.
   *
   * @param tables folder of HBase's files
   * @param coordination folder of ZooKeeper's files; after a crash, HBase finds in them the server
   *     whose log it must read for its table of tables
   * @param zooKeeperPort 0 for any free port
   */
  public static LocalHBase start(Path tables, Path coordination, int zooKeeperPort)
      throws IOException {
    if (!Boolean.getBoolean(PEERS_CHECKED)) {
      throw new IOException(
          "HBase is not started: any user of this machine could connect to it; start the JVM with"
              + " -javaagent:loopback-agent.jar of java/cluster");
    }
    ServerCnxnFactory zooKeeper = null;
    LocalHBaseCluster cluster = null;
    try {
      // Without this a second start in one process is refused: metrics are registered by name.
      DefaultMetricsSystem.setMiniClusterMode(true);
      zooKeeper = startZooKeeper(coordination, zooKeeperPort);
      forgetDeadServers(zooKeeper.getLocalPort());
      Configuration conf = configuration(tables, zooKeeper.getLocalPort());
      FileSystem.get(conf).setWriteChecksum(false);
      cluster = new LocalHBaseCluster(conf, 1, 1);
      cluster.startup();
      Configuration client = clientConfiguration(zooKeeper.getLocalPort());
      return new LocalHBase(zooKeeper, cluster, client, ConnectionFactory.createConnection(client));
    } catch (BindException e) {
      throw new IOException(
          "port " + zooKeeperPort + " on " + LOOPBACK + " is taken; 0 stands for any free port", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while HBase was starting");
    } catch (IOException | RuntimeException e) {
      if (cluster != null) {
        cluster.shutdown();
      }
      if (zooKeeper != null) {
        zooKeeper.shutdown();
      }
      throw new IOException("HBase did not start in " + tables + " (" + e.getMessage() + ")", e);
    }
  }

  private static ServerCnxnFactory startZooKeeper(Path folder, int port)
      throws IOException, InterruptedException {
    ZooKeeperServer server =
        new ZooKeeperServer(
            folder.resolve("snapshots").toFile(), folder.resolve("log").toFile(), TICK_MILLIS);
    ServerCnxnFactory factory = new NIOServerCnxnFactory();
    int noLimit = 0;
    factory.configure(new InetSocketAddress(LOOPBACK, port), noLimit);
    factory.startup(server);
    return factory;
  }

  /**
   * Takes out the nodes by which the servers of a killed process still claim to be alive; ZooKeeper
   * itself would do so only when their sessions have run out.
   */
  private static void forgetDeadServers(int port) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(LOOPBACK + ":" + port, SESSION_MILLIS, event -> connected.countDown());
    try {
      if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("ZooKeeper does not answer on port " + port);
      }
      List<String> claims = new ArrayList<>(Collections.singletonList("/hbase/master"));
      if (client.exists("/hbase/rs", false) != null) {
        for (String server : client.getChildren("/hbase/rs", false)) {
          claims.add("/hbase/rs/" + server);
        }
      }
      for (String claim : claims) {
        if (client.exists(claim, false) != null) {
          client.delete(claim, -1);
        }
      }
    } catch (KeeperException e) {
      throw new IOException(e);
    } finally {
      client.close();
    }
  }

  private static Configuration clientConfiguration(int zooKeeperPort) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", LOOPBACK);
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    // A region server that is gone will not come back: give up within a minute or so, not after
    // half an hour.
    conf.setInt("hbase.client.retries.number", 8);
    conf.setInt("zookeeper.recovery.retry", 1);
    return conf;
  }

  private static Configuration configuration(Path tables, int zooKeeperPort) {
    Configuration conf = clientConfiguration(zooKeeperPort);
    conf.set("hbase.rootdir", tables.toUri().toString());
    conf.set("fs.defaultFS", "file:///");
    for (String role : new String[] {"master", "regionserver"}) {
      conf.setInt("hbase." + role + ".port", 0);
      conf.setInt("hbase." + role + ".info.port", -1);
      conf.set("hbase." + role + ".hostname", "localhost");
      conf.set("hbase." + role + ".ipc.address", LOOPBACK);
    }
    conf.setBoolean("hbase.master.infoserver.redirect", false);
    // There is one region server: waiting for more costs five seconds.
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.interval", 100);
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setInt("hbase.regionserver.handler.count", 8);
    conf.setInt("zookeeper.session.timeout", SESSION_MILLIS);
    conf.setInt("hbase.zookeeper.property.tickTime", TICK_MILLIS);
    conf.setFloat("hfile.block.cache.size", 0.2f);
    conf.setFloat("hbase.regionserver.global.memstore.size", 0.2f);
    // No code comes from a table or from a shared folder: HBase runs as the user, and has no
    // authentication here.
    conf.setBoolean("hbase.coprocessor.enabled", false);
    conf.setBoolean("hbase.coprocessor.user.enabled", false);
    conf.setBoolean("hbase.use.dynamic.jars", false);
    conf.set("hbase.tmp.dir", tables.resolveSibling("hbase-tmp").toString());
    // The jobs stop first.
    conf.setBoolean("hbase.shutdown.hook", false);
    return conf;
  }

  /** Sets what a client needs to know. */
  public void configure(Configuration conf) {
    for (String key :
        new String[] {
          "hbase.zookeeper.quorum",
          "hbase.zookeeper.property.clientPort",
          "hbase.client.retries.number",
          "zookeeper.recovery.retry"
        }) {
      conf.set(key, client.get(key));
    }
    conf.set("hbase.client.connection.impl", TrackedConnection.class.getName());
  }

  /** The one connection of the crawl's own code. */
  public Connection connection() {
    return connection;
  }

  /** Whether the master and the region server are still serving. */
  public boolean isAlive() {
    boolean serving = cluster.getActiveMaster() != null;
    for (JVMClusterUtil.RegionServerThread server : cluster.getRegionServers()) {
      serving &= server.isAlive() && !server.getRegionServer().isAborted();
    }
    return serving;
  }

  /**
   * Writes what is in memory of every table into store files, HBase's own table of tables first.
   */
  public void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TableName.META_TABLE_NAME);
      for (TableName table : admin.listTableNames()) {
        admin.flush(table);
      }
    }
  }

  /**
   * Stops HBase, then ZooKeeper. The tables are flushed by the region server as it closes its
   * regions.
   */
  @Override
  public void close() throws IOException {
    TrackedConnection.closeAll();
    connection.close();
    cluster.shutdown();
    cluster.join();
    zooKeeper.shutdown();
  }
}
