package org.corpulyzer.cluster;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * HDFS, YARN with the job history server, ZooKeeper and HBase with its files on HDFS and two region
 * servers, all in this JVM; the containers of jobs and the clients are processes of their own.
 * Everything listens on loopback alone, and a watch fails the test otherwise.
 */
final class Cluster implements RunningCluster.Cluster {

  private static final int TICK_MILLIS = 2000;
  private static final int YARN_SECONDS = 240;
  private static final int WAIT_MILLIS = 240_000;

  final Path folder;

  /** Nutch's job file with the plugin in it, for Urdu. */
  final Path job;

  private final ServerCnxnFactory zooKeeper = new NIOServerCnxnFactory();
  private final MiniDFSCluster hdfs;
  private final LocalHBaseCluster hbase;
  private final MiniMRYarnCluster yarn;
  private final Configuration hbaseConf;
  private final Connection connection;
  private final ListenerWatch watch = new ListenerWatch();

  /**
   * @param name of a folder for its files under the working folder; what is there goes
   */
  Cluster(String name) throws Exception {
    folder = new File(name).getAbsoluteFile().toPath();
    FileUtil.fullyDelete(folder.toFile());
    Files.createDirectories(folder);
    // Metrics are registered by name, and there are two region servers.
    DefaultMetricsSystem.setMiniClusterMode(true);

    zooKeeper.configure(new InetSocketAddress("127.0.0.1", 0), 0);
    File coordination = folder.resolve("zookeeper").toFile();
    zooKeeper.startup(new ZooKeeperServer(coordination, coordination, TICK_MILLIS));

    Configuration hdfsConf = new Configuration();
    hdfsConf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
    hdfs = new MiniDFSCluster.Builder(hdfsConf).numDataNodes(1).build();

    hbaseConf = hbaseConfiguration();
    hbase = new LocalHBaseCluster(hbaseConf, 1, 2);
    hbase.startup();
    yarn = new MiniMRYarnCluster(name);
    yarn.init(yarnConfiguration());
    FutureTask<Void> yarnStart = new FutureTask<>(yarn::start, null);
    Thread starter = new Thread(yarnStart, "yarn start");
    starter.setDaemon(true);
    starter.start();
    job = folder.resolve("apache-nutch-2.4.job");
    JobFile.build(this, job);
    JobZip.install(job, "ur");
    connection = ConnectionFactory.createConnection(hbaseConf);
    while (hbase.getActiveMaster() == null || !hbase.getActiveMaster().isInitialized()) {
      Thread.sleep(50);
    }
    // It waits for ever for a job history server that did not start.
    yarnStart.get(YARN_SECONDS, TimeUnit.SECONDS);
    YarnSettings.writeClient(yarn.getConfig(), clientConfiguration());
  }

  private Configuration hbaseConfiguration() {
    Configuration conf = HBaseConfiguration.create();
    setClient(conf);
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    conf.set("hbase.rootdir", hdfs.getURI() + "/hbase");
    for (String role : new String[] {"master", "regionserver"}) {
      conf.set("hbase." + role + ".ipc.address", "127.0.0.1");
      conf.set("hbase." + role + ".hostname", "localhost");
      conf.setInt("hbase." + role + ".port", 0);
      conf.setInt("hbase." + role + ".info.port", -1);
    }
    conf.setBoolean("hbase.master.infoserver.redirect", false);
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 2);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 2);
    conf.setInt("hbase.regionserver.handler.count", 12);
    conf.setInt("hbase.regionserver.msginterval", 500);
    conf.setFloat("hfile.block.cache.size", 0.1f);
    // The machine does not lose power during a test.
    conf.setBoolean("hbase.procedure.store.wal.use.hsync", false);
    conf.set("hbase.coprocessor.user.region.classes", FaultObserver.class.getName());
    return conf;
  }

  /**
   * @return HDFS, which is open as long as the cluster is
   */
  FileSystem files() throws IOException {
    return hdfs.getFileSystem();
  }

  /** Sets the properties that a client of HBase needs: its {@code hbase-site.xml}. */
  void setClient(Configuration conf) {
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeper.getLocalPort());
    // Clients load jars from a folder here, too.
    conf.set("hbase.tmp.dir", folder.resolve("hbase-tmp").toString());
    // Few rows a call, so that a region is read and written in many: a fault can come in between.
    conf.setInt("hbase.client.scanner.caching", 10);
    conf.setInt("hbase.client.write.buffer", 1024);
  }

  private Configuration yarnConfiguration() {
    Configuration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    YarnSettings.set(conf);
    return conf;
  }

  Path clientConfiguration() {
    return folder.resolve("etc");
  }

  Connection connection() {
    return connection;
  }

  /**
   * @return the jobs of YARN: id to final status (UNDEFINED while it runs), a blank, and name
   */
  Map<String, String> applications() {
    Map<String, String> applications = new TreeMap<>();
    for (RMApp application : yarn.getResourceManager().getRMContext().getRMApps().values()) {
      applications.put(
          application.getApplicationId().toString(),
          application.getFinalApplicationStatus() + " " + application.getName());
    }
    return applications;
  }

  /** Waits until so many jobs of this name have an application master that runs. */
  void awaitRunning(String name, int count) throws InterruptedException, TimeoutException {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    while (yarn.getResourceManager().getRMContext().getRMApps().values().stream()
            .filter(
                application ->
                    application.getName().equals(name)
                        && application.getState() == RMAppState.RUNNING)
            .count()
        < count) {
      if (System.currentTimeMillis() > end) {
        throw new TimeoutException(
            count + " jobs " + name + " never ran at once: " + applications());
      }
      Thread.sleep(50);
    }
  }

  /** Takes a region server away without letting it finish anything; its regions go to another. */
  void killRegionServer(String name) {
    for (HRegionServer server : liveRegionServers()) {
      if (server.getServerName().toString().equals(name)) {
        // From another thread: a handler of the server that calls this has to end.
        new Thread(() -> server.abort("a test wants it gone"), "abort").start();
      }
    }
  }

  /** Takes every region server away. */
  void killRegionServers() {
    liveRegionServers().forEach(server -> killRegionServer(server.getServerName().toString()));
  }

  private List<HRegionServer> liveRegionServers() {
    return hbase.getRegionServers().stream()
        .filter(Thread::isAlive)
        .map(JVMClusterUtil.RegionServerThread::getRegionServer)
        .filter(server -> !server.isAborted() && !server.isStopped())
        .collect(Collectors.toList());
  }

  /** Starts region servers until so many serve. */
  void requireRegionServers(int count) throws IOException {
    for (int missing = count - liveRegionServers().size(); missing > 0; missing--) {
      JVMClusterUtil.RegionServerThread server =
          hbase.addRegionServer(new Configuration(hbaseConf), hbase.getRegionServers().size());
      server.start();
      server.waitForServerOnline();
    }
  }

  @Override
  public Set<String> strayListeners() {
    return watch.stray();
  }

  @Override
  public void close() throws IOException {
    connection.close();
    hbase.shutdown();
    hbase.join();
    yarn.stop();
    hdfs.shutdown();
    zooKeeper.shutdown();
    watch.close();
  }
}
