package org.corpulyzer.cluster;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * HDFS, YARN with the job history server, ZooKeeper and HBase with its files on HDFS and two region servers, all in this JVM; the
 * containers of jobs and the clients are processes of their own. Everything listens on loopback alone, and a watch says when not.
 */
final class Cluster implements AutoCloseable {

  private static final int TICK_MILLIS = 2000;
  private static final int YARN_SECONDS = 240;
  private static final int WAIT_MILLIS = 240_000;
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED";
  /** Small and quick to start. */
  private static final String JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + OPENS + " -Djdk.net.hosts.file="
      + System.getProperty("jdk.net.hosts.file");

  final Path folder;
  /** Nutch's job file with the plugin in it, for Urdu. */
  final Path job;
  private final ServerCnxnFactory zooKeeper = new NIOServerCnxnFactory();
  private final MiniDFSCluster hdfs;
  private final LocalHBaseCluster hbase;
  private final MiniMRYarnCluster yarn;
  private final Configuration hbaseConf;
  private final Connection connection;
  private final Set<String> stray = Collections.synchronizedSet(new TreeSet<>());
  private final Thread watch = new Thread(this::watch, "listeners");

  /** @param name of a folder for its files under the working folder; what is there goes */
  Cluster(String name) throws Exception {
    folder = new File(name).getAbsoluteFile().toPath();
    FileUtil.fullyDelete(folder.toFile());
    Files.createDirectories(folder);
    watch.setDaemon(true);
    watch.start();
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
    JobFile.install(job, "ur");
    connection = ConnectionFactory.createConnection(hbaseConf);
    while (hbase.getActiveMaster() == null || !hbase.getActiveMaster().isInitialized()) {
      Thread.sleep(50);
    }
    // It waits for ever for a job history server that did not start.
    yarnStart.get(YARN_SECONDS, TimeUnit.SECONDS);
    writeClientConfiguration();
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
    // Nobody pulls the plug.
    conf.setBoolean("hbase.procedure.store.wal.use.hsync", false);
    conf.set("hbase.coprocessor.user.region.classes", FaultObserver.class.getName());
    return conf;
  }

  /** @return HDFS, which is open as long as the cluster is */
  FileSystem files() throws IOException {
    return hdfs.getFileSystem();
  }

  /** What a client of HBase needs to know: its {@code hbase-site.xml}. */
  void setClient(Configuration conf) {
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", zooKeeper.getLocalPort());
    // Few rows a call, so that a region is read and written in many: a fault can come in between.
    conf.setInt("hbase.client.scanner.caching", 10);
    conf.setInt("hbase.client.write.buffer", 1024);
  }

  private Configuration yarnConfiguration() {
    Configuration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.setInt("yarn.minicluster.yarn.nodemanager.resource.memory-mb", 6144);
    conf.setInt("yarn.nodemanager.resource.cpu-vcores", 16);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    conf.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 1f);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    // A disk that is nearly full is no reason to run nothing.
    conf.setFloat("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100f);
    // The timer of that many milliseconds keeps the JVM alive.
    conf.setInt("yarn.nm.liveness-monitor.expiry-interval-ms", 20_000);
    // Jobs here are small: what takes their time is waiting.
    conf.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
    conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 100);
    conf.setInt("mapreduce.client.completion.pollinterval", 200);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 200);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("mapreduce.reduce.memory.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m");
    conf.set("yarn.app.mapreduce.am.admin-command-opts", JVM + " -javaagent:" + System.getProperty("corpulyzer.agent"));
    conf.set("mapreduce.admin.map.child.java.opts", JVM);
    conf.set("mapreduce.admin.reduce.child.java.opts", JVM);
    return conf;
  }

  /** Writes the {@code etc/hadoop} of a client: what this cluster sets beyond Hadoop's defaults. */
  private void writeClientConfiguration() throws IOException {
    Configuration defaults = new YarnConfiguration();
    Configuration client = new Configuration(false);
    for (Map.Entry<String, String> entry : yarn.getConfig()) {
      if (!entry.getValue().equals(defaults.getRaw(entry.getKey()))) {
        client.set(entry.getKey(), entry.getValue());
      }
    }
    Files.createDirectories(clientConfiguration());
    // Each is read after the defaults of its part of Hadoop.
    for (String part : new String[] {"core", "hdfs", "yarn", "mapred"}) {
      try (OutputStream out = Files.newOutputStream(clientConfiguration().resolve(part + "-site.xml"))) {
        client.writeXml(out);
      }
    }
    String log = "log4j.rootLogger=INFO, console\nlog4j.appender.console=org.apache.log4j.ConsoleAppender\n"
        + "log4j.appender.console.target=System.err\nlog4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
        + "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p %c{2} - %m%n\n";
    Files.write(clientConfiguration().resolve("log4j.properties"), log.getBytes(StandardCharsets.US_ASCII));
  }

  Path clientConfiguration() {
    return folder.resolve("etc");
  }

  Connection connection() {
    return connection;
  }

  /** @return the jobs that YARN knows: id to final status (UNDEFINED while it runs), a blank, and name */
  Map<String, String> applications() {
    Map<String, String> applications = new TreeMap<>();
    for (RMApp application : yarn.getResourceManager().getRMContext().getRMApps().values()) {
      applications.put(application.getApplicationId().toString(), application.getFinalApplicationStatus() + " " + application.getName());
    }
    return applications;
  }

  /** Waits until so many jobs of this name have an application master that runs. */
  void awaitRunning(String name, int count) throws InterruptedException, TimeoutException {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    while (yarn.getResourceManager().getRMContext().getRMApps().values().stream()
        .filter(application -> application.getName().equals(name) && application.getState() == RMAppState.RUNNING).count() < count) {
      if (System.currentTimeMillis() > end) {
        throw new TimeoutException(count + " jobs " + name + " never ran at once: " + applications());
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
    return hbase.getRegionServers().stream().filter(Thread::isAlive).map(JVMClusterUtil.RegionServerThread::getRegionServer)
        .filter(server -> !server.isAborted() && !server.isStopped()).collect(Collectors.toList());
  }

  /** Starts region servers until so many serve. */
  void requireRegionServers(int count) throws IOException {
    for (int missing = count - liveRegionServers().size(); missing > 0; missing--) {
      JVMClusterUtil.RegionServerThread server = hbase.addRegionServer(new Configuration(hbaseConf), hbase.getRegionServers().size());
      server.start();
      server.waitForServerOnline();
    }
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        stray.addAll(Processes.strayListeners());
        Thread.sleep(500);
      } catch (IOException e) {
        stray.add(e.toString());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** @return sockets on another address than loopback that this process or one that it started has listened on until now */
  Set<String> strayListeners() {
    return stray;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    hbase.shutdown();
    hbase.join();
    yarn.stop();
    hdfs.shutdown();
    zooKeeper.shutdown();
    watch.interrupt();
  }
}
