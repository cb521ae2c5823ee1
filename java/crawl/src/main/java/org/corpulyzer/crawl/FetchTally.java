package org.corpulyzer.crawl;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.nutch.protocol.ProtocolStatus;

/**
 * Counts the results of a round's fetches. A fetch fails if its row stays as it is and is tried
 * again: no connection, no robots.txt, a server error. Every other result is a response.
 */
final class FetchTally {
  /** Reasons that a sentence names. */
  private static final int NAMED_REASONS = 3;

  private static final int MAX_CHARACTERS = 80;

  /** Answers by Nutch's name of the protocol status. */
  private final Map<String, Long> answers = new TreeMap<>();

  private final Map<String, Long> reasons = new TreeMap<>();
  private final Set<String> failedHosts = new HashSet<>();
  private long failures;
  private int setAside;

  /** Counts a fetch by its status; a failure by the reason too, see {@link #reason}. */
  synchronized void add(String host, ProtocolStatus status) {
    switch (status.getCode()) {
      case ProtocolStatus.EXCEPTION:
      case ProtocolStatus.RETRY:
      case ProtocolStatus.FAILED:
        failures++;
        reasons.merge(reason(status), 1L, Long::sum);
        failedHosts.add(host);
        return;
      default:
        answers.merge(status.getName(), 1L, Long::sum);
    }
  }

  /**
   * Returns the reason of a failure: the text of its message before the first colon, by which the
   * protocol plugin separates it from details such as the host.
   */
  private static String reason(ProtocolStatus status) {
    String message = status.getMessage();
    String reason = message == null ? "" : message.split(": ", 2)[0].trim();
    if (reason.isEmpty()) {
      return status.getName().toLowerCase(Locale.ROOT);
    }
    // A message of another plugin may be long, and may quote a server's text.
    String plain = reason.replaceAll("\\p{Cntrl}", " ");
    return plain.length() <= MAX_CHARACTERS ? plain : plain.substring(0, MAX_CHARACTERS);
  }

  /** Returns the number of fetches without a page by kind: the status, or why they failed. */
  synchronized Map<String, Long> kinds() {
    Map<String, Long> kinds = new TreeMap<>();
    answers.forEach(
        (name, count) ->
            kinds.put(
                name.toLowerCase(Locale.ROOT).replace('_', ' ').replace("notfound", "not found"),
                count));
    kinds.remove(ProtocolStatus.STATUS_SUCCESS.getName().toLowerCase(Locale.ROOT));
    reasons.forEach((reason, count) -> kinds.merge("failed: " + reason, count, Long::sum));
    return kinds;
  }

  /** Counts a host that gets no further request in the round. */
  synchronized void addSetAside() {
    setAside++;
  }

  /** Returns the number of pages that servers delivered. */
  synchronized long pages() {
    return answers.getOrDefault(ProtocolStatus.STATUS_SUCCESS.getName(), 0L);
  }

  /** Returns the number of hosts of failed fetches if no host responded; 0 if one did. */
  synchronized int hostsIfNoneAnswered() {
    return answers.isEmpty() ? failedHosts.size() : 0;
  }

  /**
   * Returns the results other than pages, the most frequent first, such as {@code ; 4 notfound, 1
   * moved, 3 failed (connection refused 2, timeout 1)}.
   */
  synchronized String others() {
    Map<String, Long> others = new TreeMap<>(answers);
    others.remove(ProtocolStatus.STATUS_SUCCESS.getName());
    String list =
        mostFrequent(others, Integer.MAX_VALUE)
            .map(
                answer ->
                    answer.getValue()
                        + " "
                        + answer.getKey().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
    if (failures > 0) {
      String why =
          mostFrequent(reasons, NAMED_REASONS)
              .map(reason -> reason.getKey() + " " + reason.getValue())
              .collect(Collectors.joining(", "));
      list += (list.isEmpty() ? "" : ", ") + failures + " failed (" + why + ")";
    }
    if (setAside > 0) {
      list +=
          (list.isEmpty() ? "" : ", ")
              + setAside
              + (setAside == 1 ? " host" : " hosts")
              + " set aside";
    }
    return list.isEmpty() ? "" : "; " + list;
  }

  /**
   * Returns the sentence for a round without a page, such as {@code No page was fetched: 2 of 2
   * fetches failed, ...}.
   */
  synchronized String noPage() {
    long all = failures + answers.values().stream().mapToLong(Long::longValue).sum();
    String why =
        mostFrequent(reasons, NAMED_REASONS)
            .map(reason -> reason.getKey() + " (" + reason.getValue() + ")")
            .collect(Collectors.joining(", "));
    return "No page was fetched: "
        + failures
        + " of "
        + all
        + (all == 1 ? " fetch" : " fetches")
        + " failed, most often with: "
        + why;
  }

  private static Stream<Map.Entry<String, Long>> mostFrequent(Map<String, Long> counts, int most) {
    List<Map.Entry<String, Long>> sorted =
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .collect(Collectors.toList());
    return sorted.stream().limit(most);
  }
}
