package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import java.util.Objects;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLNormalizer;

/**
 * Gives each URL one spelling: host in lower case and without a trailing dot, no default port, no
 * user, no fragment, dots in the path resolved, characters outside ASCII percent-encoded (all but
 * the trailing dot by OkHttp's {@link HttpUrl}, which follows the URL standard), and percent codes
 * as RFC 3986 has them. The order of query parameters stays. http becomes https on the hosts of
 * {@link HttpsHosts}.
 *
 * <p>Unless {@link #CLEAN} is false, parameters that name a visitor or the way of a visitor are
 * left out, see {@link CleanUrls}.
 */
public final class UrlNormalizer extends Configured implements URLNormalizer {
  /** Whether session ids and tracking parameters are left out of URLs. Default true. */
  public static final String CLEAN = "corpulyzer.crawl.urls.clean";

  /** The last result of the thread: Nutch passes it to the filters next. */
  private static final ThreadLocal<HttpUrl> LAST = new ThreadLocal<>();

  private HttpsHosts httpsHosts = HttpsHosts.of(new Configuration(false));
  private boolean isClean = true;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      httpsHosts = HttpsHosts.of(conf);
      isClean = conf.getBoolean(CLEAN, true);
    }
  }

  @Override
  public String normalize(String url, String scope) throws MalformedURLException {
    HttpUrl parsed = HttpUrl.parse(url.trim());
    if (parsed == null) {
      throw new MalformedURLException("not an http or https URL: " + url);
    }
    String host = parsed.host();
    while (host.endsWith(".")) {
      host = host.substring(0, host.length() - 1);
    }
    if (host.isEmpty()) {
      throw new MalformedURLException("no host in " + url);
    }
    String path = CleanUrls.percentCodes(parsed.encodedPath());
    String query = parsed.encodedQuery();
    query = query == null ? null : CleanUrls.percentCodes(query);
    if (isClean) {
      path = CleanUrls.path(path);
      query = CleanUrls.query(query);
    }
    // Building the URL again checks international names once more.
    boolean isSpelled =
        host.equals(parsed.host())
            && !host.contains("xn--")
            && path.equals(parsed.encodedPath())
            && Objects.equals(query, parsed.encodedQuery())
            && parsed.encodedFragment() == null
            && parsed.encodedUsername().isEmpty()
            && parsed.encodedPassword().isEmpty();
    try {
      HttpUrl spelled =
          isSpelled
              ? parsed
              : parsed
                  .newBuilder()
                  .host(host)
                  .username("")
                  .password("")
                  .fragment(null)
                  .encodedPath(path)
                  .encodedQuery(query)
                  .build();
      HttpUrl last = httpsHosts.upgrade(spelled);
      LAST.set(last);
      return last.toString();
    } catch (IllegalArgumentException e) {
      // OkHttp parses some international names that it does not accept as a host afterwards.
      throw new MalformedURLException("not a host name: " + host);
    }
  }

  /** Returns a URL in its parts, which the thread may just have normalized; null if it is none. */
  static HttpUrl parsed(String url) {
    HttpUrl last = LAST.get();
    return last != null && last.toString().equals(url) ? last : HttpUrl.parse(url);
  }
}
