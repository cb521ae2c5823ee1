package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.junit.Test;

/**
 * Servers that break TLS, by accident or to hold the crawler: the page fails within the time limit,
 * little is read, and the next host is fetched.
 */
public class TlsFaultsTest extends LoopbackTest {
  private static final int LIMIT_SECONDS = 2;

  /** A server must not make the crawl read more than this. */
  private static final long MAX_READ = 16 << 20;

  private static final byte[] CLIENT_IS_ASKED_AGAIN = {22, 3, 3, 0, 4, 0, 0, 0, 0};
  private static final byte[] WARNING = {21, 3, 3, 0, 2, 1, 90};
  private static final byte[] EMPTY_RECORD = {22, 3, 3, 0, 0};

  /** A ServerHello that is said to have 16 MB. */
  private static final byte[] HUGE_HELLO = {22, 3, 3, 0x40, 0, 2, (byte) 0xff, (byte) 0xff, -1};

  private static final AtomicInteger FETCHES = new AtomicInteger();

  @Test(timeout = 60_000)
  public void whatIsNoTlsFails() throws Exception {
    assertFails("a page without TLS", out -> RawServer.page(out, "plain"));
    assertFails("nothing", out -> {});
    assertFails("a refusal", out -> out.write(new byte[] {21, 3, 3, 0, 2, 2, 40}));
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[1 + random.nextInt(300)];
      random.nextBytes(noise);
      if (i % 2 == 0) {
        // Half of them begin as a message of the handshake does.
        noise = concat(new byte[] {22, 3, 3, 0, (byte) (noise.length & 0x7f)}, noise);
      }
      byte[] sent = noise;
      assertFails("noise " + Arrays.toString(sent), out -> out.write(sent));
    }
  }

  @Test(timeout = 60_000)
  public void aHandshakeWithoutEndIsLeftAtTheTimeLimit() throws Exception {
    for (byte[] again : new byte[][] {CLIENT_IS_ASKED_AGAIN, WARNING, EMPTY_RECORD}) {
      assertFails("again and again " + Arrays.toString(again), out -> repeat(out, again, 0));
    }
    assertFails("a byte at a time", out -> repeat(out, new byte[] {22}, 100));
    byte[] part = new byte[1 << 14];
    assertFails(
        "a hello of 16 MB",
        out -> {
          out.write(HUGE_HELLO);
          repeat(out, part, 0);
        });
    assertFails("silence", out -> Thread.sleep(10_000));
  }

  @Test(timeout = 60_000)
  public void aCertificateOfSeveralMegabytesFails() throws Exception {
    HeldCertificate.Builder names = new HeldCertificate.Builder();
    for (int i = 0; i < 20_000; i++) {
      names.addSubjectAlternativeName(i + ".a-rather-long-name-of-a-host.test");
    }
    ProtocolOutput output = fetch(tls(names.build(), "TLSv1.3", TlsFaultsTest::page));
    assertEquals(ProtocolStatus.RETRY, output.getStatus().getCode());
  }

  @Test(timeout = 60_000)
  public void oldAndForeignCertificatesAreAcceptedAsNutchDoes() throws Exception {
    long day = TimeUnit.DAYS.toMillis(1);
    HeldCertificate expired =
        new HeldCertificate.Builder()
            .addSubjectAlternativeName("elsewhere.test")
            .validityInterval(day, 2 * day)
            .build();
    for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
      ProtocolOutput output = fetch(tls(expired, version, TlsFaultsTest::page));
      assertTrue(version + output.getStatus(), output.getStatus().isSuccess());
    }
  }

  @Test(timeout = 60_000)
  public void aConnectionThatBreaksInABodyIsNoPageAndNoRobotsTxt() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    for (String part :
        new String[] {
          "Content-Length: 1000\r\n\r\nhalf of a page",
          "Transfer-Encoding: chunked\r\n\r\nff\r\nhalf of a page"
        }) {
      int port =
          tls(
              new HeldCertificate.Builder().build(),
              "TLSv1.3",
              out -> out.write((head + part).getBytes(StandardCharsets.ISO_8859_1)));
      assertEquals(part, ProtocolStatus.RETRY, fetch(port).getStatus().getCode());
    }
  }

  private void assertFails(String fault, Fault writes) throws Exception {
    AtomicLong written = new AtomicLong();
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    serve(socket, connection -> writes.write(new Counted(connection.getOutputStream(), written)));
    long began = System.nanoTime();
    ProtocolOutput output = fetch(socket.getLocalPort());
    double seconds = (System.nanoTime() - began) / 1e9;
    // It fails at robots.txt, so the host is left to a later round.
    assertEquals(fault, ProtocolStatus.RETRY, output.getStatus().getCode());
    assertTrue(fault + " took " + seconds + " s", seconds < LIMIT_SECONDS + 1.5);
    assertTrue(fault + ": " + written + " bytes were taken", written.get() < MAX_READ);
  }

  /** Fetches a page of a host that has no robots.txt, because it fails too. */
  private ProtocolOutput fetch(int port) {
    // A server may have the port of an earlier one, whose rules are known to the same agent.
    conf.set("http.agent.name", "tester" + FETCHES.incrementAndGet());
    conf.setInt("http.timeout", 1000 * LIMIT_SECONDS);
    conf.setInt("http.time.limit", LIMIT_SECONDS);
    return fetch("https://localhost:" + port + "/page");
  }

  private static void page(OutputStream out) throws IOException {
    RawServer.page(out, "a page");
  }

  private static void repeat(OutputStream out, byte[] part, long millis) throws Exception {
    byte[] many = millis > 0 ? part : new byte[(1 << 14) / part.length * part.length];
    for (int i = 0; i < many.length; i++) {
      many[i] = part[i % part.length];
    }
    while (!Thread.currentThread().isInterrupted()) {
      out.write(many);
      out.flush();
      Thread.sleep(millis);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Starts a server with a certificate. @return its port */
  private int tls(HeldCertificate certificate, String version, Fault writes) throws IOException {
    SSLServerSocket socket =
        (SSLServerSocket)
            new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .build()
                .sslContext()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    socket.setEnabledProtocols(new String[] {version});
    serve(
        socket,
        connection -> {
          ((SSLSocket) connection).startHandshake();
          connection.getInputStream().read(new byte[4096]);
          writes.write(connection.getOutputStream());
        });
    return socket.getLocalPort();
  }

  private void serve(ServerSocket socket, Service service) {
    ExecutorService threads = Executors.newCachedThreadPool();
    open(
        () -> {
          socket.close();
          threads.shutdownNow();
        });
    threads.execute(
        () -> {
          while (!socket.isClosed()) {
            try {
              Socket connection = socket.accept();
              threads.execute(() -> serve(connection, service));
            } catch (IOException e) {
              return;
            }
          }
        });
  }

  private static void serve(Socket connection, Service service) {
    try (Socket closed = connection) {
      service.serve(closed);
    } catch (Exception e) {
      // The tests expect that the client closes the connection.
    }
  }

  private interface Fault {
    void write(OutputStream out) throws Exception;
  }

  private interface Service {
    void serve(Socket connection) throws Exception;
  }

  /** Counts what the client took. */
  private static final class Counted extends OutputStream {
    private final OutputStream out;
    private final AtomicLong written;

    Counted(OutputStream out, AtomicLong written) {
      this.out = out;
      this.written = written;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      written.addAndGet(length);
    }
  }
}
