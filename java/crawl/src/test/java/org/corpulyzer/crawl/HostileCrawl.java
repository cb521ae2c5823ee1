package org.corpulyzer.crawl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseData;

/**
 * Crawls the web of our own twice: with hosts beside it that attack the crawler, and as control
 * without them. The first crawl is killed at random moments and started again with the same
 * command. Prints which attacks the crawl held, which pages it lost, the most memory it had, and
 * the yields of both. The exit code is 1 if an attack was not held, a page was lost or the yield
 * fell.
 */
public final class HostileCrawl {
  private static final int WEB_SEED = 2;
  private static final int HOSTS = 960;
  private static final int ROUNDS = 8;
  private static final int TOP = 600;
  private static final int KILLS = 8;

  /** Most milliseconds from the start of a phase to its kill; the first fetch meets every seed. */
  private static final int FETCH_MILLIS = 30_000;

  private static final int PHASE_MILLIS = 3000;

  /** Minutes for a run that is not killed. */
  private static final int MAX_MINUTES = 20;

  /** A heap of 512 MB, code, threads, and the engine on two pages of 8 MiB at a time. */
  private static final long MAX_RSS_MB = 1200;

  /**
   * Percentage points that the mean yield of the rounds after the first may be below the control's.
   */
  private static final double YIELD_LOSS = 2;

  /** The values of forged headers and elements, and the text of /etc/passwd. */
  private static final List<String> FORBIDDEN =
      Arrays.asList("urd:99999999", "root:x:0:0", "/bin/sh");

  private static final Pattern KIND = Pattern.compile("http://kind-([0-9]+)\\.");
  private static final Pattern SLOW = Pattern.compile("(http\\S+) took ([0-9.]+) s");

  /** One line of attacks.tsv. */
  private static final class Attack {
    private final String name;
    private final String url;
    private final String outcomes;
    private final long requests;
    private final long bytes;
    private final double seconds;
    private long asked;
    private final Set<String> faults = new TreeSet<>();

    Attack(String line) {
      String[] fields = line.split("\t");
      name = fields[0];
      url = fields[1];
      outcomes = fields[2];
      requests = Long.parseLong(fields[3]);
      bytes = Long.parseLong(fields[4]);
      seconds = Double.parseDouble(fields[5]);
    }
  }

  private final Path folder;
  private final Random random;
  private final int step;
  private final List<String> faults = new ArrayList<>();
  private long peakRss;

  private HostileCrawl(Path folder, long seed, int step) {
    this.folder = folder;
    this.step = step;
    random = new Random(seed);
  }

  /**
   * @param args a folder, which is emptied, the seed of the kills, and how many of the pages of 8
   *     MiB are tried: one in so many
   */
  public static void main(String[] args) throws Exception {
    Logs.silence();
    Path folder = Paths.get(args[0]);
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    LocalFiles.deleteTree(folder);
    boolean held =
        new HostileCrawl(folder, seed, args.length > 2 ? Integer.parseInt(args[2]) : 1).run(seed);
    System.out.flush();
    System.exit(held ? 0 : 1);
  }

  private boolean run(long seed) throws Exception {
    Path hostile = folder.resolve("hostile");
    Path control = folder.resolve("control");
    System.out.println("the hostile web; the seed of the kills is " + seed);
    long began = System.nanoTime();
    try (Web web = new Web(hostile, true)) {
      List<String> seeds = Files.readAllLines(hostile.resolve("seeds.txt"));
      seeds.removeIf(this::isLeftOut);
      Files.write(hostile.resolve("seeds.txt"), seeds);
      crawl(hostile, web, KILLS);
      // Requests that the crawl has left are noted when their connections end.
      Thread.sleep(3000);
    }
    System.out.printf(
        Locale.ROOT, "%.0f s with %d kills%n", (System.nanoTime() - began) / 1e9, KILLS);
    System.out.println("the same web without the hostile hosts");
    long rss = peakRss;
    peakRss = 0;
    try (Web web = new Web(control, false)) {
      crawl(control, web, 0);
    }
    System.out.println("peak RSS of the control: " + peakRss / 1024 + " MB");
    peakRss = rss;
    return judge(hostile, control);
  }

