package org.corpulyzer.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Plans what installing and uninstalling change. */
final class Installer {
  static final String LANGUAGE = "corpulyzer.language.target";
  /** Whether scores are read from the rows, where an aliased updatedb writes them, or from a scan. */
  static final String SOURCE = "corpulyzer.score.source";
  /** nutch-site.xml as it was before the installation, and as the installation left it. */
  private static final String BEFORE = "corpulyzer/nutch-site.before";
  private static final String AFTER = "corpulyzer/nutch-site.after";

  private final Nutch nutch;
  private final String siteFile;

  Installer(Nutch nutch) {
    this.nutch = nutch;
    this.siteFile = nutch.place("conf/nutch-site.xml");
  }

  /**
   * @param language code for {@link #LANGUAGE}, or null to leave that as it is
   * @param aliases whether {@code bin/nutch updatedb} is to score hosts; if not, it stays as it is
   */
  Plan install(Distribution distribution, String language, boolean aliases) throws InstallException, IOException {
    Set<String> installed = installed();
    Set<String> wanted = new LinkedHashSet<>();
    Plan plan = new Plan(nutch);
    for (String file : distribution.files.keySet()) {
      wanted.add(place(file));
    }
    wanted.remove(null);
    Set<String> own = new LinkedHashSet<>(installed);
    own.addAll(wanted);
    nutch.refuseStrangers(own);

    byte[] current = nutch.read(siteFile);
    SiteFile site = SiteFile.parse(siteFile, current == null ? SiteFile.EMPTY.getBytes(StandardCharsets.US_ASCII) : current);
    SiteFile adopted = adopt(site, language, aliases);

    if (aliases && nutch.read(NutchScript.PLACE) != null) {
      plan.put(NutchScript.PLACE, NutchScript.adopt(nutch.name + "/" + NutchScript.PLACE, nutch.read(NutchScript.PLACE)));
    }
    for (String file : distribution.files.keySet()) {
      if (place(file) != null) {
        plan.put(place(file), distribution.files.get(file));
      }
    }
    for (String file : installed) {
      if (!wanted.contains(file)) {
        plan.put(file, null);
      }
    }
    for (String file : nutch.unfinished()) {
      plan.put(file, null);
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
      plan.put(siteFile, Arrays.equals(left, current) ? nutch.read(BEFORE) : release(SiteFile.parse(siteFile, current)).bytes());
    }
    byte[] script = nutch.read(NutchScript.PLACE);
    if (script != null) {
      plan.put(NutchScript.PLACE, NutchScript.release(script));
    }
    for (String file : installed()) {
      plan.put(file, null);
    }
    for (String file : nutch.unfinished()) {
      plan.put(file, null);
    }
    plan.put(BEFORE, null);
    plan.put(AFTER, null);
    return plan;
  }

  /** The language that nutch-site.xml names once the plan is carried out; null if none. */
  String language(String wanted) throws InstallException, IOException {
    byte[] current = nutch.read(siteFile);
    return wanted != null || current == null ? wanted : SiteFile.parse(siteFile, current).get(LANGUAGE);
  }

  private SiteFile adopt(SiteFile site, String language, boolean aliases) throws InstallException, IOException {
    String includes = site.get(PluginIncludes.KEY);
    if (includes == null) {
      includes = nutch.stockConfiguration().get(PluginIncludes.KEY);
    }
    if (includes == null) {
      throw new InstallException("Neither nutch-site.xml nor nutch-default.xml of " + nutch.name + " sets " + PluginIncludes.KEY
          + ": set it in nutch-site.xml to the plugins that you use, then install again.");
    }
    SiteFile adopted = site.with(PluginIncludes.KEY, PluginIncludes.adopt(includes));
    if (language != null) {
      adopted = adopted.with(LANGUAGE, language);
    }
    // Who has set it knows why: a scan gives the same order.
    return aliases && adopted.get(SOURCE) == null ? adopted.with(SOURCE, "stored") : adopted;
  }

  /** Takes our changes out of a file that the operator has changed since: what is still as we left it goes back, the rest stays. */
  private SiteFile release(SiteFile site) throws InstallException, IOException {
    byte[] beforeBytes = nutch.read(BEFORE);
    SiteFile before = SiteFile.parse(siteFile, beforeBytes == null ? SiteFile.EMPTY.getBytes(StandardCharsets.US_ASCII) : beforeBytes);
    SiteFile after = SiteFile.parse(siteFile, nutch.read(AFTER));
    SiteFile released = site;
    for (String key : new String[] {PluginIncludes.KEY, LANGUAGE, SOURCE}) {
      String now = site.get(key);
      if (now != null && now.equals(after.get(key))) {
        released = before.get(key) == null ? released.without(key) : released.with(key, before.get(key));
      } else if (now != null && key.equals(PluginIncludes.KEY)) {
        String includedBefore = before.get(key) == null ? nutch.stockConfiguration().get(key) : before.get(key);
        released = released.with(key, PluginIncludes.release(now, includedBefore == null ? "" : includedBefore));
      }
    }
    return released;
  }

  /** Where the files of the installed version are, by the list that it left; empty if there is none. */
  private Set<String> installed() throws IOException {
    List<String> files = new ArrayList<>();
    for (String file : Distribution.paths(nutch.read(Distribution.SUMS))) {
      files.add(place(file));
    }
    Set<String> places = new LinkedHashSet<>(files);
    places.remove(null);
    return places;
  }

  /** The list of files goes along everywhere. */
  private String place(String file) {
    return file.equals(Distribution.SUMS) ? file : nutch.place(file);
  }
}
