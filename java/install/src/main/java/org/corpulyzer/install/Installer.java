package org.corpulyzer.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.LanguageNames;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/** Plans what installing and uninstalling change. */
final class Installer {
  // The compiler writes these names into the class, so the jar needs no Settings.
  static final String LANGUAGE = Settings.LANGUAGE_TARGET;
  private static final String PACKS = Settings.LANGUAGE_PACKS;

  /**
   * Whether scores are read from the rows, where an aliased updatedb writes them, or from a scan.
   */
  static final String SOURCE = Settings.SCORE_SOURCE;

  private static final String STORED = "stored";

  /** Most pages of a host in a segment. */
  private static final String MAX_COUNT = "generate.max.count";

  /** The part of a round that may be of one host. */
  private static final int HOST_PART = 20;

  /** Settings of Nutch that a crawl in one language needs, with the reason for each. */
  private static final String SNIPPET = "corpulyzer/nutch-site-lrl.xml";

  /** nutch-site.xml as it was before the installation, and as the installation left it. */
  private static final String BEFORE = "corpulyzer/nutch-site.before";

  private static final String AFTER = "corpulyzer/nutch-site.after";

  private final Nutch nutch;
  private final String siteFile;

  Installer(Nutch nutch) {
    this.nutch = nutch;
    this.siteFile = nutch.place("conf/nutch-site.xml");
  }

  /** Options of an installation. */
  static final class Wishes {
    /** Code for {@link #LANGUAGE}; null to leave that as it is. */
    String language;

    /** Whether {@code bin/nutch updatedb} must score hosts; if not, it stays as it is. */
    boolean aliases;

    /** Whether the settings of {@link #SNIPPET} are set that nutch-site.xml does not set. */
    boolean recommended;

    /**
     * The operator's {@code -topN} of generate; 0 to leave the settings of its rounds as they are.
     */
    int top;
  }

  /** Plans an installation. */
  Plan install(Distribution distribution, Wishes wishes) throws InstallException, IOException {
    Map<String, byte[]> files = distribution.of(nutch.line());
    Set<String> installed = installed();
    Set<String> wanted = new LinkedHashSet<>();
    Plan plan = new Plan(nutch);
    files.keySet().forEach(file -> wanted.add(place(file)));
    wanted.remove(null);
    Set<String> own = new LinkedHashSet<>(installed);
    own.addAll(wanted);
    nutch.refuseStrangers(own);

    byte[] current = nutch.read(siteFile);
    SiteFile site =
        SiteFile.parse(
            siteFile,
            current == null ? SiteFile.EMPTY.getBytes(StandardCharsets.US_ASCII) : current);
    boolean aliases = aliases(wishes);
    SiteFile adopted = adopt(site, wishes, aliases);
    if (wishes.recommended) {
      adopted = recommend(adopted, SiteFile.parse(SNIPPET, files.get(SNIPPET)));
    }

    if (aliases && nutch.read(NutchScript.PLACE) != null) {
      plan.put(
          NutchScript.PLACE,
          NutchScript.adopt(
              nutch.name + "/" + NutchScript.PLACE, nutch.read(NutchScript.PLACE), nutch.line()));
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (place(file.getKey()) != null) {
        plan.put(place(file.getKey()), file.getValue());
      }
    }
    for (String file : installed) {
      if (!wanted.contains(file)) {
        plan.put(file, null);
      }
    }
    for (String folder : nutch.unfinished()) {
      plan.clear(folder);
    }
    byte[] left = nutch.read(AFTER);
    boolean isOurs = left != null && Arrays.equals(left, current);
    if (!isOurs) {
      plan.put(BEFORE, left == null || current == null ? current : release(site).bytes());
    }
    plan.put(AFTER, adopted.bytes());
    plan.put(siteFile, adopted.bytes());
    return plan;
  }

  Plan uninstall() throws InstallException, IOException {
    Plan plan = new Plan(nutch);
    byte[] current = nutch.read(siteFile);
    byte[] left = nutch.read(AFTER);
    if (left != null && current != null) {
      plan.put(
          siteFile,
          Arrays.equals(left, current)
              ? nutch.read(BEFORE)
              : release(SiteFile.parse(siteFile, current)).bytes());
    }
    byte[] script = nutch.read(NutchScript.PLACE);
    if (script != null) {
      plan.put(NutchScript.PLACE, NutchScript.release(script));
    }
    for (String file : installed()) {
      plan.put(file, null);
    }
    for (String folder : nutch.unfinished()) {
      plan.clear(folder);
    }
    // In this order: while AFTER is there, every property that BEFORE lacks counts as ours.
    plan.put(AFTER, null);
    plan.put(BEFORE, null);
    return plan;
  }

