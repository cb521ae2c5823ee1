package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.junit.Test;

/** Servers that send what HTTP/2 permits and nobody asked for. */
public class Http2LimitsTest extends LoopbackTest {
  private static final int SERVED = 64 << 20;

  /** Most bytes in the buffers of the connection. */
  private static final int MAX_BUFFERED = 16 << 20;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PUSH_PROMISE = 5;
  private static final int PING = 6;

  @Test(timeout = 120_000)
  public void pingsWithoutEndCloseTheConnection() throws Exception {
    assertClosed(frame(PING, 0, 0, new byte[8]));
  }

  @Test(timeout = 120_000)
  public void settingsWithoutEndCloseTheConnection() throws Exception {
    assertClosed(frame(SETTINGS, 0, 0, new byte[] {0, 3, 0, 0, 1, 0}));
  }

  @Test(timeout = 120_000)
  public void bytesOfStreamsThatNobodyOpenedCloseTheConnection() throws Exception {
    assertClosed(frame(DATA, 0, 2, new byte[16_384]));
  }

  @Test(timeout = 120_000)
  public void promisesOfStreamsWithoutEndCloseTheConnection() throws Exception {
    ByteBuffer many = ByteBuffer.allocate(14 * 4096);
    for (int i = 1; i <= 4096; i++) {
      byte[] promise = {0, 0, (byte) (i >> 7), (byte) (i << 1), (byte) 0x82};
      many.put(frame(PUSH_PROMISE, 4, 3, promise));
    }
    assertClosed(many.array());
  }

  @Test(timeout = 120_000)
  public void theWindowIsSmallBeforeTheFirstRequest() throws Exception {
    Server server = open(new Server(frame(SETTINGS, 0, 0, new byte[0])));
    fetch(server.port());
    assertTrue(server.windows.size() > 1);
    assertEquals(Http2Window.BYTES, (int) server.windows.get(server.windows.size() - 1));
  }

  @Test(timeout = 120_000)
  public void aBodyOfManyWindowsIsRead() throws Exception {
    MockWebServer server = open(new MockWebServer());
    server.useHttps(certificates().sslSocketFactory());
    server.enqueue(new MockResponse.Builder().code(404).build());
    server.enqueue(
        new MockResponse.Builder()
            .code(200)
            .setHeader("content-type", "text/html")
            .body("x".repeat(1_000_000))
            .build());
    server.start(InetAddress.getByName("127.0.0.1"), 0);
    ProtocolOutput output = fetch(server.getPort());
    assertEquals("/robots.txt", server.takeRequest().getTarget());
    assertEquals("HTTP/2", server.takeRequest().getVersion());
    assertEquals(1_000_000, output.getContent().getContent().length);
  }

  private void assertClosed(byte[] frames) throws Exception {
    Server server = open(new Server(frames));
    ProtocolOutput output = fetch(server.port());
    assertEquals(
        output.getStatus().toString(), ProtocolStatus.EXCEPTION, output.getStatus().getCode());
    assertTrue(server.written + " bytes were read", server.written < MAX_BUFFERED);
  }

  private ProtocolOutput fetch(int port) {
    return fetch("https://localhost:" + port + "/page");
  }

  private static HandshakeCertificates certificates() {
    return new HandshakeCertificates.Builder()
        .heldCertificate(
            new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build())
        .build();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put(new byte[] {0, (byte) (payload.length >> 8), (byte) payload.length})
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Has no robots.txt; sends the frames for a page, again and again, and reads no more then. */
  private static final class Server implements Closeable {
    private final List<Integer> windows = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SSLServerSocket socket;
    private final byte[] frames;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile long written;

    Server(byte[] frames) throws IOException {
      this.frames = frames;
      socket =
          (SSLServerSocket)
              certificates()
                  .sslContext()
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
      threads.execute(this::accept);
    }

    int port() {
      return socket.getLocalPort();
    }

    private void accept() {
      while (true) {
        try {
          SSLSocket connection = (SSLSocket) socket.accept();
          threads.execute(() -> serve(connection));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void serve(SSLSocket connection) {
      try (SSLSocket open = connection) {
        SSLParameters parameters = open.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        open.setSSLParameters(parameters);
        open.startHandshake();
        DataInputStream in = new DataInputStream(open.getInputStream());
        OutputStream out = open.getOutputStream();
        in.readFully(new byte[24]);
        out.write(frame(SETTINGS, 0, 0, new byte[0]));
        out.flush();
        awaitRequest(in);
        // The page may come over the same connection or over another one.
        if (requests.getAndIncrement() == 0) {
          out.write(frame(HEADERS, 5, 3, new byte[] {(byte) 0x8d})); // 404
          out.flush();
          awaitRequest(in);
        }
        while (written < SERVED) {
          byte[] many = new byte[Math.max(1, (1 << 16) / frames.length) * frames.length];
          for (int i = 0; i < many.length; i += frames.length) {
            System.arraycopy(frames, 0, many, i, frames.length);
          }
          out.write(many);
          written += many.length;
        }
      } catch (IOException e) {
        // The tests expect that the client closes the connection.
      }
    }

    private void awaitRequest(DataInputStream in) throws IOException {
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.readUnsignedByte();
        in.readInt();
        ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
        while (type == SETTINGS && payload.remaining() >= 6) {
          short key = payload.getShort();
          int value = payload.getInt();
          if (key == 4) {
            windows.add(value);
          }
        }
        if (type == HEADERS) {
          return;
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      threads.shutdownNow();
    }
  }
}
