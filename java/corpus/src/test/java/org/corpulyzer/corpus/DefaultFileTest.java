package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;

import java.nio.file.Paths;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class DefaultFileTest {

  @Test
  public void hadoopReadsTheFileOfDefaultsAsAConfiguration() {
    String file =
        Paths.get(System.getProperty("corpulyzer.root"), "nutch-conf", "corpulyzer-default.xml")
            .toString();
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(file));
    Map<String, String> read = new TreeMap<>();
    conf.forEach(property -> read.put(property.getKey(), property.getValue()));
    Map<String, String> documented = new TreeMap<>();
    Settings.properties().forEach((name, row) -> documented.put(name, row.value()));
    // Hadoop leaves out properties without a value.
    documented.values().removeIf(String::isEmpty);
    read.values().removeIf(value -> value == null || value.isEmpty());
    assertEquals(documented, read);
  }
}
