package org.corpulyzer.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * A Hadoop configuration file that is changed as text: comments, order, line ends and indentation
 * stay as the operator wrote them. A real XML parser reads the text before and after each change;
 * the scan in this class only finds their places.
 */
final class SiteFile {
  static final String EMPTY = "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>\n";

  private static final Pattern TOKEN =
      Pattern.compile(
          "<!--.*?-->|<!\\[CDATA\\[.*?\\]\\]>|<\\?.*?\\?>|<!DOCTYPE[^>\\[]*(?:\\[.*?\\])?\\s*>|<(/?)([\\w:.-]+)[^<>]*?(/?)>",
          Pattern.DOTALL);

  /**
   * One property: what the parser read, and the places of its element and of the text of its value
   * (-1 if there is none).
   */
  private static final class Property {
    int start;
    int end;
    int valueStart = -1;
    int valueEnd = -1;
    String name = "";
    String value = "";
    boolean isFinal;
  }

  private final String where;

  /** One character per byte: our changes are ASCII, and all other bytes are copied. */
  private final String text;

  private final List<Property> properties = new ArrayList<>();
  private int rootEnd = -1;
  private boolean rootIsEmptyTag;

  /**
   * @param where the file's name, for messages
   */
  static SiteFile parse(String where, byte[] bytes) throws InstallException {
    return new SiteFile(where, new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private SiteFile(String where, String text) throws InstallException {
    this.where = where;
    this.text = text;
    if (text.indexOf('\0') >= 0) {
      throw new InstallException(
          where + " is not written in UTF-8 or another extension of ASCII: convert it first.");
    }
    Element root = readByParser().getDocumentElement();
    if (!root.getTagName().equals("configuration")) {
      throw new InstallException(
          where
              + " is not a Nutch configuration: its root element is <"
              + root.getTagName()
              + ">, not <configuration>.");
    }
    scan();
    NodeList read = root.getElementsByTagName("property");
    if (read.getLength() != properties.size()) {
      throw new InstallException(
          where
              + " is written in a way that cannot be changed as text: write each property out,"
              + " without entities.");
    }
    for (int i = 0; i < properties.size(); i++) {
      properties.get(i).name = content((Element) read.item(i), "name").trim();
      properties.get(i).value = content((Element) read.item(i), "value");
      properties.get(i).isFinal = content((Element) read.item(i), "final").trim().equals("true");
    }
  }

  private static String content(Element property, String element) {
    NodeList found = property.getElementsByTagName(element);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }

  private Document readByParser() throws InstallException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
      factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
      factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(new ByteArrayInputStream(bytes()));
    } catch (SAXParseException e) {
      throw new InstallException(
          where
              + " is broken XML at line "
              + e.getLineNumber()
              + ", column "
              + e.getColumnNumber()
              + " ("
              + e.getMessage()
              + "): correct it first.");
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw new InstallException(
          where + " cannot be read as XML (" + e.getMessage() + "): correct it first.");
    }
  }

