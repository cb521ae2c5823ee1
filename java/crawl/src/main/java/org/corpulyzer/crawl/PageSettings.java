package org.corpulyzer.crawl;

import java.nio.file.Paths;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that decide what is stored of a page and how its host is scored, as the plugin's
 * properties. {@link Settings} and the library say what they allow.
 */
final class PageSettings {
  /** The option that sets a property. */
  private static final Map<String, String> OPTIONS = options();

  private PageSettings() {}

  /**
   * A number as it is written shortest, so that {@code 0256} is no other setting than {@code 256}.
   */
  static final class Number implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      try {
        return Long.toString(Long.parseLong(text.trim()));
      } catch (NumberFormatException e) {
        return text; // The engine's message has the allowed values.
      }
    }
  }

  private static Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(Settings.PROFILE, "--profile");
    options.put(Settings.LANGUAGE_TARGET, "--language");
    options.put(Settings.LANGUAGE_PACKS, "--pack");
    options.put(Settings.LANGUAGE_IDENTIFIER, "--identifier");
    options.put(Settings.PAGE_EXTRACTOR, "--extractor");
    options.put(Settings.PAGE_COMMENTS, "--comments");
    options.put(Settings.PAGE_HEADLINE, "--headline");
    options.put(Settings.PAGE_POLICY, "--page-policy");
    options.put(Settings.PAGE_MIN_BYTES, "--min-bytes");
    options.put(Settings.PAGE_REJECT_JUNK, "--reject-junk");
    options.put(Settings.SCORE_POLICY, "--score-policy");
    options.put(Settings.SCORE_DUPLICATES, "--duplicates");
    options.put(Settings.LINKS_POLICY, "--links");
    options.put(Settings.LINKS_MAX_TUNNEL, "--max-tunnel");
    options.put(Settings.LINKS_MAX_HOPS, "--max-hops");
    return Collections.unmodifiableMap(options);
  }

  /**
   * @param profile a value of {@code --profile}
   * @return the defaults of these options in the profile
   */
  static IDefaultValueProvider defaults(String profile) {
    return argument ->
        OPTIONS.entrySet().stream()
            .filter(option -> argument.isOption())
            .filter(option -> ((OptionSpec) argument).longestName().equals(option.getValue()))
            // The crawl has a default of its own (CrawlOptions.policy).
            .filter(option -> !option.getKey().equals(Settings.SCORE_POLICY))
            .map(option -> Settings.defaultOf(option.getKey(), profile))
            .filter(value -> !value.isEmpty())
            .findFirst()
            .orElse(null);
  }

  /**
   * @return values by property; packs by their absolute paths, since Nutch's plugins look elsewhere
   */
  static Map<String, String> properties(CrawlOptions options) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(Settings.LANGUAGE_TARGET, options.language);
    properties.put(
        Settings.LANGUAGE_PACKS,
        options.packs.stream()
            .map(file -> Paths.get(file).toAbsolutePath().toString())
            .collect(Collectors.joining(",")));
    properties.put(Settings.PROFILE, options.profile);
    properties.put(Settings.LANGUAGE_IDENTIFIER, options.identifier);
    properties.put(Settings.PAGE_EXTRACTOR, options.extractor);
    properties.put(Settings.PAGE_COMMENTS, options.comments);
    properties.put(Settings.PAGE_HEADLINE, options.headline);
    properties.put(Settings.PAGE_POLICY, options.pagePolicy);
    properties.put(Settings.PAGE_MIN_BYTES, options.minBytes);
    properties.put(Settings.PAGE_REJECT_JUNK, options.rejectJunk);
    properties.put(Settings.SCORE_POLICY, options.policy());
    properties.put(Settings.SCORE_DUPLICATES, options.duplicates);
    properties.put(Settings.LINKS_POLICY, options.linksPolicy);
    properties.put(Settings.LINKS_MAX_TUNNEL, options.maxTunnel);
    properties.put(Settings.LINKS_MAX_HOPS, options.maxHops);
    return properties;
  }

  /**
   * Configures an engine with the settings. This checks the settings, and that the native library
   * loads.
   *
   * @return the engine that the plugin will have
   * @throws CrawlException in one sentence that names the option
   */
  static Engine require(CrawlOptions options) throws CrawlException {
    Map<String, String> given = properties(options);
    try {
      return Engine.of(
          Settings.from(key -> given.containsKey(key) ? given.get(key) : System.getProperty(key)));
    } catch (NativeLibrary.Unavailable e) {
      throw CrawlException.failed(e.getMessage(), e);
    } catch (CorpulyzerException e) {
      String message = e.getMessage();
      for (Map.Entry<String, String> option : OPTIONS.entrySet()) {
        message = message.replace("Property " + option.getKey(), option.getValue());
      }
      throw CrawlException.usage(message);
    }
  }
}
