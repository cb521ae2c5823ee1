package org.corpulyzer.jobs;

import static org.junit.Assert.assertTrue;

import java.nio.file.Paths;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.Test;

/** HBase loads jars from a local folder, whose default name in /tmp any user can make first. */
public class LocalJarsTest {
  @Test
  public void hbaseLoadsJarsFromAFolderOfTheBuildAlone() {
    String folder = HBaseConfiguration.create().get("hbase.local.dir");
    assertTrue(folder, Paths.get(folder).startsWith(Paths.get("").toAbsolutePath()));
  }
}