  private void scan() {
    Property property = null;
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      String element = token.group(2);
      if (element == null) {
        continue;
      }
      boolean closes = !token.group(1).isEmpty();
      boolean isEmpty = !token.group(3).isEmpty();
      if (element.equals("configuration") && (closes || isEmpty)) {
        rootEnd = token.start();
        rootIsEmptyTag = isEmpty;
      } else if (element.equals("property") && !closes && !isEmpty) {
        property = new Property();
        property.start = token.start();
      } else if (property == null) {
        continue;
      } else if (element.equals("property") && closes) {
        property.end = token.end();
        properties.add(property);
        property = null;
      } else if (element.equals("value")) {
        if (closes) {
          property.valueEnd = token.start();
        } else {
          property.valueStart = isEmpty ? token.start() : token.end();
        }
      }
    }
  }

  /**
   * Returns the value that Hadoop uses: of several properties with the name, the first final one,
   * or else the last. Null if there is none.
   */
  String get(String name) {
    Property property = find(name);
    return property == null ? null : property.value;
  }

  /** The names of all properties, each once, in the order of the file. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    properties.forEach(property -> names.add(property.name));
    return names;
  }

  /** The file with the property set: in place if it is there, else as a new last property. */
  SiteFile with(String name, String value) throws InstallException {
    if (value.equals(get(name))) {
      return this;
    }
    Property property = find(name);
    String changed;
    if (property == null) {
      changed = withNew(name, value);
    } else if (property.valueStart < 0) {
      int close = text.lastIndexOf('<', property.end - 1);
      changed =
          text.substring(0, close) + "<value>" + escape(value) + "</value>" + text.substring(close);
    } else if (property.valueEnd < 0) {
      int close = text.indexOf('>', property.valueStart) + 1;
      changed =
          text.substring(0, property.valueStart)
              + "<value>"
              + escape(value)
              + "</value>"
              + text.substring(close);
    } else {
      changed =
          text.substring(0, property.valueStart)
              + escape(value)
              + text.substring(property.valueEnd);
    }
    return check(new SiteFile(where, changed), name, value);
  }

  /** The file without any property of the name. */
  SiteFile without(String name) throws InstallException {
    SiteFile file = this;
    for (Property property = find(name); property != null; property = file.find(name)) {
      int start = property.start;
      int end = property.end;
      int lineStart = file.text.lastIndexOf('\n', start - 1) + 1;
      int lineEnd = file.text.indexOf('\n', end);
      if (lineEnd >= 0
          && file.text.substring(lineStart, start).trim().isEmpty()
          && file.text.substring(end, lineEnd).trim().isEmpty()) {
        start = lineStart;
        end = lineEnd + 1;
      }
      file = new SiteFile(where, file.text.substring(0, start) + file.text.substring(end));
    }
    return check(file, name, null);
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private String withNew(String name, String value) {
    String line = text.contains("\r\n") ? "\r\n" : "\n";
    String indent = indent();
    String element =
        indent
            + "<property>"
            + line
            + indent
            + indent
            + "<name>"
            + name
            + "</name>"
            + line
            + indent
            + indent
            + "<value>"
            + escape(value)
            + "</value>"
            + line
            + indent
            + "</property>"
            + line;
    if (rootIsEmptyTag) {
      int close = text.indexOf('>', rootEnd);
      String open = text.substring(rootEnd, close).replaceFirst("\\s*/$", "");
      return text.substring(0, rootEnd)
          + open
          + ">"
          + line
          + element
          + "</configuration>"
          + text.substring(close + 1);
    }
    int lineStart = text.lastIndexOf('\n', rootEnd - 1) + 1;
    boolean ownLine = text.substring(lineStart, rootEnd).trim().isEmpty() && lineStart > 0;
    return ownLine
        ? text.substring(0, lineStart) + element + text.substring(lineStart)
        : text.substring(0, rootEnd) + line + element + text.substring(rootEnd);
  }

  /** Returns the white space before the first property on its line, or two spaces. */
  private String indent() {
    if (!properties.isEmpty()) {
      int start = properties.get(0).start;
      String before = text.substring(text.lastIndexOf('\n', start - 1) + 1, start);
      if (!before.isEmpty() && before.trim().isEmpty()) {
        return before;
      }
    }
    return "  ";
  }

  private Property find(String name) {
    Property found = null;
    for (Property property : properties) {
      if (property.name.equals(name) && (found == null || !found.isFinal)) {
        found = property;
      }
    }
    return found;
  }

  private static SiteFile check(SiteFile changed, String name, String expected)
      throws InstallException {
    String found = changed.get(name);
    if (expected == null ? found != null : !expected.equals(found)) {
      throw new InstallException(
          changed.where
              + " is written in a way that cannot be changed as text: set "
              + name
              + " by hand to "
              + expected
              + ".");
    }
    return changed;
  }

  private static String escape(String value) {
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