  private boolean isLeftOut(String seed) {
    Matcher kind = KIND.matcher(seed);
    return kind.lookingAt() && Integer.parseInt(kind.group(1)) % step != 0;
  }

  private boolean judge(Path hostile, Path control) throws Exception {
    Map<String, Attack> attacks = new LinkedHashMap<>();
    for (String line : Files.readAllLines(hostile.resolve("attacks.tsv"))) {
      Attack attack = new Attack(line);
      if (!isLeftOut(attack.url)) {
        attacks.put(attack.name, attack);
      }
    }
    readRequests(hostile, attacks);
    readOutcomes(hostile, attacks);
    readForged(hostile);
    long held = attacks.values().stream().filter(attack -> attack.faults.isEmpty()).count();
    attacks
        .values()
        .forEach(
            attack ->
                attack.faults.forEach(
                    fault -> faults.add("not held: " + attack.name + ": " + fault)));
    Set<String> lost = lost(hostile, control);
    lost.stream().limit(20).forEach(page -> faults.add("lost: " + page));
    if (peakRss / 1024 > MAX_RSS_MB) {
      faults.add("the crawl had " + peakRss / 1024 + " MB, more than " + MAX_RSS_MB);
    }
    double[] means = {yields(hostile, "with hostile hosts"), yields(control, "control")};
    if (means[0] < means[1] - YIELD_LOSS) {
      faults.add("the yield is more than " + YIELD_LOSS + " percentage points below the control's");
    }
    faults.forEach(System.out::println);
    long tried = attacks.values().stream().filter(attack -> attack.asked > 0).count();
    System.out.printf(
        Locale.ROOT,
        "%d attacks tried, %d held; %d pages lost; peak RSS %d MB; "
            + "slowest page %s; mean yield after round 1: %.1f %%, control %.1f %%%n",
        tried,
        held,
        lost.size(),
        peakRss / 1024,
        slowest(hostile),
        means[0],
        means[1]);
    return faults.isEmpty();
  }

  /** The web in a process of its own, which ends with this one. */
  static final class Web implements AutoCloseable {
    private final Process process;
    private final String address;

    Web(Path folder, boolean hostile) throws IOException {
      Files.createDirectories(folder);
      List<String> command =
          new ArrayList<>(
              Arrays.asList(
                  System.getProperty("corpulyzer.programs") + "/corpulyzer-web",
                  "serve",
                  "--seed",
                  Integer.toString(WEB_SEED),
                  "--hosts",
                  Integer.toString(HOSTS),
                  "--log",
                  folder.resolve("web.log").toString(),
                  "--seeds-out",
                  folder.resolve("seeds.txt").toString(),
                  "--until-stdin-closes"));
      if (hostile) {
        command.addAll(Arrays.asList("--hostile", folder.toString()));
      }
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = lines.readLine();
      if (line == null) {
        throw new IOException("the web did not start");
      }
      address = line.substring("listening on ".length()).trim();
    }

