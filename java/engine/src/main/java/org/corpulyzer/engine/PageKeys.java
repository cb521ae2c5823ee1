package org.corpulyzer.engine;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metadata keys of a page's figures: in the web table of Nutch 2.4, in the parse metadata of a
 * segment and in CrawlDatum metadata (as {@code Text}) of Nutch 1.x. All values are UTF-8 text.
 */
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

  /**
   * The stage that decided: {@code junk}, {@code bytes}, {@code declared}, {@code excerpts}, {@code
   * set}, {@code identifier} or {@code letters}.
   */
  public static final String STAGE = "crp.ds";

  /** Languages that the main text is written in, in whole percent: {@code urd:71,eng:29}. */
  public static final String LANGUAGE_SET = "crp.s";

  /** Why the main text is junk; absent when it is not. */
  public static final String JUNK = "crp.j";

  /**
   * Excerpts in the language of the crawl, of all excerpts: {@code 1/3}; absent when the text is
   * too short for excerpts.
   */
  public static final String EXCERPTS = "crp.e";

  /** Language that the page declares, as written. */
  public static final String DECLARED_LANGUAGE = "crp.dl";

  /** Charset that the page was decoded from, WHATWG name. */
  public static final String CHARSET = "crp.c";

  /**
   * Nutch 1.x only: bytes in the language of the crawl, as a number. Nutch's HostDb adds up numbers
   * alone. Everything else reads {@link #LANGUAGES}, which also serves another language of the
   * crawl.
   */
  public static final String TARGET_BYTES = "crp.t";

  /** Day of publication, see {@link Statement}. */
  public static final String PUBLISHED = "crp.pd";

  /** Day of the last change. */
  public static final String MODIFIED = "crp.pm";

  /** Where the days were found. */
  public static final String DATE_SOURCE = "crp.ps";

  /** Kind of the licence. */
  public static final String LICENSE = "crp.rl";

  /** Address of the licence. */
  public static final String LICENSE_URL = "crp.ru";

  /** Where the licence was found. */
  public static final String LICENSE_SOURCE = "crp.rs";

  /** Reservations against the use of the text, JSON. */
  public static final String RESERVATION = "crp.rr";

  /** Versions of the page in other languages, JSON. */
  public static final String ALTERNATES = "crp.al";

  /** Authors that the page names; its format is in docs/provenance.md. */
  public static final String AUTHOR = "crp.pa";

  /** Name of the site. */
  public static final String SITE_NAME = "crp.pn";

  /** The headline above the main content. */
  public static final String HEADLINE = "crp.ph";

  /** Address of the page by {@code <link rel=canonical>}, in the one-machine crawl. */
  public static final String CANONICAL = "corpulyzer.canonical";

  private static final List<String> MEASURED =
      Arrays.asList(
          VERSION,
          STATUS,
          RAW_BYTES,
          VISIBLE_BYTES,
          MAIN_BYTES,
          LANGUAGES,
          DECISION,
          STAGE,
          LANGUAGE_SET,
          JUNK,
          EXCERPTS,
          DECLARED_LANGUAGE,
          CHARSET,
          TARGET_BYTES);

  /**
   * All keys of figures, those of each {@link Statement} among them. Page content must not set
   * them: parsers copy the {@code meta} elements of a page into the same metadata.
   */
  public static final List<String> FIGURES =
      Collections.unmodifiableList(
          Stream.concat(MEASURED.stream(), Arrays.stream(Statement.values()).map(Statement::key))
              .collect(Collectors.toList()));

  /**
   * The page was found on a page in the target language. In the web table of Nutch 2.4 this is a
   * marker of the row, not metadata; in Nutch 1.x it is metadata of the CrawlDb row.
   */
  public static final String FOUND_MARK = "_crpfnd_";

  /**
   * A mark like {@link #FOUND_MARK}: the page was found on a page without a word in the target
   * language. A row may have both.
   */
  public static final String ELSEWHERE_MARK = "_crpels_";

  /**
   * Nutch 2.4 only, a marker of a row of the web table: {@link #IS_DUPLICATE} if another page has
   * the signature of the page and is kept, as far as the last run of the score jobs that compared
   * pages; any other value if this is over. Nutch 1.x has a status for it.
   */
  public static final String DUPLICATE_MARK = "_crpdup_";

  /** Value of {@link #DUPLICATE_MARK}. */
  public static final String IS_DUPLICATE = "y";

  /**
   * Nutch 1.x only, in the metadata of a CrawlDb row: the row was injected as a seed. Nutch 2.4 has
   * a marker of its own for this. In CrawlDb the value of all three marks is {@link #MARK_SET}.
   */
  public static final String INJECTED_MARK = "_crpinj_";

  /**
   * The one-machine crawl only, in the metadata of a CrawlDb row: the row was found as a sitemap or
   * a feed, so it is a list of links and no page of its host. The value is the depth below
   * robots.txt or the page: 0 or more, as text; a blank and the host that named the list follow, if
   * the list is on another host.
   */
  public static final String LIST_MARK = "crp.li";

  /**
   * The one-machine crawl only, in the metadata of the row of a list, see {@link #LIST_MARK}: the
   * number of its links that rounds have taken, as text, while some are left. The list is then
   * fetched again in the next round. {@link #LIST_DONE} if none is left.
   */
  public static final String LIST_NEXT = "crp.ln";

  /**
   * The one-machine crawl only, in the metadata of the row of a list, see {@link #LIST_MARK}: the
   * number of its links that are left out because they lead to other sites, as text; a blank and
   * the host of the first of them follow. {@code 0} if there is none.
   */
  public static final String LIST_ELSEWHERE = "crp.lo";

  /** Value of {@link #LIST_NEXT}: all links of the list were taken. */
  public static final String LIST_DONE = "done";

  /**
   * The one-machine crawl only, second argument of a protocol status: the server refused to respond
   * now, or to respond to this crawler, so its host must get fewer requests. The third argument is
   * the time that it asks for, in seconds as text, if it names one.
   */
  public static final String REFUSED = "refused";

  /** Like {@link #REFUSED}: no page of the host can be fetched now. */
  public static final String HOST_UNAVAILABLE = "host unavailable";

  /**
   * The one-machine crawl only, in the metadata of links and CrawlDb rows: a page or a sitemap
   * names the row as its {@code hreflang} alternate in the language of the crawl. The value is
   * {@link #MARK_SET}.
   */
  public static final String ALTERNATE_MARK = "_crpalt_";

  /**
   * Nutch 1.x with {@code corpulyzer.score.source=row} only, in the metadata of links and CrawlDb
   * rows: target bytes of the pages of the host that link to the row, and their number, as text
   * with a blank between.
   */
  public static final String LINKING_PAGES = "_crpsum_";

  /**
   * Nutch 1.x with {@code corpulyzer.links.maxTunnel} or {@code corpulyzer.links.maxHops} only, in
   * the metadata of links, CrawlDb rows and contents: the number of links from a seed, and of the
   * rejected pages in a row before the page, as text with a blank between.
   */
  public static final String LINK_PATH = "_crppth_";

  /**
   * Policy pages only, in the metadata of links and rows: counts of the links to the row by class,
   * see {@link LinkCounts}. They stay as they are when the page is fetched. On Nutch 1.x the count
   * of a link without other metadata is in its score.
   */
  public static final String LINK_COUNTS = "_crplnk_";

  /**
   * Policy pages only. On Nutch 1.x in the metadata of a parse until its links are scored: a
   * character for each link of the page, see {@link LinkSigns#codes}. On Nutch 2.4 in the metadata
   * of a row, see {@link SignedLinks}.
   */
  public static final String LINK_SIGNS = "_crpsgn_";

  /**
   * Policy pages only, in the metadata of rows: the last prediction before a fetch, as text with
   * blanks between: the round, the level, the logit of the section, the probability.
   */
  public static final String PREDICTION = "_crpprd_";

  /**
   * Nutch 1.x only, in the metadata of links and CrawlDb rows: the source of the row, a short word
   * for the list that its seed is from, such as {@code directory}. Nutch's Injector writes it for a
   * seed with {@code source=NAME}; a page that is found has the source of a page that links to it.
   */
  public static final String SOURCE = "source";

  /**
   * {@link #SOURCE} in the metadata of contents. There it has a name of our own, because header
   * fields of the server are in the same metadata.
   */
  public static final String CONTENT_SOURCE = "_crpsrc_";

  /**
   * Value of {@link #DECISION} of a row whose page was fetched with the plugin and has no figures,
   * because no parser could read it. A fetched row without a decision and without {@link
   * #LANGUAGES} was fetched before the plugin was there.
   */
  public static final String NOT_PARSED = "reject not parsed";

  /** Value of a mark that is set. A row without the mark has no such key. */
  public static final String MARK_SET = "y";

  private PageKeys() {}
}
