package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.gora.hbase.store.HBaseStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.StorageUtils;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Location of Nutch's web table in HBase: its name and the columns of its fields, by the operator's
 * Gora mapping. The mapping is read directly, because HBaseStore creates a missing table and never
 * closes its connection.
 */
final class WebTable {

  private final TableName name;
  private final Map<String, HBaseColumn> columns;

  private WebTable(TableName name, Map<String, HBaseColumn> columns) {
    this.name = name;
    this.columns = columns;
  }

  /**
   * @param conf Nutch's configuration; {@code storage.crawl.id} prefixes the table's name
   * @throws CorpulyzerException when web pages are not stored in HBase, or the mapping lacks what
   *     is needed
   */
  static WebTable of(Configuration conf) throws IOException {
    requireHBase(conf);
    String crawlId = conf.get(Nutch.CRAWL_ID_KEY, "");
    // StorageUtils.createWebStore gives the table this name, whatever the mapping has.
    return new WebTable(TableName.valueOf(prefix(crawlId) + "webpage"), readMapping(conf));
  }

  /**
   * @return the web table of {@link #of}, which is there
   * @throws CorpulyzerException when HBase has no such table
   * @throws IOException if HBase does not respond
   */
  static WebTable existing(Configuration conf) throws IOException {
    WebTable table = of(conf);
    try (Connection connection = HBase.connect(conf);
        Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(table.name())) {
        throw new CorpulyzerException(
            "HBase has no table '" + table.name() + "': inject seeds first, or correct -crawlId.");
      }
    } catch (IOException e) {
      // HBase's own words name no place.
      Configuration hbase = HBase.configuration(conf);
      throw new IOException(
          "HBase could not be asked for the table '"
              + table.name()
              + "' ("
              + e.getMessage()
              + "): does it run, where "
              + "hbase.zookeeper.quorum is "
              + hbase.get(HConstants.ZOOKEEPER_QUORUM)
              + " and hbase.zookeeper.property.clientPort is "
              + hbase.get(HConstants.ZOOKEEPER_CLIENT_PORT)
              + "?",
          e);
    }
    return table;
  }

  /**
   * @return Nutch's prefix of the names of a crawl's tables
   */
  static String prefix(String crawlId) {
    return crawlId.isEmpty() ? "" : crawlId + "_";
  }

  TableName name() {
    return name;
  }

  /**
   * @return family and qualifier of a field; a map's column has no qualifier
   */
  HBaseColumn column(WebPage.Field field) {
    HBaseColumn column = columns.get(field.getName());
    if (column == null) {
      throw new CorpulyzerException(
          "The Gora mapping of "
              + WebPage.class.getName()
              + " has no field '"
              + field.getName()
              + "'.");
    }
    return column;
  }

  private static void requireHBase(Configuration conf) {
    String found;
    try {
      Class<?> store = StorageUtils.getDataStoreClass(conf);
      if (HBaseStore.class.isAssignableFrom(store)) {
        return;
      }
      found = store.getName();
    } catch (ClassNotFoundException e) {
      found = e.getMessage() + ", which is not on the class path";
    }
    throw new CorpulyzerException(
        "storage.data.store.class is "
            + found
            + "; LRL scores need "
            + HBaseStore.class.getName()
            + ".");
  }

  private static Map<String, HBaseColumn> readMapping(Configuration conf) throws IOException {
    String file = conf.get(HBaseStore.PARSE_MAPPING_FILE_KEY, HBaseStore.DEFAULT_MAPPING_FILE);
    try (InputStream in = HBaseStore.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new CorpulyzerException(
            "The Gora mapping "
                + file
                + " is not on the class path; it belongs in Nutch's conf folder.");
      }
      Document mapping = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
      NodeList classes = mapping.getElementsByTagName("class");
      for (int i = 0; i < classes.getLength(); i++) {
        Element mapped = (Element) classes.item(i);
        if (mapped.getAttribute("name").equals(WebPage.class.getName())
            && mapped.getAttribute("keyClass").equals(String.class.getName())) {
          return fields(mapped);
        }
      }
      throw new CorpulyzerException(
          "The Gora mapping "
              + file
              + " has no class "
              + WebPage.class.getName()
              + " with String keys.");
    } catch (ParserConfigurationException | SAXException e) {
      throw new CorpulyzerException(
          "The Gora mapping " + file + " is not readable: " + e.getMessage() + ".", e);
    }
  }

  private static Map<String, HBaseColumn> fields(Element mapped) {
    Map<String, HBaseColumn> columns = new HashMap<>();
    NodeList fields = mapped.getElementsByTagName("field");
    for (int i = 0; i < fields.getLength(); i++) {
      Element field = (Element) fields.item(i);
      byte[] qualifier =
          field.hasAttribute("qualifier") ? HBase.utf8(field.getAttribute("qualifier")) : null;
      columns.put(
          field.getAttribute("name"),
          new HBaseColumn(HBase.utf8(field.getAttribute("family")), qualifier));
    }
    return columns;
  }
}
