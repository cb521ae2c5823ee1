package org.corpulyzer.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Languages;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.Settings;

/**
 * The decisions on stored pages by the present settings. A stored decision stands if it names the
 * present target, policy and threshold, or nothing of them: a page that forbids indexing is
 * rejected for every language. Any other is made again from what is stored: by policy precision
 * from the bytes of each language, by policy recall from the text.
 */
public final class Decisions {

  private static final String KEEP = "keep ";
  private static final String REJECT = "reject ";
  private static final Pattern JUNK = Pattern.compile("reject junk: .*");
  private static final Pattern PRECISION =
      Pattern.compile(
          "(?:keep|reject) (?:for ([a-z,]+): )?[0-9]+ bytes of ([a-z]+), ([0-9]+) wanted");

  /** The last group is the target, where the stage names it. */
  private static final Pattern RECALL =
      Pattern.compile(
          "(?:keep|reject) (?:for ([a-z,]+): )?(?:declared as|[0-9]+ of [0-9]+ excerpts in"
              + "|at least ([0-9]+) % of|mostly [a-z]+, a sibling of|(?:no )?letters of|mostly)"
              + " ([a-z]+)");

  private final Settings settings;
  private final List<String> targets;
  private final long minBytes;
  private final boolean isRecall;
  private final boolean rejectsJunk;
  private final String minPercent;

  /**
   * @param settings the present ones
   */
  public Decisions(Settings settings) {
    this.settings = settings;
    targets = settings.targetCodes();
    minBytes = settings.minBytes();
    isRecall = settings.isRecall();
    rejectsJunk = settings.rejectsJunk();
    minPercent = Long.toString(settings.minPercent());
  }

  /**
   * @param page a page with a stored decision
   * @param stored the decision as stored, or null
   * @return the decision by the present settings; null if there is none
   */
  public String of(CorpusPage page, String stored) {
    if (stored == null) {
      return null;
    }
    boolean wasJunk = JUNK.matcher(stored).matches();
    if (wasJunk ? rejectsJunk : isPresent(stored, page)) {
      boolean isJunk = rejectsJunk && page.isJunk() && PageRecord.isKept(stored);
      return isJunk ? REJECT + "junk: " + page.figure(PageKeys.JUNK) : stored;
    }
    if (rejectsJunk && page.isJunk()) {
      return REJECT + "junk: " + page.figure(PageKeys.JUNK);
    }
    return isRecall ? byText(page, stored) : bySize(page.languages());
  }

  /**
   * As {@link #of} for a row without a text.
   *
   * @param languages bytes by language
   * @return whether the page is kept by the present settings; by those of the stored decision if
   *     only its text could tell
   */
  public boolean isKept(String stored, Map<String, Long> languages) {
    boolean isStored = isRecall || isPresent(stored, null) || JUNK.matcher(stored).matches();
    return PageRecord.isKept(isStored ? stored : bySize(languages));
  }

  /**
   * @return whether a page without bytes in a target language is rejected for certain
   */
  public boolean areBySize() {
    return !isRecall && minBytes > 0;
  }

  /**
   * @return ISO 639-3 codes of the target languages
   */
  public List<String> targets() {
    return targets;
  }

  /**
   * @param page whose text is decided on if the stored decision does not tell; null for none
   */
  private boolean isPresent(String stored, CorpusPage page) {
    Matcher size = PRECISION.matcher(stored);
    if (size.matches()) {
      return !isRecall
          && size.group(3).equals(Long.toString(minBytes))
          && areTargets(size.group(1), size.group(2), stored);
    }
    Matcher stage = RECALL.matcher(stored);
    if (!stage.matches()) {
      return true;
    }
    if (!isRecall || stage.group(2) != null && !stage.group(2).equals(minPercent)) {
      return false;
    }
    if (PageRecord.isKept(stored)) {
      return areTargets(stage.group(1), stage.group(3), stored);
    }
    // "mostly eng" names the language of the page and no target.
    return stored.startsWith("reject mostly") && !stored.contains("sibling")
        ? page == null || targets.stream().allMatch(code -> page.bytesIn(code) == 0)
        : areTargets(null, stage.group(3), stored);
  }

  /** Of several targets a decision names those that the page is kept for, and not the others. */
  private boolean areTargets(String keptFor, String named, String stored) {
    return targets.size() == 1
        ? keptFor == null && targets.contains(named)
        : keptFor != null && isRecall && targets.containsAll(PageRecord.keptFor(stored));
  }

  private String bySize(Map<String, Long> languages) {
    List<String> kept =
        targets.stream()
            .filter(code -> languages.getOrDefault(code, 0L) >= minBytes)
            .collect(Collectors.toList());
    String most = most(kept.isEmpty() ? targets : kept, languages);
    String reason =
        languages.getOrDefault(most, 0L) + " bytes of " + most + ", " + minBytes + " wanted";
    return kept.isEmpty()
        ? REJECT + reason
        : KEEP + (targets.size() == 1 ? "" : "for " + String.join(",", kept) + ": ") + reason;
  }

  /** The first of those that the page has most bytes in. */
  private static String most(List<String> codes, Map<String, Long> languages) {
    List<String> last = new ArrayList<>(codes);
    Collections.reverse(last);
    return last.stream()
        .reduce(
            (best, code) ->
                languages.getOrDefault(code, 0L) >= languages.getOrDefault(best, 0L) ? code : best)
        .orElseThrow(IllegalStateException::new);
  }

  private String byText(CorpusPage page, String stored) {
    byte[] text = page.utf8Text();
    if (text == null || text.length == 0) {
      // A page that forbids indexing has no text, and no such decision.
      return stored;
    }
    String declared = page.figure(PageKeys.DECLARED_LANGUAGE);
    for (String code : targets) {
      if (declared != null && isTag(declared.trim(), code)) {
        return KEEP + (targets.size() == 1 ? "" : "for " + code + ": ") + "declared as " + code;
      }
    }
    PageRecord record = Engine.of(settings).page(text, page.url(), null, Engine.Kind.TEXT);
    return record.decision().isEmpty() ? stored : record.decision();
  }

  private static boolean isTag(String tag, String code) {
    return code.equals(Languages.threeLetters(tag.split("[-_,; ]", 2)[0]));
  }
}
