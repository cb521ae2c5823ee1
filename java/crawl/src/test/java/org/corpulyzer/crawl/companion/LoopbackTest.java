package org.corpulyzer.crawl.companion;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.ProtocolOutput;
import org.junit.After;

/** Fetches from servers on loopback that a test opens; they are closed after it. */
public abstract class LoopbackTest {
  final Configuration conf = new Configuration(false);
  private final List<Closeable> open = new ArrayList<>();

  LoopbackTest() {
    conf.set("http.agent.name", "tester");
    conf.setBoolean(HttpProtocol.RESERVATIONS, false);
    conf.set(PublicAddresses.ALLOW_PRIVATE, "127.0.0.1,localhost");
    conf.setFloat("fetcher.server.delay", 0);
    conf.setFloat(HttpProtocol.IP_DELAY, 0);
  }

  @After
  public final void close() throws IOException {
    for (Closeable server : open) {
      server.close();
    }
  }

  final <S extends Closeable> S open(S server) {
    open.add(server);
    return server;
  }

  /** Sends requests for any host to this server. */
  final void asProxy(RawServer server) {
    conf.set("http.proxy.host", "127.0.0.1");
    conf.setInt("http.proxy.port", server.port());
  }

  final HttpProtocol protocol() {
    HttpProtocol protocol = new HttpProtocol();
    protocol.setConf(conf);
    return protocol;
  }

  final ProtocolOutput fetch(String url) {
    return fetch(protocol(), url);
  }

  static ProtocolOutput fetch(HttpProtocol protocol, String url) {
    return protocol.getProtocolOutput(new Text(url), new CrawlDatum());
  }
}
