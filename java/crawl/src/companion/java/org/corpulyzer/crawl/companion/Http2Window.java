package org.corpulyzer.crawl.companion;

import java.io.IOException;
import java.lang.reflect.Field;
import okhttp3.Connection;
import okhttp3.internal.connection.RealConnection;
import okhttp3.internal.http2.Http2Connection;
import okhttp3.internal.http2.Settings;

/**
 * The flow-control window of HTTP/2 connections: what a server may send of a body before anybody
 * reads it. OkHttp permits 16 MiB and has no setting for it, so thousands of connections could hold
 * more than the heap. The setting of RFC 9113 is sent before the first request of a connection, and
 * OkHttp then refuses a stream that holds more.
 */
final class Http2Window {
  /** The first window of a connection in RFC 9113 (6.9.2). Bytes. */
  static final int BYTES = 65_535;

  private static final Field CONNECTION = field();

  private Http2Window() {}

  /** Returns whether this release of OkHttp lets the window be set. Else HTTP/2 is not used. */
  static boolean canLimit() {
    return CONNECTION != null;
  }

  private static Field field() {
    try {
      Field field = RealConnection.class.getDeclaredField("http2Connection");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** Returns whether it is an HTTP/2 connection; its window is limited then. */
  static boolean limit(Connection connection) throws IOException {
    Http2Connection http2 = http2(connection);
    if (http2 == null) {
      return false;
    }
    if (http2.getOkHttpSettings().getInitialWindowSize() != BYTES) {
      http2.setSettings(
          new Settings().set(Settings.INITIAL_WINDOW_SIZE, BYTES).set(Settings.ENABLE_PUSH, 0));
    }
    return true;
  }

  private static Http2Connection http2(Connection connection) throws IOException {
    try {
      return CONNECTION == null ? null : (Http2Connection) CONNECTION.get(connection);
    } catch (IllegalAccessException e) {
      throw new IOException("the window of an HTTP/2 connection cannot be limited", e);
    }
  }
}
