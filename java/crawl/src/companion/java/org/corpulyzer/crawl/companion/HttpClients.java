package org.corpulyzer.crawl.companion;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes the clients of {@link HttpProtocol} by Nutch's properties: {@code http.timeout}, {@code
 * http.time.limit}, {@code http.useHttp2}, {@code http.proxy.*} and {@code
 * http.tls.certificates.check}.
 */
final class HttpClients {
  private static final BoundedReads BOUNDED = new BoundedReads();

  /** One dispatcher and TLS context for all the instances that Nutch makes. */
  private static final OkHttpClient SHARED =
      new OkHttpClient.Builder()
          .followRedirects(false)
          .followSslRedirects(false)
          .socketFactory(BOUNDED)
          .addNetworkInterceptor(BOUNDED)
          // Trying several addresses at once would start a thread for each connection.
          .fastFallback(false)
          .build();

  /**
   * If http.time.limit is not set: a server that drips bytes would otherwise hold a thread for
   * ever.
   */
  private static final int CALL_TIMEOUTS = 6;

  private HttpClients() {}

  /**
   * @param guard refuses private addresses; without a proxy it looks names up
   * @param record sees each request and response
   */
  static Clients of(Configuration conf, PublicAddresses guard, Interceptor record) {
    int timeout = timeout(conf);
    OkHttpClient.Builder builder =
        SHARED
            .newBuilder()
            .connectTimeout(timeout, TimeUnit.MILLISECONDS)
            .readTimeout(timeout, TimeUnit.MILLISECONDS)
            .writeTimeout(timeout, TimeUnit.MILLISECONDS)
            .callTimeout(callMillis(conf), TimeUnit.MILLISECONDS)
            .protocols(
                conf.getBoolean("http.useHttp2", true) && Http2Window.canLimit()
                    ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                    : List.of(Protocol.HTTP_1_1))
            .addNetworkInterceptor(record)
            .addInterceptor(guard);
    Proxy proxy = proxy(conf);
    if (proxy == null) {
      builder.proxy(Proxy.NO_PROXY).dns(guard);
    } else {
      builder.proxy(proxy);
    }
    if (conf.getBoolean("http.tls.certificates.check", false)) {
      builder.sslSocketFactory(
          BoundedReads.tls(SHARED.sslSocketFactory()), SHARED.x509TrustManager());
    } else {
      trustAll(builder);
    }
    return new Clients(builder);
  }

  /** Returns the proxy; null if there is none. */
  static Proxy proxy(Configuration conf) {
    String host = conf.getTrimmed("http.proxy.host", "");
    return host.isEmpty()
        ? null
        : new Proxy(
            Proxy.Type.HTTP, new InetSocketAddress(host, conf.getInt("http.proxy.port", 8080)));
  }

  /** Returns the longest time of a call with its body, in milliseconds. */
  static long callMillis(Configuration conf) {
    int seconds = conf.getInt("http.time.limit", -1);
    return seconds > 0 ? TimeUnit.SECONDS.toMillis(seconds) : (long) CALL_TIMEOUTS * timeout(conf);
  }

  private static int timeout(Configuration conf) {
    return conf.getInt("http.timeout", 10_000);
  }

  /**
   * Nutch's default, http.tls.certificates.check=false: what is read is public, and many small
   * sites have old certificates.
   */
  private static void trustAll(OkHttpClient.Builder builder) {
    X509TrustManager trusting =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {
            // A client never sees this.
          }

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {
            // Every certificate will do.
          }

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trusting}, null);
      builder
          .sslSocketFactory(BoundedReads.tls(context.getSocketFactory()), trusting)
          .hostnameVerifier((host, session) -> true);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }
}
