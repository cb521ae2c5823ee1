package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

public class DocumentedSettingsTest {

  private static final String[] LINES = {"nutch1", "nutch2"};
  private static final Path FOLDER = Paths.get(System.getProperty("corpulyzer.root"), "nutch-conf");

  @Test
  public void everyConstantIsAPropertyAndEveryPropertyHasAConstant() throws Exception {
    Map<String, String> constants = new TreeMap<>();
    for (Field field : Settings.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers()) && field.getType() == String.class) {
        constants.put((String) field.get(null), field.getName());
      }
    }
    Map<String, String> documented = new TreeMap<>();
    for (String name : Settings.properties().keySet()) {
      String words = name.substring("corpulyzer.".length()).replaceAll("([A-Z])", "_$1");
      documented.put(name, words.replace('.', '_').toUpperCase(Locale.ROOT));
    }
    assertEquals(documented, constants);
  }

  @Test
  public void theTableInTheJarIsTheFileThatOperatorsRead() throws Exception {
    Map<String, Element> rows = properties("corpulyzer-default.xml");
    assertEquals(rows.keySet(), Settings.properties().keySet());
    Settings.properties()
        .forEach((name, row) -> assertEquals(name, text(rows.get(name), "value"), row.value()));
  }

  @Test
  public void everyPropertyHasAUnitAndADescription() throws Exception {
    Settings.properties()
        .forEach(
            (name, row) -> {
              assertFalse(name, row.unit().isEmpty());
              assertTrue(name, row.description().matches("(?s).{20,}\\."));
            });
    for (String line : LINES) {
      properties(line + "/nutch-site-lrl.xml")
          .forEach((name, property) -> assertFalse(name, text(property, "description").isEmpty()));
    }
  }

  @Test
  public void theReadySnippetIsAccepted() throws Exception {
    for (String line : LINES) {
      Map<String, Element> site = properties(line + "/nutch-site-lrl.xml");
      Settings settings =
          Settings.from(key -> site.containsKey(key) ? text(site.get(key), "value") : null);
      assertEquals("ur", settings.target());
      String includes = text(site.get("plugin.includes"), "value");
      assertTrue("corpulyzer".matches(includes));
      assertFalse("scoring-opic".matches(includes));
    }
  }

  private static Map<String, Element> properties(String file) throws Exception {
    NodeList nodes =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(FOLDER.resolve(file).toFile())
            .getElementsByTagName("property");
    Map<String, Element> properties = new LinkedHashMap<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      Element property = (Element) nodes.item(i);
      assertNull(
          "named twice: " + text(property, "name"),
          properties.put(text(property, "name"), property));
    }
    return properties;
  }

  private static String text(Element property, String child) {
    return property.getElementsByTagName(child).item(0).getTextContent().trim();
  }
}
