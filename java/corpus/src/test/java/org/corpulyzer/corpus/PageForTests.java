package org.corpulyzer.corpus;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A page with the fields that a test sets. */
final class PageForTests implements CorpusPage {

  final Map<String, String> figures = new TreeMap<>();
  final Map<String, List<String>> headers = new TreeMap<>();
  private final String id;
  private final String url;
  long round = -1;
  long fetchMillis;
  String title = "";
  String text = "";
  String contentType = "text/html";
  byte[] signature;
  byte[] content;
  String responseHead;
  String request;
  String ipAddress;
  String truncation;

  PageForTests(String id, String url) {
    this.id = id;
    this.url = url;
  }

  PageForTests figure(String key, String value) {
    figures.put(key, value);
    return this;
  }

  PageForTests header(String name, String value) {
    headers.put(name, Collections.singletonList(value));
    return this;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String host() {
    return url.replaceAll("^[a-z]+://|[:/].*$", "");
  }

  @Override
  public long round() {
    return round;
  }

  @Override
  public long fetchMillis() {
    return fetchMillis;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public String contentType() {
    return contentType;
  }

  @Override
  public byte[] signature() {
    return signature;
  }

  @Override
  public byte[] content() {
    return content;
  }

  @Override
  public Map<String, List<String>> headers() {
    return headers;
  }

  @Override
  public String responseHead() {
    return responseHead;
  }

  @Override
  public String request() {
    return request;
  }

  @Override
  public String ipAddress() {
    return ipAddress;
  }

  @Override
  public String truncation() {
    return truncation;
  }

  @Override
  public Map<String, String> figures() {
    return figures;
  }

  @Override
  public String figure(String key) {
    return figures.get(key);
  }
}
