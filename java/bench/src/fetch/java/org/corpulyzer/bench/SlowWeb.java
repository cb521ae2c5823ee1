package org.corpulyzer.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * A web of many hosts, as an HTTP proxy on 127.0.0.1, that answers every request after the same
 * time. One thread serves all connections, so that the server takes little of the machine that the
 * crawler is measured on. There is no robots.txt and no tdmrep.json; every other address has the
 * same page.
 */
final class SlowWeb {
  private static final int BACKLOG = 4096;
  private static final int MAX_HEAD_BYTES = 8192;
  private static final byte[] NOT_FOUND =
      "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** One connection. */
  private static final class Peer {
    private final SelectionKey key;
    private final StringBuilder head = new StringBuilder();
    private ByteBuffer out;
    private long dueNanos;

    Peer(SelectionKey key) {
      this.key = key;
    }
  }

  private final Selector selector = Selector.open();
  private final ServerSocketChannel server = ServerSocketChannel.open();

  /** In the order in which they are due, as all wait for the same time. */
  private final Deque<Peer> waiting = new ArrayDeque<>();

  private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_HEAD_BYTES);
  private final long latencyNanos;

  /** With its head; every address has the same. */
  private final byte[] page;

  private SlowWeb(int latencyMillis, int pageBytes) throws IOException {
    latencyNanos = latencyMillis * 1_000_000L;
    page = page(pageBytes);
    server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), BACKLOG);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Serves until standard input ends. Arguments: milliseconds before each answer, bytes of a page.
   */
  public static void main(String[] args) throws IOException {
    SlowWeb web = new SlowWeb(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    Thread end =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                System.err.println(e);
              }
              Runtime.getRuntime().halt(0);
            });
    end.setDaemon(true);
    end.start();
    System.out.println(((InetSocketAddress) web.server.getLocalAddress()).getPort());
    web.serve();
  }

  private static byte[] page(int bytes) {
    StringBuilder html =
        new StringBuilder(
            "<!doctype html><html lang=en><head><title>A page</title></head><body>\n");
    for (int line = 0; html.length() < bytes; line++) {
      html.append("<p>Line ").append(line).append(" of a page that a slow server has.</p>\n");
    }
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
            + html.length()
            + "\r\n\r\n";
    return (head + html).getBytes(StandardCharsets.US_ASCII);
  }

  private void serve() throws IOException {
    while (true) {
      Peer first = waiting.peek();
      long millis =
          first == null ? 0 : Math.max(1, (first.dueNanos - System.nanoTime()) / 1_000_000);
      selector.select(millis);
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove();
        if (key.isValid() && key.isAcceptable()) {
          accept();
        } else if (key.isValid()) {
          serve((Peer) key.attachment());
        }
      }
      while ((first = waiting.peek()) != null && first.dueNanos <= System.nanoTime()) {
        waiting.poll();
        if (first.key.isValid()) {
          write(first);
        }
      }
    }
  }

  private void accept() throws IOException {
    for (SocketChannel channel; (channel = server.accept()) != null; ) {
      channel.configureBlocking(false);
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      key.attach(new Peer(key));
    }
  }

  private void serve(Peer peer) {
    if (peer.key.isWritable()) {
      write(peer);
      return;
    }
    try {
      in.clear();
      int n = ((SocketChannel) peer.key.channel()).read(in);
      if (n < 0 || peer.head.length() + n > MAX_HEAD_BYTES) {
        peer.key.channel().close();
        return;
      }
      in.flip();
      peer.head.append(StandardCharsets.ISO_8859_1.decode(in));
    } catch (IOException e) {
      close(peer);
      return;
    }
    if (peer.head.indexOf("\r\n\r\n") >= 0) {
      boolean isOfHost =
          peer.head.indexOf("/robots.txt ") >= 0 || peer.head.indexOf("/tdmrep.json ") >= 0;
      peer.head.setLength(0);
      peer.head.trimToSize();
      peer.out = ByteBuffer.wrap(isOfHost ? NOT_FOUND : page);
      peer.dueNanos = System.nanoTime() + latencyNanos;
      peer.key.interestOps(0);
      waiting.add(peer);
    }
  }

  private void write(Peer peer) {
    try {
      ((SocketChannel) peer.key.channel()).write(peer.out);
      peer.key.interestOps(peer.out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
      if (!peer.out.hasRemaining()) {
        peer.out = null;
      }
    } catch (IOException e) {
      close(peer);
    }
  }

  private static void close(Peer peer) {
    try {
      peer.key.channel().close();
    } catch (IOException e) {
      peer.key.cancel();
    }
  }
}
