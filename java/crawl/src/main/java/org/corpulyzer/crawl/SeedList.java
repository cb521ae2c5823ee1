package org.corpulyzer.crawl;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.corpulyzer.engine.PageKeys;

/**
 * The addresses from which a crawl starts: one on each line, in UTF-8. Blank lines and lines that
 * begin with {@code #} are ignored. After a tab a line may have the source of the address, as a
 * word or, as in Nutch's seed lists, as {@code source=NAME}. Other metadata of Nutch's seed lists,
 * {@code KEY=VALUE} after a tab, is ignored.
 */
final class SeedList {
  /** Largest size: about a million addresses. */
  private static final long MAX_BYTES = 64L << 20;

  /** Most characters (code points) of a source. */
  private static final int MAX_CHARACTERS = 64;

  /** Most sources of a list: each has a line for each round in the table of the yields. */
  private static final int MAX_SOURCES = 1000;

  /** Most further lines at fault that an error names. */
  private static final int MAX_NAMED = 10;

  private static final String SOURCE = PageKeys.SOURCE + "=";

  /** A line of the list. */
  static final class Seed {
    /** The address. */
    final String url;

    /** The list that the address is from; null if the line has none. */
    final String source;

    Seed(String url, String source) {
      this.url = url;
      this.source = source;
    }
  }

  private SeedList() {}

  static List<Seed> read(Path file) throws CrawlException {
    List<String> lines = lines(file);
    List<Seed> seeds = new ArrayList<>();
    Set<String> sources = new HashSet<>();
    requireAddresses(file, lines);
    for (int i = 0; i < lines.size(); i++) {
      String line = line(lines, i);
      if (line.isEmpty()) {
        continue;
      }
      String[] fields = line.split("\t", -1);
      String url = fields[0].trim();
      String source = source(fields, "line " + (i + 1) + " of the seed list " + file);
      if (source != null && sources.add(source) && sources.size() > MAX_SOURCES) {
        throw CrawlException.usage(
            "the seed list "
                + file
                + " has more than "
                + MAX_SOURCES
                + " sources at line "
                + (i + 1)
                + "; a source is the name of a list, not of a page");
      }
      seeds.add(new Seed(url, source));
    }
    if (seeds.isEmpty()) {
      throw CrawlException.usage(
          "the seed list " + file + " has no address; write at least one, one a line");
    }
    return seeds;
  }

  private static List<String> lines(Path file) throws CrawlException {
    try {
      // A pipe would be empty at the second reading, and a device may have no end.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw CrawlException.usage(
            "the seed list "
                + file
                + " cannot be read (it is not a regular file); name a readable file with --seeds");
      }
      if (Files.exists(file) && Files.size(file) > MAX_BYTES) {
        throw CrawlException.usage(
            "the seed list "
                + file
                + " has "
                + Files.size(file)
                + " bytes; at most "
                + MAX_BYTES
                + " are read: split it, and give the parts to runs of their own with --seeds");
      }
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw CrawlException.usage(
          "there is no seed list " + file + "; name a file of addresses, one a line, with --seeds");
    } catch (MalformedInputException e) {
      throw CrawlException.usage("the seed list " + file + " is not UTF-8 text; save it as such");
    } catch (IOException e) {
      throw CrawlException.usage(
          "the seed list "
              + file
              + " cannot be read ("
              + e.getMessage()
              + "); name a readable file with --seeds");
    }
  }

  /** A line without white space around it; empty if it is a comment. */
  private static String line(List<String> lines, int index) {
    String line = lines.get(index).replace("\ufeff", "").strip();
    return line.startsWith("#") ? "" : line;
  }

  /** Names all lines at fault at once, because a list may have thousands. */
  private static void requireAddresses(Path file, List<String> lines) throws CrawlException {
    List<Integer> wrong = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String url = line(lines, i).split("\t", -1)[0].trim();
      String lower = url.toLowerCase(Locale.ROOT);
      boolean address = lower.startsWith("http://") || lower.startsWith("https://");
      if (!line(lines, i).isEmpty()
          && (!address || url.chars().anyMatch(Character::isWhitespace))) {
        wrong.add(i + 1);
      }
    }
    if (!wrong.isEmpty()) {
      String others =
          wrong.stream().skip(1).limit(MAX_NAMED).map(String::valueOf).collect(joining(", "));
      throw CrawlException.usage(
          "line "
              + wrong.get(0)
              + " of the seed list "
              + file
              + " is '"
              + line(lines, wrong.get(0) - 1)
              + "', which is no address"
              + (others.isEmpty() ? "" : ", and so are lines " + others)
              + (wrong.size() > 1 + MAX_NAMED ? " and more, " + wrong.size() + " in all" : "")
              + "; write one http:// or https:// address a line");
    }
  }

  /**
   * @param fields of a line: the address, then its source and metadata
   * @param place of the line, for an error
   * @return the source; null if there is none
   */
  private static String source(String[] fields, String place) throws CrawlException {
    String source = null;
    for (int i = 1; i < fields.length; i++) {
      String field = fields[i].strip();
      boolean isNamed = field.startsWith(SOURCE);
      if (field.isEmpty() || !isNamed && field.indexOf('=') > 0) {
        continue;
      }
      if (source != null) {
        throw CrawlException.usage(
            place + " has two sources, '" + source + "' and '" + field + "'; write one");
      }
      source = isNamed ? field.substring(SOURCE.length()).strip() : field;
      if (!isSource(source)) {
        throw CrawlException.usage(
            place
                + " has the source '"
                + source
                + "'; allowed are 1 to "
                + MAX_CHARACTERS
                + " letters, digits and signs without white space, control characters and '=',"
                + " the first of them a letter or digit");
      }
    }
    return source;
  }

  /** The first character keeps a source from being a formula in a spreadsheet. */
  private static boolean isSource(String source) {
    return !source.isEmpty()
        && source.codePointCount(0, source.length()) <= MAX_CHARACTERS
        && Character.isLetterOrDigit(source.codePointAt(0))
        && source
            .codePoints()
            .noneMatch(
                c ->
                    c == '='
                        || Character.isWhitespace(c)
                        || Character.isSpaceChar(c)
                        || Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT);
  }
}
