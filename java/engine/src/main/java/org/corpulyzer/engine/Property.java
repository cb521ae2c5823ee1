package org.corpulyzer.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A row of the table of properties, {@code nutch-conf/corpulyzer-default.xml}: the only place of a
 * property's default and range.
 */
public final class Property {

  /** The kinds of values of a property. */
  enum Type {
    /** A whole number in a range. */
    WHOLE,
    /** A finite number from 0. */
    NUMBER,
    /** True or false. */
    FLAG,
    /** One of several names. */
    NAME,
    /** Text that a pattern describes. */
    PATTERN,
    /** Text of any form. */
    TEXT
  }

  private final String key;
  private final String value;
  private final Type type;
  private final String unit;
  private final String allowed;
  private final Pattern pattern;
  private final String engine;
  private final String paper;
  private final String description;
  private final long least;
  private final long most;

  /**
   * @param elements text of an element of the row by its name, empty if there is no such element
   */
  Property(PropertyTable.Elements elements) {
    key = elements.text("name");
    value = elements.text("value");
    type = Type.valueOf(elements.text("type").toUpperCase(Locale.ROOT));
    unit = elements.text("unit");
    allowed = elements.text("allowed");
    pattern = Pattern.compile(elements.text("pattern"));
    engine = elements.text("engine");
    paper = elements.text("paper");
    description = elements.text("description");
    String[] range = type == Type.WHOLE ? allowed.split(" to ", 2) : new String[] {"0", "0"};
    least = Long.parseLong(range[0]);
    most = Long.parseLong(range[1]);
  }

  /**
   * @return the name, for example {@code corpulyzer.page.minBytes}
   */
  public String key() {
    return key;
  }

  /**
   * @return the default; empty if there is none
   */
  public String value() {
    return value;
  }

  /**
   * @param profile a value of {@code corpulyzer.profile}
   * @return the default in this profile; empty if there is none
   */
  String value(String profile) {
    return profile.equals(Settings.PAPER) && !paper.isEmpty() ? paper : value;
  }

  /**
   * @return what the value counts or names
   */
  public String unit() {
    return unit;
  }

  /**
   * @return what the property changes
   */
  public String description() {
    return description;
  }

  /**
   * @return the largest allowed value of a whole number
   */
  public long most() {
    return most;
  }

  Type type() {
    return type;
  }

  /**
   * @return the name of the setting in the engine's JSON; empty if the engine does not have it
   */
  String engine() {
    return engine;
  }

  /**
   * @return the allowed names
   */
  List<String> names() {
    return Arrays.asList(allowed.split(", "));
  }

  /**
   * @param text a value without white space around it
   * @return whether it is allowed
   */
  boolean allows(String text) {
    switch (type) {
      case WHOLE:
        return isWhole(text);
      case NUMBER:
        return text.isEmpty() ? value.isEmpty() : isNumber(text);
      case FLAG:
        return names().contains(text);
      case NAME:
        return text.isEmpty() ? value.isEmpty() : names().contains(text);
      case PATTERN:
        return pattern.matcher(text).matches();
      default:
        return true;
    }
  }

  private boolean isWhole(String text) {
    try {
      long number = Long.parseLong(text);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isNumber(String text) {
    try {
      float number = Float.parseFloat(text);
      return number >= 0 && number < Float.POSITIVE_INFINITY;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * @return the allowed values, as a message names them
   */
  String range() {
    switch (type) {
      case WHOLE:
        return "a whole number from " + allowed;
      case FLAG:
      case NAME:
        return "one of " + allowed;
      default:
        return allowed;
    }
  }

  /**
   * @param text an allowed value
   * @return the value in JSON, without the brackets of a list
   */
  String json(String text) {
    switch (type) {
      case WHOLE:
        return Long.toString(Long.parseLong(text));
      case NUMBER:
        return Double.toString(Float.parseFloat(text));
      case FLAG:
        return text;
      default:
        return '"' + text + '"';
    }
  }
}
