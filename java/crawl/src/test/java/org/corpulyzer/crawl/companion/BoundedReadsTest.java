package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.junit.Test;

/** Bodies that are nothing but framing. */
public class BoundedReadsTest {
  private static final int SERVED = 64 << 20;

  /** Most bytes in the buffers of the connection. */
  private static final int MAX_BUFFERED = 16 << 20;

  @Test(timeout = 60_000)
  public void aChunkSizeWithoutEndIsNotHeldInMemory() throws Exception {
    assertEnded("", "0");
  }

  @Test(timeout = 60_000)
  public void chunkExtensionsWithoutEndAreNotHeldInMemory() throws Exception {
    assertEnded("3\r\n<p>\r\n5;", "a=b;");
  }

  @Test(timeout = 60_000)
  public void chunksOfOneByteAreRead() throws Exception {
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              RawServer.head(
                  out,
                  request.target.equals("/robots.txt") ? 404 : 200,
                  "Content-Type: text/html",
                  "Transfer-Encoding: chunked");
              for (int i = 0; i < 100_000; i++) {
                out.write("1\r\nx\r\n".getBytes(StandardCharsets.US_ASCII));
              }
              out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            })) {
      assertEquals(100_000, fetch(server).getContent().getContent().length);
    }
  }

  private static void assertEnded(String first, String unit) throws Exception {
    AtomicLong written = new AtomicLong();
    try (RawServer server =
        new RawServer(
            (request, out) -> {
              if (request.target.equals("/robots.txt")) {
                RawServer.head(out, 404, "Content-Length: 0");
                return;
              }
              RawServer.head(out, 200, "Content-Type: text/html", "Transfer-Encoding: chunked");
              out.write(first.getBytes(StandardCharsets.US_ASCII));
              byte[] many = unit.repeat(16_384).getBytes(StandardCharsets.US_ASCII);
              while (written.get() < SERVED) {
                out.write(many);
                written.addAndGet(many.length);
              }
            })) {
      ProtocolOutput output = fetch(server);
      assertEquals(
          output.getStatus().toString(), ProtocolStatus.EXCEPTION, output.getStatus().getCode());
      assertTrue(
          output.getStatus().toString(),
          output.getStatus().toString().contains("no part of the body"));
      assertTrue(written + " bytes were read", written.get() < MAX_BUFFERED);
    }
  }

  private static ProtocolOutput fetch(RawServer server) {
    Configuration conf = new Configuration(false);
    conf.set("http.agent.name", "tester");
    conf.set(PublicAddresses.ALLOW_PRIVATE, "127.0.0.1");
    conf.setFloat("fetcher.server.delay", 0);
    conf.setFloat(HttpProtocol.IP_DELAY, 0);
    HttpProtocol protocol = new HttpProtocol();
    protocol.setConf(conf);
    return protocol.getProtocolOutput(new Text(server.url("/page")), new CrawlDatum());
  }
}
