package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLNormalizer;

/**
 * One spelling for each address, so that a host is one contiguous range of rows: host in lower case and without a trailing dot, no
 * default port, no user, no fragment, dots in the path resolved, characters outside ASCII percent-encoded (all but the first by
 * OkHttp's {@link HttpUrl}, which follows the URL standard). The order of query parameters is left alone.
 */
public final class UrlNormalizer extends Configured implements URLNormalizer {
  @Override
  public String normalize(String url, String scope) throws MalformedURLException {
    HttpUrl parsed = HttpUrl.parse(url.trim());
    if (parsed == null) {
      throw new MalformedURLException("not an http or https address: " + url);
    }
    String host = parsed.host();
    while (host.endsWith(".")) {
      host = host.substring(0, host.length() - 1);
    }
    if (host.isEmpty()) {
      throw new MalformedURLException("no host in " + url);
    }
    return parsed.newBuilder().host(host).username("").password("").fragment(null).build().toString();
  }
}