  /**
   * Returns whether {@code updatedb} must score hosts: on request, or because an earlier
   * installation set it up. In the second case a new Nutch or the operator has restored the stock
   * script, and the scores that the generator reads would never change.
   */
  boolean aliases(Wishes wishes) throws InstallException, IOException {
    byte[] left = nutch.read(AFTER);
    byte[] before = nutch.read(BEFORE);
    byte[] current = nutch.read(siteFile);
    if (wishes.aliases || left == null || current == null) {
      return wishes.aliases;
    }
    return STORED.equals(SiteFile.parse(AFTER, left).get(SOURCE))
        && STORED.equals(SiteFile.parse(siteFile, current).get(SOURCE))
        && (before == null || !STORED.equals(SiteFile.parse(BEFORE, before).get(SOURCE)));
  }

  /** The language that nutch-site.xml names once the plan is carried out; null if none. */
  String language(String wanted) throws InstallException, IOException {
    byte[] current = nutch.read(siteFile);
    return wanted != null || current == null
        ? wanted
        : SiteFile.parse(siteFile, current).get(LANGUAGE);
  }

  /**
   * Returns the ISO 639-3 codes of languages. Refuses a language that cannot be counted. With packs
   * of the operator's own every language may be in one: the doctor opens them.
   *
   * @param names codes or names as the operator gave them, with commas between; null if none
   */
  String codes(String names) throws InstallException, IOException {
    if (names == null) {
      return null;
    }
    byte[] current = nutch.read(siteFile);
    String packs = current == null ? null : SiteFile.parse(siteFile, current).get(PACKS);
    boolean hasPacks = packs != null && !packs.trim().isEmpty();
    String codes;
    try {
      codes = LanguageNames.codes(names, hasPacks);
    } catch (NativeLibrary.Unavailable e) {
      codes = unchecked(names);
    } catch (CorpulyzerException e) {
      boolean needsPack =
          e instanceof LanguageNames.NoModel && !((LanguageNames.NoModel) e).hasAdvice();
      throw InstallException.badValue(
          "--language: "
              + e.getMessage()
              + (needsPack
                  ? "; make a pack with \"corpulyzer train\", and set "
                      + PACKS
                      + " in nutch-site.xml first."
                  : "."));
    }
    if (codes.indexOf(',') >= 0 && nutch.line() != Line.NUTCH1) {
      throw InstallException.badValue(
          "--language is \""
              + names
              + "\"; Nutch 2.4 allows one language: use Nutch 1.20 or newer, or crawl once for each"
              + " language.");
    }
    return codes;
  }

  /** Codes on a machine that cannot load the library, such as a client of a cluster. */
  private static String unchecked(String names) throws InstallException {
    String codes = names.trim().toLowerCase(Locale.ROOT).replaceAll("\\s*,\\s*", ",");
    if (!codes.matches("[a-z]{2,3}(,[a-z]{2,3})*")) {
      throw InstallException.badValue(
          "--language is \""
              + names
              + "\", and the library that has the names of languages does not run on this machine:"
              + " give ISO 639 codes such as urd.");
    }
    return codes;
  }

  private SiteFile adopt(SiteFile site, Wishes wishes, boolean aliases)
      throws InstallException, IOException {
    String includes = site.get(PluginIncludes.KEY);
    if (includes == null) {
      includes = stock(PluginIncludes.KEY);
    }
    if (includes == null) {
      throw new InstallException(
          "Neither nutch-site.xml nor nutch-default.xml of "
              + nutch.name
              + " sets "
              + PluginIncludes.KEY
              + ": set it in nutch-site.xml to the plugins that you use, then install again.");
    }
    SiteFile adopted = renamed(site).with(PluginIncludes.KEY, PluginIncludes.adopt(includes));
    if (nutch.line() == Line.NUTCH1) {
      String keys = site.get(KeyList.KEY);
      adopted = adopted.with(KeyList.KEY, KeyList.adopt(keys == null ? stock(KeyList.KEY) : keys));
    }
    if (wishes.language != null) {
      adopted = adopted.with(LANGUAGE, wishes.language);
    }
    // A value that the operator has set stays: a scan gives the same order.
    if (aliases && adopted.get(SOURCE) == null) {
      adopted = adopted.with(SOURCE, STORED);
    }
    if (aliases && !wasAliased() && canOrderPages(adopted)) {
      adopted = adopted.with(Settings.SCORE_POLICY, "pages");
    }
    return wishes.top == 0 ? adopted : withRounds(adopted, wishes.top);
  }

