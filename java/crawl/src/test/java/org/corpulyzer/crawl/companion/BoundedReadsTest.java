package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

/** Bodies that are nothing but framing. */
public class BoundedReadsTest extends LoopbackTest {
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
    RawServer server =
        open(
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
                }));
    assertEquals(100_000, fetch(server.url("/page")).getContent().getContent().length);
  }

  private void assertEnded(String first, String unit) throws Exception {
    AtomicLong written = new AtomicLong();
    RawServer server =
        open(
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
                }));
    String status = fetch(server.url("/page")).getStatus().toString();
    assertTrue(status, status.startsWith("exception(") && status.contains("no part of the body"));
    assertTrue(written + " bytes were read", written.get() < MAX_BUFFERED);
  }
}
