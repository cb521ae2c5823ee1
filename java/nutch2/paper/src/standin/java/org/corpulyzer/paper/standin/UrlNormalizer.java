package org.corpulyzer.paper.standin;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Locale;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLNormalizer;

/**
 * One spelling of an address: the host in lower case, no fragment, at least a slash as the path.
 */
public final class UrlNormalizer extends Configured implements URLNormalizer {
  @Override
  public String normalize(String url, String scope) throws MalformedURLException {
    URL parsed = new URL(url.trim());
    String file = parsed.getFile().isEmpty() ? "/" : parsed.getFile();
    return new URL(
            parsed.getProtocol(), parsed.getHost().toLowerCase(Locale.ROOT), parsed.getPort(), file)
        .toString();
  }
}
