package org.corpulyzer.crawl.companion;

import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/**
 * Messages of failed fetches: a reason that the crawl counts, a colon and a space, then details
 * that differ from fetch to fetch.
 */
final class Failures {
  private Failures() {}

  /** Returns the message for a request that ended with an exception. */
  static String message(Exception e) {
    return reason(e) + ": " + e;
  }

  /**
   * Returns the same message for a host whose pages are not fetched, because robots.txt failed so.
   */
  static String ofRobots(String host, String message) {
    String[] parts = message.split(": ", 2);
    return parts[0] + ": robots.txt of " + host + (parts.length > 1 ? ": " + parts[1] : "");
  }

  private static String reason(Exception e) {
    if (e instanceof PublicAddresses.PrivateAddressException) {
      return "private address, see --allow-private";
    }
    if (e instanceof Body.NoMemoryException) {
      return e.getMessage();
    }
    if (e instanceof UnknownHostException) {
      return "unknown host name";
    }
    if (e instanceof InterruptedIOException) {
      return "timeout";
    }
    if (e instanceof SSLException) {
      return "TLS error";
    }
    if (e instanceof NoRouteToHostException) {
      return "no route to the host";
    }
    if (e instanceof SocketException) {
      String messages = messages(e);
      return messages.contains("refused")
          ? "connection refused"
          : messages.contains("unreachable")
              ? "network unreachable"
              : e instanceof ConnectException ? "no connection" : "connection lost";
    }
    // OkHttp has no class for a body that is shorter than announced.
    if (e instanceof EOFException || messages(e).contains("unexpected end of stream")) {
      return "connection closed by the server";
    }
    return e instanceof ProtocolException ? "not HTTP" : e.getClass().getSimpleName();
  }

  private static String messages(Throwable e) {
    StringBuilder all = new StringBuilder();
    Throwable at = e;
    for (int depth = 0; at != null && depth < 8; depth++) {
      all.append(at.getMessage()).append(' ');
      at = at.getCause();
    }
    return all.toString().toLowerCase(Locale.ROOT);
  }
}
