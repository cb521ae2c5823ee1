package org.corpulyzer.engine;

/** The metadata keys under which a page's figures stand in the web table. All values are UTF-8 text. */
public final class PageKeys {

  /** Record version: rows of another version are stale. */
  public static final String VERSION = "crp.v";
  /** {@link PageRecord.Status}, by its {@link PageRecord.Status#code() code}. */
  public static final String STATUS = "crp.st";
  /** Raw page bytes. */
  public static final String RAW_BYTES = "crp.r";
  /** Visible-text bytes (UTF-8). */
  public static final String VISIBLE_BYTES = "crp.x";
  /** Main-text bytes (UTF-8). */
  public static final String MAIN_BYTES = "crp.m";
  /** Bytes per language, see {@link LanguageBytes}. */
  public static final String LANGUAGES = "crp.l";
  /** {@code keep} or {@code reject}, a blank, the reason. */
  public static final String DECISION = "crp.d";
  /** What decided: {@code junk}, {@code bytes}, {@code declared}, {@code excerpts}, {@code set}, {@code identifier} or {@code letters}. */
  public static final String STAGE = "crp.ds";
  /** Languages that the main text is written in, in whole percent: {@code urd:71,eng:29}. */
  public static final String LANGUAGE_SET = "crp.s";
  /** Why the main text is junk; absent when it is not. */
  public static final String JUNK = "crp.j";
  /** Excerpts in the language of the crawl, of all excerpts: {@code 1/3}; absent when the text is too short for excerpts. */
  public static final String EXCERPTS = "crp.e";
  /** Language that the page declares, as written. */
  public static final String DECLARED_LANGUAGE = "crp.dl";
  /** Charset that the page was decoded from, WHATWG name. */
  public static final String CHARSET = "crp.c";

  /** Not metadata but a marker of the row, as Nutch's own: the page was found on a page in the target language. */
  public static final String FOUND_MARK = "_crpfnd_";
  /** Such a marker too: the page was found on a page without a word in the target language. A row may have both. */
  public static final String ELSEWHERE_MARK = "_crpels_";

  private PageKeys() {
  }
}
