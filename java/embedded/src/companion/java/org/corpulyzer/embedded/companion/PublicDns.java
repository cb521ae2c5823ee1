package org.corpulyzer.embedded.companion;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;

/**
 * Looks up names, and refuses those that lead into this machine or the network around it: a page on the web must not be able to
 * steer the crawler to a router's or a database's own web interface. A host that the operator put on the allow list may be private.
 */
final class PublicDns implements Dns {
  private final UrlFilter.HostList allow;

  PublicDns(UrlFilter.HostList allow) {
    this.allow = allow;
  }

  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    List<InetAddress> addresses = Dns.SYSTEM.lookup(host);
    if (!allow.contains(host)) {
      for (InetAddress address : addresses) {
        if (isPrivate(address)) {
          throw new UnknownHostException(host + " leads to the private address " + address.getHostAddress()
              + "; put the host on the allow list if it is meant to be crawled");
        }
      }
    }
    return addresses;
  }

  static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean uniqueLocal = address instanceof Inet6Address && (bytes[0] & 0xfe) == 0xfc; // RFC 4193
    boolean carrierNat = bytes.length == 4 && (bytes[0] & 0xff) == 100 && (bytes[1] & 0xc0) == 64; // RFC 6598
    return uniqueLocal || carrierNat || address.isAnyLocalAddress() || address.isLoopbackAddress() || address.isLinkLocalAddress()
        || address.isSiteLocalAddress() || address.isMulticastAddress();
  }
}
