package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLNormalizer;

/**
 * Gives each URL one spelling: host in lower case and without a trailing dot, no default port, no
 * user, no fragment, dots in the path resolved, characters outside ASCII percent-encoded (all but
 * the trailing dot by OkHttp's {@link HttpUrl}, which follows the URL standard). The order of query
 * parameters stays. http becomes https on the hosts of {@link HttpsHosts}.
 */
public final class UrlNormalizer extends Configured implements URLNormalizer {
  private HttpsHosts httpsHosts = HttpsHosts.of(new Configuration(false));

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      httpsHosts = HttpsHosts.of(conf);
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
    try {
      return httpsHosts
          .upgrade(parsed.newBuilder().host(host).username("").password("").fragment(null).build())
          .toString();
    } catch (IllegalArgumentException e) {
      // OkHttp parses some international names that it does not accept as a host afterwards.
      throw new MalformedURLException("not a host name: " + host);
    }
  }
}
