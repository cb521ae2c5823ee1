package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SettingsTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Map<String, String> properties = new HashMap<>();

  public SettingsTest() {
    properties.put(Settings.LANGUAGE_TARGET, "ur");
  }

  @Test
  public void onlyTheLanguageIsRequired() {
    Settings settings = Settings.from(properties::get);
    assertEquals(
        "{\"target\":\"ur\",\"packs\":[],\"identifier\":\"combined\",\"extractor\":\"best\",\"comments\":\"keep\",\"headline\":\"keep\",\"minBytes\":256,\"policy\":\"precision\","
            + "\"rejectJunk\":true,\"minPercent\":2,\"excerpts\":3,\"excerptChars\":100,\"excerptMinChars\":300,"
            + "\"maxBytes\":16777216,\"maxDepth\":1024,\"maxBlocks\":200000,\"maxMillis\":10000,\"unknownScore\":256.0,\"injectedScore\":1.0E9,"
            + "\"scorePolicy\":\"mean\",\"linksPolicy\":\"all\"}",
        settings.toJson());
    assertEquals(Settings.ScorePolicy.MEAN, settings.scorePolicy());
    assertEquals(
        Settings.ScoreSource.SCAN,
        settings.scoreSource(Settings.ScoreSource.SCAN, Settings.ScoreSource.STORED));
    assertEquals(
        Settings.ScoreSource.STORED,
        settings.scoreSource(Settings.ScoreSource.STORED, Settings.ScoreSource.HOSTDB));
    assertTrue(settings.isNativeRequired());
    assertFalse(settings.isDropRejected());
    refused(
        Settings.LANGUAGE_TARGET,
        null,
        "Property corpulyzer.language.target is not set; allowed is an ISO 639-1 or ISO 639-3 code"
            + " such as ur or urd, or several separated by commas.");
  }

  @Test
  public void languagePacksAreFoundByPathAndAMissingOneIsNamedWithWhereItWasLookedFor()
      throws IOException {
    Path pack = folder.newFile("skr.pack").toPath();
    properties.put(Settings.LANGUAGE_PACKS, pack + " , " + pack);
    String json = Settings.from(properties::get).toJson();
    assertTrue(json, json.contains("\"packs\":[\"" + pack + "\",\"" + pack + "\"]"));
    properties.put(Settings.LANGUAGE_PACKS, "nowhere.pack");
    String message =
        assertThrows(CorpulyzerException.class, () -> Settings.from(properties::get)).getMessage();
    assertTrue(
        message,
        message.startsWith(
            "Property corpulyzer.language.packs has 'nowhere.pack'; allowed is the name of a"
                + " language pack in the plugin's folder or its path (looked for "));
    refused(
        Settings.LANGUAGE_PACKS,
        "a\0b",
        "Property corpulyzer.language.packs has 'a\0b'; allowed is a name of a file.");
  }

  @Test
  public void aLanguagePackInTheFolderOfTheJarIsFoundByItsName() throws IOException {
    Path pack = Files.createTempFile(NativeLibrary.jarFolder(), "test", ".pack");
    try {
      properties.put(Settings.LANGUAGE_PACKS, pack.getFileName().toString());
      assertTrue(Settings.from(properties::get).toJson().contains("\"" + pack + "\""));
    } finally {
      Files.delete(pack);
    }
  }

  @Test
  public void aFileThatIsNoLanguagePackIsRefusedByTheEngine() throws IOException {
    String pack = folder.newFile("empty.pack").toString();
    properties.put(Settings.LANGUAGE_PACKS, pack);
    Settings settings = Settings.from(properties::get);
    String message =
        assertThrows(CorpulyzerException.class, () -> Engine.of(settings)).getMessage();
    assertTrue(
        message,
        message.startsWith(
            "Property corpulyzer.language.packs is '"
                + pack
                + "': setting `packs`: language pack "
                + pack));
  }

  @Test
  public void unknownScoreFollowsTheMinimumUnlessSet() {
    properties.put(Settings.PAGE_MIN_BYTES, "1000");
    assertEquals(1000f, Settings.from(properties::get).unknownScore(), 0);
    properties.put(Settings.SCORE_UNKNOWN, "2.5");
    assertEquals(2.5f, Settings.from(properties::get).unknownScore(), 0);
  }

  @Test
  public void profilePaperHasOtherDefaultsAndNoOtherValues() {
    properties.put(Settings.PROFILE, Settings.PAPER);
    String json = Settings.from(properties::get).toJson();
    for (String setting :
        new String[] {
          "\"identifier\":\"cld2\"", "\"extractor\":\"web-am-literal\"", "\"rejectJunk\":false"
        }) {
      assertTrue(json, json.contains(setting));
    }
    properties.put(Settings.PAGE_EXTRACTOR, "article");
    json = Settings.from(properties::get).toJson();
    assertTrue(json, json.contains("\"extractor\":\"article\""));
    refused(
        Settings.PROFILE,
        "papers",
        "Property corpulyzer.profile is 'papers'; allowed is one of default, paper.");
  }

  @Test
  public void commentsAreDroppedByBestAlone() {
    properties.put(Settings.PAGE_COMMENTS, "drop");
    String json = Settings.from(properties::get).toJson();
    assertTrue(json, json.contains("\"comments\":\"drop\""));
    refused(
        Settings.PAGE_COMMENTS,
        "no",
        "Property corpulyzer.page.comments is 'no'; allowed is one of keep, drop.");
    refused(
        Settings.PAGE_EXTRACTOR,
        "web-am",
        "Property corpulyzer.page.comments is 'drop' and Property corpulyzer.page.extractor is"
            + " 'web-am', but only the extractor best drops comments; allowed is keep.");
    // The extractor of the paper is another one.
    refused(
        Settings.PROFILE,
        "paper",
        "Property corpulyzer.page.comments is 'drop' and Property corpulyzer.page.extractor is"
            + " 'web-am-literal', but only the extractor best drops comments; allowed is keep.");
  }

  @Test
  public void severalLanguagesAreOneListWhateverTheirCodesAndOrder() {
    properties.put(Settings.LANGUAGE_TARGET, " UR , skr,urd,pnb ");
    Settings settings = Settings.from(properties::get);
    assertEquals("ur,skr,urd,pnb", settings.target());
    assertEquals(Arrays.asList("pnb", "skr", "urd"), settings.targetCodes());
    assertTrue(settings.toJson(), settings.toJson().contains("\"target\":\"ur,skr,urd,pnb\""));
    CorpulyzerException refusal =
        assertThrows(CorpulyzerException.class, () -> settings.requireOneTarget("Nutch 2.4"));
    assertEquals(
        "Property corpulyzer.language.target is 'ur,skr,urd,pnb'; Nutch 2.4 allows one language:"
            + " use Nutch 1.20 or newer, or crawl once for each language.",
        refusal.getMessage());
    for (String wrong : new String[] {"ur,", ",", "ur,,skr", "ur skr"}) {
      refused(
          Settings.LANGUAGE_TARGET,
          wrong,
          "Property corpulyzer.language.target is '"
              + wrong
              + "'; allowed is an ISO 639-1 or ISO 639-3 code such as ur or urd, or several"
              + " separated by commas.");
    }
    properties.put(Settings.LANGUAGE_TARGET, "ur");
    Settings.from(properties::get).requireOneTarget("Nutch 2.4");
    assertEquals(Arrays.asList("urd"), Settings.from(properties::get).targetCodes());
  }

  @Test
  public void wrongValueIsRefusedInOneSentenceWithKeyFoundAndAllowed() {
    String code =
        "an ISO 639-1 or ISO 639-3 code such as ur or urd, or several separated by commas";
    String score = "a finite number that is not negative";
    for (String[] wrong :
        new String[][] {
          {Settings.LANGUAGE_TARGET, "Urdu!", code},
          {
            Settings.PAGE_EXTRACTOR,
            "magic",
            "one of best, web-am, web-am-literal, article, justext, w2c, text"
          },
          {Settings.PAGE_MIN_BYTES, "-1", "a whole number from 0 to 2147483647"},
          {Settings.PAGE_MAX_BYTES, "16m", "a whole number from 1 to 536870912"},
          {Settings.PAGE_POLICY, "all", "one of precision, recall"},
          {Settings.PAGE_REJECT_JUNK, "no", "one of true, false"},
          {Settings.PAGE_MIN_PERCENT, "0", "a whole number from 1 to 100"},
          {Settings.PAGE_EXCERPTS, "101", "a whole number from 0 to 100"},
          {Settings.PAGE_EXCERPT_CHARS, "0", "a whole number from 1 to 10000"},
          {Settings.PAGE_EXCERPT_MIN_CHARS, "-1", "a whole number from 0 to 2147483647"},
          {Settings.SCORE_UNKNOWN, "NaN", score},
          {Settings.SCORE_INJECTED, "1e99", score},
          {Settings.SCORE_SOURCE, "table", "one of scan, stored, hostdb, row"},
          {Settings.NATIVE_REQUIRED, "yes", "one of true, false"}
        }) {
      refusedValue(wrong[0], wrong[1], wrong[2]);
    }
    String policies =
        "mean, explore, pages or pages:PERCENT, optionally followed by +barren:PAGES, +limit:PAGES"
            + " or both, then by +rising:FACTOR";
    for (String policy :
        new String[] {
          "best",
          "mean+",
          "mean+barren",
          "mean+barren:0",
          "mean+limit:1e3",
          "explore+barren:1+barren:2",
          "mean+limit:1000000000",
          "barren:40",
          "mean +barren:40",
          "mean\"+barren:40",
          "mean+rising:0.010",
          "mean+rising:0.01+limit:9"
        }) {
      refusedValue(Settings.SCORE_POLICY, policy, policies);
    }
  }

  private void refusedValue(String key, String value, String allowed) {
    refused(key, value, "Property " + key + " is '" + value + "'; allowed is " + allowed + ".");
  }

  @Test
  public void policyMaySayWhenAHostIsGivenUp() {
    assertFalse(Settings.from(properties::get).stopsHosts());
    for (String policy :
        new String[] {
          "mean+barren:40",
          "explore+limit:100000",
          "mean+barren:1+limit:2",
          "explore+limit:2+barren:999999999"
        }) {
      properties.put(Settings.SCORE_POLICY, policy);
      Settings settings = Settings.from(properties::get);
      assertTrue(settings.stopsHosts());
      assertEquals(
          policy.startsWith("explore"), settings.scorePolicy() == Settings.ScorePolicy.EXPLORE);
      assertTrue(settings.toJson().contains(",\"scorePolicy\":\"" + policy + "\","));
    }
  }

  @Test
  public void rulesForLinksAreOffByDefaultAndRefusedWhereNutchHasNone() {
    Settings settings = Settings.from(properties::get);
    assertEquals(Settings.LinksPolicy.ALL, settings.linksPolicy());
    assertEquals(Integer.MAX_VALUE, settings.maxTunnel());
    assertEquals(Integer.MAX_VALUE, settings.maxHops());
    assertFalse(settings.scoresByLinks());
    settings.requireAllLinks("Nutch 2.4");
    String[][] rules = {
      {Settings.LINKS_POLICY, "soft"},
      {Settings.LINKS_MAX_TUNNEL, "2"},
      {Settings.LINKS_MAX_HOPS, "20"}
    };
    for (String[] rule : rules) {
      Map<String, String> one = new HashMap<>(properties);
      one.put(rule[0], rule[1]);
      String message =
          assertThrows(
                  CorpulyzerException.class,
                  () -> Settings.from(one::get).requireAllLinks("Nutch 2.4"))
              .getMessage();
      assertTrue(message, message.startsWith("Property " + rule[0] + " is '" + rule[1] + "'"));
    }
    properties.put(Settings.LINKS_POLICY, "soft");
    assertTrue(Settings.from(properties::get).scoresByLinks());
    properties.put(Settings.LINKS_MAX_HOPS, "20");
    assertEquals(20, Settings.from(properties::get).maxHops());
    refused(
        Settings.LINKS_POLICY,
        "none",
        "Property corpulyzer.links.policy is 'none'; allowed is one of all, soft, hard.");
  }

  @Test
  public void duplicatesCountByDefaultAndZeroIsRefusedWhereNoJobComparesPages() {
    Settings settings = Settings.from(properties::get);
    assertFalse(settings.zeroesDuplicates());
    settings.requireDuplicatesCounted("scan");
    properties.put(Settings.SCORE_DUPLICATES, "zero");
    Settings zero = Settings.from(properties::get);
    assertTrue(zero.zeroesDuplicates());
    assertEquals(
        "Property corpulyzer.score.duplicates is 'zero' and corpulyzer.score.source is 'scan',"
            + " which compares no pages: set corpulyzer.score.source to stored, or"
            + " corpulyzer.score.duplicates to count.",
        assertThrows(CorpulyzerException.class, () -> zero.requireDuplicatesCounted("scan"))
            .getMessage());
  }

  @Test
  public void valuesAreTrimmedAndEmptyMeansDefault() {
    properties.put(Settings.LANGUAGE_TARGET, " UR\n");
    properties.put(Settings.PAGE_MIN_BYTES, " ");
    assertEquals("ur", Settings.from(properties::get).target());
    assertTrue(Settings.from(properties::get).toJson().contains("\"minBytes\":256,"));
  }

  @Test
  public void everyKeyButTheRequiredOneAcceptsItsOwnDefault() {
    String json = Settings.from(properties::get).toJson();
    Settings.properties().forEach((key, row) -> properties.putIfAbsent(key, row.value()));
    assertEquals(json, Settings.from(properties::get).toJson());
    properties.put(Settings.PAGE_MAX_MILLIS, "1");
    assertNotEquals(json, Settings.from(properties::get).toJson());
  }

  private void refused(String key, String value, String message) {
    Map<String, String> wrong = new HashMap<>(properties);
    wrong.put(key, value);
    assertEquals(
        message,
        assertThrows(CorpulyzerException.class, () -> Settings.from(wrong::get)).getMessage());
  }
}