    String address() {
      return address;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private void crawl(Path folder, Web web, int kills) throws Exception {
    Path state = folder.resolve("data").resolve("state.properties");
    List<String> arguments = TestCrawl.required(folder);
    arguments.addAll(
        Arrays.asList(
            "--rounds",
            Integer.toString(ROUNDS),
            "--top",
            Integer.toString(TOP),
            "--proxy",
            web.address));
    for (int run = 0; run <= kills; run++) {
      ChildCrawl crawl =
          ChildCrawl.start(
              folder.resolve("output-" + run + ".txt"),
              Arrays.asList("-XX:+UseSerialGC"),
              arguments.toArray(new String[0]));
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MAX_MINUTES);
      // The kills go through the rounds; the phase and the moment in it are drawn.
      int round = 1 + run * ROUNDS / Math.max(1, kills);
      Phase phase =
          run % 2 == 0 ? Phase.FETCH : Phase.values()[random.nextInt(Phase.values().length)];
      long millis =
          random.nextInt(round == 1 && phase == Phase.FETCH ? FETCH_MILLIS : PHASE_MILLIS);
      long kill = Long.MAX_VALUE;
      while (crawl.isAlive() && System.nanoTime() < Math.min(end, kill)) {
        peakRss = Math.max(peakRss, rss(crawl.pid()));
        if (run < kills
            && kill == Long.MAX_VALUE
            && isReached(CrawlState.load(state), round, phase)) {
          kill = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        }
        Thread.sleep(20);
      }
      if (crawl.isAlive()) {
        crawl.kill();
        CrawlState found = CrawlState.load(state);
        if (kill == Long.MAX_VALUE) {
          faults.add("the crawl did not end within " + MAX_MINUTES + " minutes; " + tail(crawl));
        } else {
          System.out.println("killed in round " + found.round() + ", " + found.next().label());
        }
      } else if (crawl.exitCode(1) != 0) {
        faults.add("the crawl ended with exit code " + crawl.exitCode(1) + ": " + tail(crawl));
      }
    }
  }

  private static boolean isReached(CrawlState state, int round, Phase phase) {
    return state.isBegun()
        && (state.round() > round || state.round() == round && state.next().compareTo(phase) >= 0);
  }

  private static String tail(ChildCrawl crawl) throws IOException {
    String[] lines = crawl.output().split("\n");
    return lines[lines.length - 1];
  }

