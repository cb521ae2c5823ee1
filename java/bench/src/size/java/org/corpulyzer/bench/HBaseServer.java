package org.corpulyzer.bench;

import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.paper.LocalHBase;

/**
 * HBase in a process of its own, so that its heap and its processor time are not those of the jobs.
 * It ends with its standard input.
 */
final class HBaseServer {

  private HBaseServer() {}

  /** Prints {@code port N} when tables can be used. {@code <folder>} */
  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[0]);
    try (LocalHBase hbase =
        LocalHBase.start(folder.resolve("tables"), folder.resolve("zookeeper"), 0)) {
      Configuration client = new Configuration(false);
      hbase.configure(client);
      System.out.println("port " + client.get("hbase.zookeeper.property.clientPort"));
      while (System.in.read() >= 0) {
        // The benchmark writes nothing: it closes the pipe.
      }
    }
    System.exit(0);
  }
}
