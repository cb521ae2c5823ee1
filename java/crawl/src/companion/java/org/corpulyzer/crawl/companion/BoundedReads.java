package org.corpulyzer.crawl.companion;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;

/**
 * Limits how many bytes a connection may deliver without a byte of a body. Without it a server can
 * fill the heap: OkHttp holds the size of a chunk (RFC 9112, 7.1) in memory as a line of any
 * length, and of HTTP/2 it holds frames that its writer has not answered yet (PING, SETTINGS,
 * pushed streams).
 *
 * <p>The sockets of this factory count; a network interceptor begins to count again at each
 * request, and whenever bytes of a body are read.
 */
final class BoundedReads extends SocketFactory implements Interceptor {
  /**
   * Most bytes without a byte of a body. A read of a body takes some kilobytes; with chunks of one
   * byte it takes six times as many.
   */
  static final int MAX_BYTES = 1 << 20;

  /**
   * The same for HTTP/2, where the server may send a window ahead ({@link Http2Window}), and where
   * a frame of 17 bytes can become an object of ten times the size.
   */
  static final int MAX_HTTP2_BYTES = 1 << 19;

  /** The counting socket below each TLS socket. */
  private static final Map<Socket, Bounded> BELOW =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Returns a factory whose TLS sockets are known to the interceptor. */
  static SSLSocketFactory tls(SSLSocketFactory factory) {
    return new Layered(factory);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Connection connection = chain.connection();
    Bounded socket = connection == null ? null : bounded(connection.socket());
    if (socket == null) {
      throw new IOException("a connection without a limit of its bytes");
    }
    if (Http2Window.limit(connection)) {
      socket.limit = MAX_HTTP2_BYTES;
    }
    socket.begin();
    Response response = chain.proceed(chain.request());
    return response.newBuilder().body(new Counted(response.body(), socket)).build();
  }

  private static Bounded bounded(Socket socket) {
    return socket instanceof Bounded ? (Bounded) socket : BELOW.get(socket);
  }

  @Override
  public Socket createSocket() {
    return new Bounded();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  private static Socket connected(InetSocketAddress to, InetSocketAddress from) throws IOException {
    Socket socket = new Bounded();
    try {
      socket.bind(from);
      socket.connect(to);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** A body that begins to count again whenever some of it is read. */
  private static final class Counted extends ResponseBody {
    private final ResponseBody body;
    private final BufferedSource source;

    Counted(ResponseBody body, Bounded socket) {
      this.body = body;
      source =
          Okio.buffer(
              new ForwardingSource(body.source()) {
                @Override
                public long read(Buffer sink, long byteCount) throws IOException {
                  long count = super.read(sink, byteCount);
                  if (count > 0) {
                    socket.begin();
                  }
                  return count;
                }
              });
    }

    @Override
    public MediaType contentType() {
      return body.contentType();
    }

    @Override
    public long contentLength() {
      return body.contentLength();
    }

    @Override
    public BufferedSource source() {
      return source;
    }
  }

  private static final class Bounded extends Socket {
    /** Bytes since a request began, or since the last bytes of a body. */
    private final AtomicLong bytes = new AtomicLong();

    private volatile int limit = MAX_BYTES;

    private void begin() {
      bytes.set(0);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
          if (bytes.get() >= limit) {
            throw new IOException(
                "the server sent more than " + limit + " bytes that are no part of the body");
          }
          int count = super.read(to, from, length);
          bytes.addAndGet(Math.max(0, count));
          return count;
        }

        /** A TLS socket that is closed first skips what is there, for as long as more comes. */
        @Override
        public long skip(long count) throws IOException {
          long skipped = bytes.get() >= limit ? 0 : super.skip(Math.min(count, limit));
          bytes.addAndGet(skipped);
          return skipped;
        }

        @Override
        public int available() throws IOException {
          return bytes.get() >= limit ? 0 : super.available();
        }
      };
    }
  }

  /** Remembers which counting socket is below a TLS socket. */
  private static final class Layered extends SSLSocketFactory {
    private final SSLSocketFactory factory;

    Layered(SSLSocketFactory factory) {
      this.factory = factory;
    }

    @Override
    public Socket createSocket(Socket below, String host, int port, boolean autoClose)
        throws IOException {
      Socket socket = factory.createSocket(below, host, port, autoClose);
      if (below instanceof Bounded) {
        BELOW.put(socket, (Bounded) below);
      }
      return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      throw unlayered();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw unlayered();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      throw unlayered();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw unlayered();
    }

    /** OkHttp connects first, and then makes a TLS socket above the connection. */
    private static IOException unlayered() {
      return new IOException("a TLS socket without a connection below it");
    }
  }
}