  /** Most kB of memory that the process has had; 0 when it has ended. */
  static long rss(long pid) {
    try (Stream<String> lines = Files.lines(Paths.get("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  private void readRequests(Path hostile, Map<String, Attack> attacks) throws IOException {
    for (String line : Files.readAllLines(hostile.resolve("attacked.tsv"))) {
      String[] fields = line.split("\t");
      Attack attack = attacks.get(fields[1]);
      if (attack == null) {
        faults.add("not held: a request into this machine: " + fields[2] + " " + fields[5]);
        continue;
      }
      attack.asked++;
      if (Long.parseLong(fields[3]) > attack.bytes) {
        attack.faults.add(fields[3] + " bytes were read of " + fields[2]);
      }
      if (Double.parseDouble(fields[4]) > attack.seconds) {
        attack.faults.add(fields[2] + " was listened to for " + fields[4] + " s");
      }
      if (!fields[5].equals("-")) {
        attack.faults.add("the crawler sent " + fields[5]);
      }
    }
    for (Attack attack : attacks.values()) {
      if (attack.asked == 0) {
        attack.faults.add("the crawler made no request, so nothing was tried");
      } else if (attack.asked > attack.requests * (ROUNDS + 1 + KILLS)) {
        // One round more, because the last kill may come when another one has begun.
        attack.faults.add(attack.asked + " requests");
      }
    }
  }

  private static void readOutcomes(Path hostile, Map<String, Attack> attacks) throws IOException {
    Map<String, CrawlDatum> rows = CrawlFiles.rows(hostile.resolve("data"));
    for (Attack attack : attacks.values()) {
      CrawlDatum row = rows.get(attack.url);
      String outcome = row == null ? "no row" : outcome(row);
      if (row == null || !attack.outcomes.contains(outcome)) {
        attack.faults.add(
            "its row is '"
                + outcome
                + "', allowed are "
                + attack.outcomes
                + (row == null ? "" : " " + row.getMetaData()));
      }
    }
  }

  private static String outcome(CrawlDatum row) {
    switch (row.getStatus()) {
      case CrawlDatum.STATUS_DB_FETCHED:
      case CrawlDatum.STATUS_DB_NOTMODIFIED:
        return "F";
      case CrawlDatum.STATUS_DB_GONE:
        return "G";
      case CrawlDatum.STATUS_DB_REDIR_TEMP:
      case CrawlDatum.STATUS_DB_REDIR_PERM:
        return "M";
      default:
        return row.getRetriesSinceFetch() > 0 ? "R" : "not tried";
    }
  }

  /** Checks that no page brought forged values into the rows or the corpus. */
  private void readForged(Path hostile) throws Exception {
    List<String> texts =
        new ArrayList<>(Corpus.lines(hostile.resolve("out").resolve("corpus.jsonl.zst")));
    CrawlFiles.rows(hostile.resolve("data"))
        .forEach((url, row) -> texts.add(url + " " + row.getMetaData()));
    for (String text : texts) {
      for (String forbidden : FORBIDDEN) {
        if (text.contains(forbidden)) {
          faults.add(
              "not held: '"
                  + forbidden
                  + "' stands in "
                  + text.substring(0, Math.min(300, text.length())));
        }
      }
    }
  }

  /**
   * Ordinary pages that the server gave out and that were not parsed, or are only in the control's
   * corpus though both have them.
   */
  private static Set<String> lost(Path hostile, Path control) throws Exception {
    Set<String> parsed = parsed(hostile);
    Set<String> lost = new TreeSet<>(given(hostile).keySet());
    lost.removeAll(parsed);
    Set<String> kept =
        new HashSet<>(Corpus.values(hostile.resolve("out").resolve("corpus.jsonl.zst"), "url"));
    for (String page : Corpus.values(control.resolve("out").resolve("corpus.jsonl.zst"), "url")) {
      if (parsed.contains(page) && !kept.contains(page)) {
        lost.add(page);
      }
    }
    return lost;
  }

  private static Set<String> parsed(Path crawl) throws IOException {
    return CrawlFiles.newest(crawl.resolve("data"), ParseData.DIR_NAME, ParseData::new)
        .entrySet()
        .stream()
        .filter(entry -> entry.getValue().getStatus().isSuccess())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Pages that the ordinary web answered with, and their true language. */
  private static Map<String, String> given(Path crawl) throws IOException {
    Map<String, String> languages = new HashMap<>();
    for (String line : Files.readAllLines(crawl.resolve("web.log"))) {
      String[] fields = line.split("\t");
      if (fields[2].equals("200") && !fields[4].equals("robots")) {
        languages.put(fields[1], fields[3]);
      }
    }
    return languages;
  }

  /**
   * Prints the yield of each round by the truth of the server. @return the mean in percent over the
   * rounds after the first
   */
  private static double yields(Path crawl, String name) throws IOException {
    Map<String, String> languages = given(crawl);
    List<Path> segments;
    try (Stream<Path> entries = Files.list(crawl.resolve("data").resolve("segments"))) {
      segments = entries.sorted().collect(Collectors.toList());
    }
    List<RoundYield> rounds = new ArrayList<>();
    for (Path segment : segments) {
      Path fetched = segment.resolve(CrawlDatum.FETCH_DIR_NAME).resolve(Segment.PART);
      Map<String, CrawlDatum> rows = CrawlFiles.records(fetched.resolve("data"), CrawlDatum::new);
      rows.values().removeIf(row -> row.getStatus() != CrawlDatum.STATUS_FETCH_SUCCESS);
      long urdu = rows.keySet().stream().filter(url -> "urd".equals(languages.get(url))).count();
      long ours = rows.keySet().stream().filter(url -> !languages.containsKey(url)).count();
      rounds.add(new RoundYield(rounds.size() + 1, rows.size(), urdu, ours, 0));
    }
    System.out.println(name + "; new hosts: pages of hostile hosts");
    System.out.print(RoundYield.table(rounds));
    return RoundYield.mean(rounds.subList(Math.min(1, rounds.size()), rounds.size()));
  }

  private static String slowest(Path hostile) throws IOException {
    double most = 0;
    String page = "under 1 s";
    try (Stream<Path> logs = Files.list(hostile.resolve("data").resolve("logs"))) {
      for (Path log : logs.collect(Collectors.toList())) {
        for (String line : Files.readAllLines(log)) {
          Matcher slow = SLOW.matcher(line);
          if (slow.find() && Double.parseDouble(slow.group(2)) > most) {
            most = Double.parseDouble(slow.group(2));
            page = slow.group(2) + " s (" + slow.group(1) + ")";
          }
        }
      }
    }
    return page;
  }
}
