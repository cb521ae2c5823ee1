package org.corpulyzer.paper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.corpulyzer.fixtures.Listeners;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LocalHBaseTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] FAMILY = bytes("f");
  private static final String[] NOBODY = {
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"
  };

  /** The exit code of bash's {@code read} is larger than this after a timeout. */
  private static final int TIMEOUT_CODE = 128;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 180_000)
  public void everySocketThatListensIsOnTheLoopbackAddressAndTablesOutliveARestart()
      throws Exception {
    try (LocalHBase hbase = start()) {
      try (Admin admin = hbase.connection().getAdmin()) {
        admin.createTable(new HTableDescriptor(NAME).addFamily(new HColumnDescriptor(FAMILY)));
      }
      try (Table table = hbase.connection().getTable(NAME)) {
        table.put(new Put(bytes("row")).addColumn(FAMILY, bytes("q"), bytes("value")));
      }
      hbase.flush();
      List<String> addresses = Listeners.addresses();
      assertTrue("ZooKeeper, master and region server listen: " + addresses, addresses.size() >= 3);
      for (String address : addresses) {
        assertTrue(address, Listeners.isLoopback(address));
      }
    }
    try (LocalHBase hbase = start();
        Table table = hbase.connection().getTable(NAME)) {
      assertArrayEquals(
          bytes("value"), table.get(new Get(bytes("row"))).getValue(FAMILY, bytes("q")));
    }
    assertEquals("nothing listens after a clean stop", 0, Listeners.addresses().size());
  }

  @Test(timeout = 180_000)
  public void theServersCloseConnectionsOfOtherUsers() throws Exception {
    try (LocalHBase hbase = start()) {
      Configuration client = new Configuration(false);
      hbase.configure(client);
      int zooKeeper = client.getInt("hbase.zookeeper.property.clientPort", 0);
      assertEquals("imok", zooKeeperAnswer(zooKeeper));
      assumeTrue("skipped: no root, who may act as another user", isRoot());
      assertEquals("", zooKeeperAnswer(zooKeeper, NOBODY));
      for (int port : Listeners.ports()) {
        // No server speaks first: to one of the same user the connection stays open.
        String ask = "exec 3<>/dev/tcp/127.0.0.1/" + port + "; read -rt 2 <&3; echo $?";
        assertTrue("" + port, Integer.parseInt(output(ask)) > TIMEOUT_CODE);
        assertEquals("" + port, "1", output(ask, NOBODY));
      }
    }
  }

  @Test(timeout = 180_000)
  public void withoutTheAgentNoServerIsStarted() throws Exception {
    System.clearProperty(LocalHBase.PEERS_CHECKED);
    try {
      start().close();
      fail("HBase was started");
    } catch (IOException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("-javaagent"));
    } finally {
      System.setProperty(LocalHBase.PEERS_CHECKED, "true");
    }
  }

  private static boolean isRoot() throws Exception {
    return output("id -u").equals("0");
  }

  private static String zooKeeperAnswer(int port, String... as) throws Exception {
    return output("exec 3<>/dev/tcp/127.0.0.1/" + port + "; echo ruok >&3; timeout 10 cat <&3", as);
  }

  private static String output(String script, String... as) throws Exception {
    List<String> command = new ArrayList<>(Arrays.asList(as));
    command.addAll(Arrays.asList("bash", "-c", script));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.trim();
  }

  private LocalHBase start() throws Exception {
    return LocalHBase.start(
        folder.getRoot().toPath().resolve("hbase"),
        folder.getRoot().toPath().resolve("zookeeper"),
        0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
