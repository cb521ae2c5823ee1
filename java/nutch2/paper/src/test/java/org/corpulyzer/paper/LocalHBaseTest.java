package org.corpulyzer.paper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LocalHBaseTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] FAMILY = bytes("f");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 180_000)
  public void everySocketThatListensIsOnTheLoopbackAddressAndTablesOutliveARestart() throws Exception {
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
    try (LocalHBase hbase = start(); Table table = hbase.connection().getTable(NAME)) {
      assertArrayEquals(bytes("value"), table.get(new Get(bytes("row"))).getValue(FAMILY, bytes("q")));
    }
    assertEquals("nothing listens after a clean stop", 0, Listeners.addresses().size());
  }

  private LocalHBase start() throws Exception {
    return LocalHBase.start(folder.getRoot().toPath().resolve("hbase"), folder.getRoot().toPath().resolve("zookeeper"), 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
