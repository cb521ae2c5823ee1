package org.corpulyzer.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The options and paths of a command line, in any order. A path does not begin with {@code -}. */
public final class Arguments {

  /** The values that an option may have, and how a message names them. */
  public static final class Allowed {
    private static final Allowed NONE = new Allowed("", value -> false);
    private static final Allowed ANY = new Allowed("any text", value -> !value.isEmpty());

    private final String name;
    private final Predicate<String> test;

    private Allowed(String name, Predicate<String> test) {
      this.name = name;
      this.test = test;
    }
  }

  private final Map<String, Allowed> options = new HashMap<>();
  private final Map<String, List<String>> given = new HashMap<>();
  private final List<String> paths = new ArrayList<>();

  /** Allows an option without a value. */
  public Arguments flag(String name) {
    options.put(name, Allowed.NONE);
    return this;
  }

  /** Allows an option with a value. */
  public Arguments option(String name, Allowed allowed) {
    options.put(name, allowed);
    return this;
  }

  /** Allows an option with any value that is not empty. */
  public Arguments option(String name) {
    return option(name, Allowed.ANY);
  }

  /**
   * @param most paths that are allowed
   * @throws UsageException naming the first argument that is not allowed
   */
  public Arguments read(String[] args, int most) {
    for (int i = 0; i < args.length; i++) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      Allowed allowed = options.get(args[i]);
      if (allowed == Allowed.NONE) {
        values(args[i]).add("");
      } else if (allowed != null && allowed.test.test(value)) {
        values(args[i++]).add(value);
      } else if (allowed != null) {
        throw new UsageException(
            value.isEmpty()
                ? args[i] + " has no value; allowed is " + allowed.name + "."
                : args[i] + " is '" + value + "'; allowed is " + allowed.name + ".");
      } else if (args[i].startsWith("-")) {
        throw new UsageException("There is no option " + args[i] + ".");
      } else if (args[i].isEmpty() || paths.size() == most) {
        throw new UsageException(
            "'" + args[i] + "' is " + (args[i].isEmpty() ? "no path." : "one path too many."));
      } else {
        paths.add(args[i]);
      }
    }
    return this;
  }

  private List<String> values(String option) {
    return given.computeIfAbsent(option, first -> new ArrayList<>());
  }

  /**
   * @return whether the option was given
   */
  public boolean has(String option) {
    return given.containsKey(option);
  }

  /**
   * @return the option's last value; null if it was not given
   */
  public String get(String option) {
    List<String> values = all(option);
    return values.isEmpty() ? null : values.get(values.size() - 1);
  }

  /**
   * @return the option's values in their order; empty if it was not given
   */
  public List<String> all(String option) {
    return Collections.unmodifiableList(given.getOrDefault(option, Collections.emptyList()));
  }

  /**
   * @throws UsageException unless exactly one of two options was given
   */
  public void requireOneOf(String option, String other) {
    if (has(option) == has(other)) {
      throw new UsageException("Exactly one of " + option + " and " + other + " is needed.");
    }
  }

  /**
   * @param place number of the path, from 0
   * @param name what the usage calls it
   * @throws UsageException if it is missing
   */
  public String path(int place, String name) {
    if (place >= paths.size()) {
      throw new UsageException("<" + name + "> is missing.");
    }
    return paths.get(place);
  }

  /**
   * @return the paths in their order
   */
  public List<String> paths() {
    return Collections.unmodifiableList(paths);
  }

  /**
   * @return the whole numbers from 1 to 999999999
   */
  public static Allowed count() {
    return whole(1, 999_999_999);
  }

  /**
   * @return the whole numbers in a range
   */
  public static Allowed whole(int least, int most) {
    return new Allowed(
        "a whole number from " + least + " to " + most,
        value ->
            value.matches("[0-9]{1,9}")
                && Integer.parseInt(value) >= least
                && Integer.parseInt(value) <= most);
  }

  /**
   * @return these words
   */
  public static Allowed words(String... words) {
    return new Allowed(
        "one of " + String.join(", ", words), value -> Arrays.asList(words).contains(value));
  }
}
