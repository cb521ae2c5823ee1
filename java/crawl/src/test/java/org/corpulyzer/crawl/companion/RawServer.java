package org.corpulyzer.crawl.companion;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server on loopback that writes the bytes of a test: one response for each connection. It also
 * serves as a proxy for any host.
 */
public final class RawServer implements Closeable {
  public interface Answer {
    void write(Request request, OutputStream out) throws Exception;
  }

  /**
   * A request: its target as sent (a path, or a URL if the server is used as a proxy), and its
   * headers.
   */
  public static final class Request {
    public final String target;
    public final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private Request(String target) {
      this.target = target;
    }
  }

  public final List<Request> requests = new CopyOnWriteArrayList<>();
  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Answer answer;

  public RawServer(Answer answer) throws IOException {
    this.answer = answer;
    socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Robots.forget(port());
    threads.execute(this::accept);
  }

  public int port() {
    return socket.getLocalPort();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  /** Returns how many requests came whose target ends so. */
  public long count(String end) {
    return requests.stream().filter(request -> request.target.endsWith(end)).count();
  }

  public static void head(OutputStream out, int code, String... headers) throws IOException {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 " + code + " Message\r\nConnection: close\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  public static void page(OutputStream out, String text, String... headers) throws IOException {
    String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = "Content-Type: text/html; charset=utf-8";
    head(out, 200, all);
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void accept() {
    while (true) {
      try {
        Socket connection = socket.accept();
        threads.execute(() -> serve(connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (Socket open = connection) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(open.getInputStream(), StandardCharsets.ISO_8859_1));
      Request request = new Request(in.readLine().split(" ")[1]);
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        request.headers.put(
            line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1).trim());
      }
      requests.add(request);
      answer.write(request, open.getOutputStream());
      open.getOutputStream().flush();
      open.shutdownOutput();
    } catch (Exception e) {
      // Some tests expect that the client closes the connection.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdownNow();
  }
}
