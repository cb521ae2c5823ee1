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
  /** Charset that the page was decoded from, WHATWG name. */
  public static final String CHARSET = "crp.c";

  private PageKeys() {
  }
}