  /**
   * Whether the last installation set up {@code updatedb}: its crawl keeps its policy. One that was
   * interrupted did not, as long as nutch-site.xml is as it was before.
   */
  private boolean wasAliased() throws InstallException, IOException {
    byte[] left = nutch.read(AFTER);
    return left != null
        && STORED.equals(SiteFile.parse(AFTER, left).get(SOURCE))
        && !Arrays.equals(nutch.read(siteFile), nutch.read(BEFORE));
  }

  /** Whether policy pages is possible, and the operator has chosen no other one. */
  private boolean canOrderPages(SiteFile site) {
    return site.get(Settings.SCORE_POLICY) == null
        && STORED.equals(site.get(SOURCE))
        && !"soft".equals(site.get(Settings.LINKS_POLICY))
        && !"paper".equals(site.get(Settings.PROFILE));
  }

  /** The site file with the settings of rounds of {@code top} pages. */
  private SiteFile withRounds(SiteFile site, int top) throws InstallException {
    return site.with(MAX_COUNT, String.valueOf(Math.max(1, top / HOST_PART)))
        .with(Settings.SCORE_TOP_N, String.valueOf(top));
  }

  /** The site file with the present names of our classes, as in {@code htmlparsefilter.order}. */
  private static SiteFile renamed(SiteFile site) throws InstallException {
    SiteFile renamed = site;
    for (String key : site.names()) {
      renamed = renamed.with(key, OldNames.replaceIn(site.get(key)));
    }
    return renamed;
  }

  /**
   * The site file with the recommended settings of Nutch that it does not have. Names and addresses
   * are the operator's to choose.
   */
  private static SiteFile recommend(SiteFile site, SiteFile snippet) throws InstallException {
    SiteFile recommended = site;
    for (String key : snippet.names()) {
      boolean isOperators =
          key.startsWith("corpulyzer.")
              || key.startsWith("http.agent.")
              || key.equals("http.accept.language");
      if (!isOperators
          && !key.equals(PluginIncludes.KEY)
          && !key.equals(KeyList.KEY)
          && site.get(key) == null) {
        recommended = recommended.with(key, snippet.get(key));
      }
    }
    return recommended;
  }

  private String stock(String key) throws InstallException, IOException {
    return nutch.stockConfiguration().get(key);
  }

  /**
   * Removes our changes from a file that the operator has changed since. Unchanged parts of ours
   * are undone, the rest stays.
   */
  private SiteFile release(SiteFile site) throws InstallException, IOException {
    byte[] beforeBytes = nutch.read(BEFORE);
    SiteFile before =
        SiteFile.parse(
            siteFile,
            beforeBytes == null ? SiteFile.EMPTY.getBytes(StandardCharsets.US_ASCII) : beforeBytes);
    SiteFile after = SiteFile.parse(siteFile, nutch.read(AFTER));
    SiteFile released = site;
    for (String key : after.names()) {
      String now = site.get(key);
      String old = before.get(key);
      String ours = after.get(key);
      if (now == null || ours.equals(old) || now.equals(old)) {
        continue;
      }
      if (now.equals(ours)) {
        released = old == null ? released.without(key) : released.with(key, old);
      } else if (key.equals(PluginIncludes.KEY)) {
        String includedBefore = old == null ? stock(key) : old;
        released =
            released.with(
                key, PluginIncludes.release(now, includedBefore == null ? "" : includedBefore));
      } else if (key.equals(KeyList.KEY)) {
        released = released.with(key, KeyList.release(now, old == null ? stock(key) : old));
      }
    }
    return released;
  }

  /** Paths of the files of the installed version, by its list; empty if there is none. */
  private Set<String> installed() throws InstallException, IOException {
    List<String> files = new ArrayList<>();
    for (String file :
        Distribution.paths(nutch.name + "/" + Distribution.SUMS, nutch.read(Distribution.SUMS))) {
      files.add(place(file));
    }
    Set<String> places = new LinkedHashSet<>(files);
    places.remove(null);
    return places;
  }

  /** The installer's list of files is in every installation. */
  private String place(String file) {
    return file.equals(Distribution.SUMS) ? file : nutch.place(file);
  }
}
