package org.corpulyzer.crawl.companion;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import okhttp3.Dns;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Refuses hosts that lead into this machine or the network around it: a page on the web must not
 * lead the crawler to the web interface of a router or a database. Hosts that the operator names
 * one by one may be private. The addresses that are checked are those that OkHttp then connects to,
 * so a name that leads elsewhere at the next lookup (DNS rebinding) gains nothing. OkHttp does not
 * look up IP addresses that stand in a URL, so an interceptor checks these.
 */
final class PublicAddresses implements Dns, Interceptor {
  /**
   * Comma-separated host names or IP addresses, each for itself alone: these may have private
   * addresses.
   */
  static final String ALLOW_PRIVATE = "corpulyzer.crawl.allow.private";

  private static final Pattern IPV4 = Pattern.compile("((0|[1-9][0-9]{0,2})(\\.|$)){4}(?<!\\.)");

  /** The URL standard (WHATWG, 3.5): a host whose last part is a number is an IPv4 address. */
  private static final Pattern NUMBER =
      Pattern.compile("(^|\\.)([0-9]+|0x[0-9a-f]*)\\.?$", Pattern.CASE_INSENSITIVE);

  private static final Pattern LOCALHOST = Pattern.compile("(^|\\.)localhost\\.?$");

  /** The host leads to an address that is not of the public internet. */
  static final class PrivateAddressException extends UnknownHostException {
    private PrivateAddressException(String message) {
      super(message);
    }
  }

  private final Set<String> allowed = new HashSet<>();
  private final Dns names;

  PublicAddresses(Collection<String> allowed) {
    this(allowed, Dns.SYSTEM);
  }

  PublicAddresses(Collection<String> allowed, Dns names) {
    this.names = names;
    allowed.forEach(host -> this.allowed.add(UrlFilter.HostList.host(host, ALLOW_PRIVATE)));
  }

  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    return checked(host, names.lookup(host));
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    String host = chain.request().url().host();
    if (host.indexOf(':') >= 0 || IPV4.matcher(host).matches()) {
      // No name is looked up here.
      checked(host, Arrays.asList(InetAddress.getAllByName(host)));
    } else if (NUMBER.matcher(host).find()) {
      // OkHttp and a proxy may read octal, hexadecimal and short forms as different addresses.
      throw new UnknownHostException(host + " is not an IPv4 address of four decimal numbers");
    } else if (LOCALHOST.matcher(host).find() && !allowed.contains(host)) {
      // RFC 6761, 6.3: the name never leads elsewhere. A proxy on this machine would ask this
      // machine.
      throw new PrivateAddressException(
          host
              + " is this machine; to crawl it, name the host with --allow-private ("
              + ALLOW_PRIVATE
              + ")");
    }
    return chain.proceed(chain.request());
  }

  private List<InetAddress> checked(String host, List<InetAddress> addresses)
      throws UnknownHostException {
    if (!allowed.contains(host.toLowerCase(Locale.ROOT))) {
      for (InetAddress address : addresses) {
        if (isPrivate(address)) {
          throw new PrivateAddressException(
              host
                  + " leads to the private address "
                  + address.getHostAddress()
                  + "; to crawl it, name the host with --allow-private ("
                  + ALLOW_PRIVATE
                  + ")");
        }
      }
    }
    return addresses;
  }

  /**
   * Returns whether an address is none of the public internet (the registries of special-purpose
   * addresses, RFC 6890).
   */
  static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return true;
    }
    return address instanceof Inet6Address ? isPrivate6(bytes) : isPrivate4(bytes, 0);
  }

  private static boolean isPrivate4(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    int second = bytes[at + 1] & 0xff;
    return first == 0
        || first == 10
        || first == 127
        || first >= 224
        || first == 100 && (second & 0xc0) == 64 // RFC 6598, carriers
        || first == 169 && second == 254
        || first == 172 && (second & 0xf0) == 16
        || first == 192 && (second == 168 || second == 0 && bytes[at + 2] == 0)
        || first == 198 && (second & 0xfe) == 18; // RFC 2544, benchmarks
  }

  private static boolean isPrivate6(byte[] bytes) {
    boolean uniqueLocal = (bytes[0] & 0xfe) == 0xfc; // RFC 4193
    boolean sixToFour = bytes[0] == 0x20 && bytes[1] == 0x02; // RFC 3056
    boolean teredo =
        bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0 && bytes[3] == 0; // RFC 4380
    boolean compatible = isZero(bytes, 0, 12); // RFC 4291, 2.5.5.1
    boolean translated =
        bytes[0] == 0
            && bytes[1] == 0x64
            && (bytes[2] & 0xff) == 0xff
            && (bytes[3] & 0xff) == 0x9b; // RFC 6052
    // Every other address of 64:ff9b::/32 belongs to a translator of a local network (RFC 8215).
    boolean translatedLocally = translated && !isZero(bytes, 4, 12);
    return uniqueLocal
        || teredo
        || compatible
        || translatedLocally
        || sixToFour && isPrivate4(bytes, 2)
        || translated && isPrivate4(bytes, 12);
  }

  private static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
