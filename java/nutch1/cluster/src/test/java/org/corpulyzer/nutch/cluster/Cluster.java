package org.corpulyzer.nutch.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.JobZip;
import org.corpulyzer.cluster.ListenerWatch;
import org.corpulyzer.cluster.RunningCluster;
import org.corpulyzer.cluster.YarnSettings;

/**
 * HDFS with one data node, and YARN with one node manager and the job history server, all in this
 * JVM; the containers of jobs and the clients are processes of their own. Everything listens on
 * loopback alone, and a watch fails the test otherwise.
 */
final class Cluster implements RunningCluster.Cluster {

  private static final int WAIT_MILLIS = 240_000;

  /** The arguments that bin/crawl passes to every job. */
  private static final List<String> COMMON =
      Arrays.asList(
          "-D",
          "mapreduce.job.reduces=2",
          "-D",
          "mapreduce.reduce.speculative=false",
          "-D",
          "mapreduce.map.speculative=false",
          "-D",
          "mapreduce.map.output.compress=true");

  private final Path folder;
  private final Path job;
  private final MiniDFSCluster hdfs;
  private final MiniMRYarnCluster yarn;
  private final ListenerWatch watch = new ListenerWatch();

  /**
   * @param name of a folder for its files under the working folder; what is there goes
   */
  Cluster(String name) throws Exception {
    folder =
        new File(name + "-" + System.getProperty("corpulyzer.nutch")).getAbsoluteFile().toPath();
    FileUtil.fullyDelete(folder.toFile());
    Files.createDirectories(folder);
    Configuration hdfsConf = new Configuration();
    hdfsConf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
    hdfs = new MiniDFSCluster.Builder(hdfsConf).numDataNodes(1).build();
    yarn = new MiniMRYarnCluster(name);
    Configuration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    YarnSettings.set(conf);
    yarn.init(conf);
    yarn.start();
    YarnSettings.writeClient(yarn.getConfig(), clientConfiguration());
    job = folder.resolve("apache-nutch-" + System.getProperty("corpulyzer.nutch") + ".job");
    JobFile.build(job);
  }

  private Path clientConfiguration() {
    return folder.resolve("etc");
  }

  /**
   * @return HDFS, which is open as long as the cluster is
   */
  FileSystem files() throws IOException {
    return hdfs.getFileSystem();
  }

  /**
   * @return a configuration that reads and writes HDFS
   */
  Configuration conf() {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", hdfs.getURI().toString());
    return conf;
  }

  /**
   * @return a folder on the disk of this machine
   */
  Path folder() {
    return folder;
  }

  /** Starts {@code hadoop jar apache-nutch-VERSION.job PROGRAM OPTIONS ARGUMENTS}. */
  Client start(String program, List<String> options, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(Collections.singletonList(program));
    all.addAll(COMMON);
    all.addAll(options);
    all.addAll(Arrays.asList(arguments));
    return Client.start(folder, clientConfiguration(), job, all);
  }

  /**
   * @return how many jobs YARN has been given until now
   */
  int jobs() {
    return yarn.getResourceManager().getRMContext().getRMApps().size();
  }

  /** Waits until no job runs. */
  void awaitIdle() throws InterruptedException, TimeoutException {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    for (RMApp application : yarn.getResourceManager().getRMContext().getRMApps().values()) {
      while (application.getFinalApplicationStatus() == FinalApplicationStatus.UNDEFINED) {
        if (System.currentTimeMillis() > end) {
          throw new TimeoutException(application.getName() + " still runs");
        }
        Thread.sleep(50);
      }
    }
  }

  @Override
  public Set<String> strayListeners() {
    return watch.stray();
  }

  @Override
  public void close() {
    yarn.stop();
    hdfs.shutdown();
    watch.close();
  }

  /**
   * The job file that {@code ant job} makes of Nutch 1.x, from the jars of Maven Central, with
   * Corpulyzer in it.
   */
  private static final class JobFile {

    private JobFile() {}

    private static void build(Path file) throws IOException, InterruptedException {
      try (JobZip zip = new JobZip(file)) {
        zip.add("parse-plugins.xml", resource("parse-plugins.xml"));
        for (String jar : System.getProperty("corpulyzer.nutch.jars").split(File.pathSeparator)) {
          Path path = Paths.get(jar);
          if (path.getFileName().toString().startsWith("nutch-1.")) {
            zip.unpack(path);
          } else {
            zip.add("lib/" + path.getFileName(), Files.readAllBytes(path));
          }
        }
        zip.add("nutch-site.xml", nutchSite());
        zip.addFolder(Paths.get(System.getProperty("corpulyzer.plugins")), "classes/plugins/");
      }
      JobZip.install(file, "ur");
    }

    private static byte[] resource(String name) throws IOException {
      return Cluster.class.getResourceAsStream("/" + name).readAllBytes();
    }

    /** Returns the settings of an operator before Corpulyzer is installed. */
    private static Configuration nutchSite() {
      Configuration site = new Configuration(false);
      site.set("plugin.includes", "parse-test");
      site.set("http.agent.name", "test");
      return site;
    }
  }
}
