package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The addresses from which a crawl starts: one on each line, in UTF-8. Blank lines and lines that
 * begin with {@code #} are ignored.
 */
final class SeedList {
  /** Largest size: about a million addresses. */
  private static final long MAX_BYTES = 64L << 20;

  private SeedList() {}

  static List<String> read(Path file) throws CrawlException {
    List<String> lines;
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
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
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
    List<String> seeds = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replace("\ufeff", "").trim();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String lower = line.toLowerCase(Locale.ROOT);
      boolean address = lower.startsWith("http://") || lower.startsWith("https://");
      if (!address || line.chars().anyMatch(Character::isWhitespace)) {
        throw CrawlException.usage(
            "line "
                + (i + 1)
                + " of the seed list "
                + file
                + " is '"
                + line
                + "', which is no address; write one http:// or https:// address a line");
      }
      seeds.add(line);
    }
    if (seeds.isEmpty()) {
      throw CrawlException.usage(
          "the seed list " + file + " has no address; write at least one, one a line");
    }
    return seeds;
  }
}
