package org.corpulyzer.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Settings of a YARN cluster for tests: small jobs, and containers that start quickly and listen on
 * loopback alone.
 */
public final class YarnSettings {

  private static final String OPENS =
      "--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED";

  /** Small and quick to start. */
  private static final String JVM =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
          + OPENS
          + " -Djdk.net.hosts.file="
          + System.getProperty("jdk.net.hosts.file");

  private YarnSettings() {}

  /** Sets what a node manager, a resource manager and the containers of jobs need here. */
  public static void set(Configuration conf) {
    conf.setInt("yarn.minicluster.yarn.nodemanager.resource.memory-mb", 6144);
    conf.setInt("yarn.nodemanager.resource.cpu-vcores", 16);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    conf.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 1f);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    // YARN must run containers even if the disk is nearly full.
    conf.setFloat(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100f);
    // The timer of that many milliseconds keeps the JVM alive.
    conf.setInt("yarn.nm.liveness-monitor.expiry-interval-ms", 20_000);
    // The jobs of the tests are small: most of their time is waiting.
    conf.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
    conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 100);
    conf.setInt("mapreduce.client.completion.pollinterval", 200);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 200);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("mapreduce.reduce.memory.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m");
    conf.set(
        "yarn.app.mapreduce.am.admin-command-opts",
        JVM + " -javaagent:" + System.getProperty("corpulyzer.agent"));
    conf.set("mapreduce.admin.map.child.java.opts", JVM);
    conf.set("mapreduce.admin.reduce.child.java.opts", JVM);
  }

  /**
   * Writes the {@code etc/hadoop} of a client.
   *
   * @param cluster what the cluster runs with; Hadoop's defaults are left out
   */
  public static void writeClient(Configuration cluster, Path folder) throws IOException {
    Configuration defaults = new YarnConfiguration();
    Configuration client = new Configuration(false);
    for (Map.Entry<String, String> entry : cluster) {
      if (!entry.getValue().equals(defaults.getRaw(entry.getKey()))) {
        client.set(entry.getKey(), entry.getValue());
      }
    }
    Files.createDirectories(folder);
    // Each is read after the defaults of its part of Hadoop.
    for (String part : new String[] {"core", "hdfs", "yarn", "mapred"}) {
      try (OutputStream out = Files.newOutputStream(folder.resolve(part + "-site.xml"))) {
        client.writeXml(out);
      }
    }
    String log =
        "log4j.rootLogger=INFO, console\n"
            + "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.console.target=System.err\n"
            + "log4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p %c{2} - %m%n\n";
    Files.write(folder.resolve("log4j.properties"), log.getBytes(StandardCharsets.US_ASCII));
  }
}
