package org.corpulyzer.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The table of properties. The jar contains {@code nutch-conf/corpulyzer-default.xml}. */
final class PropertyTable {

  static final String FILE = "corpulyzer-default.xml";

  /** The properties by name, in the order of the file. */
  static final Map<String, Property> ALL = read();

  private PropertyTable() {}

  /** The elements of a row. */
  interface Elements {
    /**
     * @return the text of an element; empty if there is no such element
     */
    String text(String name);
  }

  private static Map<String, Property> read() {
    try (InputStream in = PropertyTable.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new CorpulyzerException(
            FILE + " is missing from corpulyzer-engine.jar; install Corpulyzer again.");
      }
      NodeList rows =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(in)
              .getElementsByTagName("property");
      Map<String, Property> table = new LinkedHashMap<>();
      for (int i = 0; i < rows.getLength(); i++) {
        Element row = (Element) rows.item(i);
        Property property = new Property(name -> text(row, name));
        table.put(property.key(), property);
      }
      return Collections.unmodifiableMap(table);
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new CorpulyzerException(
          FILE + " in corpulyzer-engine.jar cannot be read; install Corpulyzer again.", e);
    }
  }

  private static String text(Element row, String name) {
    NodeList found = row.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().trim();
  }
}
