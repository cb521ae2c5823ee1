package org.corpulyzer.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Policy pages: chooses the rows of a round by the bytes to expect of each page. Call {@link #add}
 * with all rows, {@link #begin}, {@link #consider} with the rows that may be fetched, in the order
 * of their URLs, and {@link #choose}. After the fetch, call {@link #review} in a steering with the
 * state of the choice. Not for several threads.
 */
public final class Steering implements AutoCloseable {

  /**
   * Name of a configuration's property that is true in a crawl which chooses its pages itself. In
   * others the score passes do, under policy pages.
   */
  public static final String CHOOSES = "crp.crawl.chooses";

  /** A row, which may be used again for the next one. */
  public static final class Row {
    /** Number in the order of the database. */
    public int id;

    /** UTF-8 bytes of the URL, from the first on. */
    public byte[] url = {};

    /** How many bytes the URL has. */
    public int urlLength;

    /** Bytes of the host's name in front of its registered domain, without the dot. */
    public int labelBytes;

    /** Whether the page was fetched and read. */
    public boolean isFetched;

    /** Whether the row is a seed. */
    public boolean isSeed;

    /** Target bytes of the page, 0 if it was not kept. */
    public long bytes;

    /** The links to the row. */
    public final LinkCounts links = new LinkCounts();

    /** The prediction before the fetch; null if there is none. */
    public Prediction predicted;
  }

  /** A row's prediction. Immutable. */
  public static final class Prediction {
    private final int level;
    private final float section;
    private final float probability;
    private final float score;

    /**
     * @param level 1 if no page of the host in the language was fetched, 2 otherwise, 0 for a seed
     * @param section logit of the probability by host and sections alone
     * @param probability of the language
     * @param score probability times expected bytes
     */
    public Prediction(int level, float section, float probability, float score) {
      this.level = level;
      this.section = section;
      this.probability = probability;
      this.score = score;
    }

    /**
     * @return see the constructor
     */
    public int level() {
      return level;
    }

    /**
     * @return see the constructor
     */
    public float section() {
      return section;
    }

    /**
     * @return see the constructor
     */
    public float probability() {
      return probability;
    }

    /**
     * @return see the constructor
     */
    public float score() {
      return score;
    }
  }

  /** The sums of a section of a host: a directory or a parameter. Immutable. */
  public static final class Section {
    private final String name;
    private final long fetched;
    private final long kept;
    private final boolean isOfRow;

    private Section(ByteBuffer packed) {
      fetched = packed.getInt() & 0xFFFFFFFFL;
      kept = packed.getInt() & 0xFFFFFFFFL;
      isOfRow = packed.get() != 0;
      byte[] text = new byte[packed.getShort() & 0xFFFF];
      packed.get(text);
      name = new String(text, StandardCharsets.UTF_8);
    }

    /**
     * @return name, such as {@code /ur/} or {@code ?lang=ur}; empty for the whole host
     */
    public String name() {
      return name;
    }

    /**
     * @return fetched pages that were read
     */
    public long fetched() {
      return fetched;
    }

    /**
     * @return those in the language
     */
    public long kept() {
      return kept;
    }

    /**
     * @return whether the row is in it that was asked for
     */
    public boolean isOfRow() {
      return isOfRow;
    }
  }

  /** The rows of a round. Immutable. */
  public static final class Choice {
    private final int[] rows;
    private final float[] scores;
    private final int probes;
    private final String state;

    private Choice(int[] rows, float[] scores, int probes, String state) {
      this.rows = rows;
      this.scores = scores;
      this.probes = probes;
      this.state = state;
    }

    /**
     * @return numbers of the rows, the first to fetch first
     */
    public int[] rows() {
      return rows.clone();
    }

    /**
     * Scores by which a list of the best rows has this choice, and a shorter one a choice with the
     * same share of probes: a probe has the score of the row beside which it stands.
     *
     * @return a score for each of {@link #rows}, 0 for seeds
     */
    public float[] scores() {
      return scores.clone();
    }

    /**
     * @return number of probes among them: rows of new hosts that come before better rows
     */
    public int probes() {
      return probes;
    }

    /**
     * @return state for the review
     */
    public String state() {
      return state;
    }
  }

  /**
   * The results of a round: its pages of new hosts with their cost, and the quality of its
   * predictions. Immutable.
   */
  public static final class Review {
    private final long tried;
    private final long kept;
    private final double cost;
    private final double brier;
    private final String state;

    private Review(ByteBuffer sums, String state) {
      tried = sums.getLong();
      kept = sums.getLong();
      cost = sums.getDouble();
      brier = sums.getDouble();
      this.state = state;
    }

    /**
     * @return pages of hosts without a page in the language before, seeds excepted
     */
    public long tried() {
      return tried;
    }

    /**
     * @return those of them that were kept
     */
    public long kept() {
      return kept;
    }

    /**
     * @return bytes that the round lost by them; negative if they gave more than others
     */
    public double cost() {
      return cost;
    }

    /**
     * @return mean squared difference of probability and result over all predicted pages; -1 if
     *     there are none
     */
    public double brier() {
      return brier;
    }

    /**
     * @return state for the next round
     */
    public String state() {
      return state;
    }
  }

  /** Takes the prediction of a row. */
  public interface Sink {
    /**
     * @param row number of the row
     */
    void accept(int row, Prediction prediction) throws IOException;
  }

  /** A native method that takes rows. */
  private interface Call {
    byte[] with(int steering, byte[] rows);
  }

  // One object each, so that rows for the same method share a batch.
  private static final Call ADD = Native::steeringAdd;
  private static final Call CONSIDER = Native::steeringConsider;
  private static final Call PREDICT = Native::steeringPredict;
  private static final Call REVIEW = Native::steeringReview;

  private final int id;
  private final SteeringBatch batch = new SteeringBatch();

  /** The method for the rows in {@link #batch}; null if there are none. */
  private Call call;

  /** Answer to the last batch. */
  private Frame answer;

  /**
   * @param engine of policy pages
   * @param state of the last choice or review; empty in the first round
   * @throws CorpulyzerException if the policy is another one, or the state is damaged
   */
  public Steering(Engine engine, String state) {
    byte[] options = Frame.writer().text(Tag.STEERING_STATE, state).toBytes();
    id = Engine.accepted(Native.steering(engine.id(), options)).u32(Tag.STEERING_ID);
  }

  /** Adds a row to the sums of its host. */
  public void add(Row row) {
    put(ADD, row);
  }

  /**
   * Learns from the rows that were added, and begins a round.
   *
   * @param top most rows
   * @param perHost most rows of a host
   */
  public void begin(int top, int perHost) {
    flush();
    byte[] limits = ByteBuffer.allocate(2 * Integer.BYTES).putInt(top).putInt(perHost).array();
    byte[] frame = Frame.writer().bytes(Tag.ROUND_LIMITS, limits).toBytes();
    Engine.accepted(Native.steeringBegin(id, frame));
  }

  /** Considers a row for the round. */
  public void consider(Row row) {
    put(CONSIDER, row);
  }

  /**
   * Considers packed rows for the round.
   *
   * @param rows see {@link SteeringBatch#take}
   */
  public void consider(byte[] rows) {
    flush();
    Engine.accepted(Native.steeringConsider(id, rows));
  }

  /**
   * Considers packed rows for the round.
   *
   * @param rows see {@link SteeringBatch#take}
   * @param sink takes the prediction of each row but of new seeds
   */
  public void consider(byte[] rows, Sink sink) throws IOException {
    flush();
    Frame considered = Engine.accepted(Native.steeringConsider(id, rows));
    ByteBuffer packed = ByteBuffer.wrap(considered.bytes(Tag.PREDICTIONS));
    while (packed.hasRemaining()) {
      sink.accept(packed.getInt(), prediction(packed));
    }
  }

  private static Prediction prediction(ByteBuffer packed) {
    return new Prediction(packed.get(), packed.getFloat(), packed.getFloat(), packed.getFloat());
  }

  /**
   * @return the rows of the round
   */
  public Choice choose() {
    flush();
    Frame chosen = Engine.accepted(Native.steeringChoose(id));
    ByteBuffer packed = ByteBuffer.wrap(chosen.bytes(Tag.CHOSEN));
    int[] rows = new int[packed.remaining() / (Integer.BYTES + 1 + Float.BYTES)];
    float[] scores = new float[rows.length];
    int firstProbe = 0;
    int probes = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = packed.getInt();
      if (packed.get() != 0) {
        probes++;
      } else if (probes == 0) {
        firstProbe++;
      }
      scores[i] = packed.getFloat();
    }
    spread(scores, firstProbe, probes);
    return new Choice(rows, scores, probes, chosen.text(Tag.STEERING_STATE));
  }

  /** Gives each probe the score of a row behind the probes, evenly from the best to the last. */
  private static void spread(float[] scores, int firstProbe, int probes) {
    int best = firstProbe + probes;
    int others = scores.length - best;
    for (int i = 0; i < probes && others > 0; i++) {
      scores[firstProbe + i] = scores[best + (int) ((long) i * others / probes)];
    }
  }

  /**
   * @return the prediction of a row, after {@link #begin}
   */
  public Prediction predict(Row row) {
    put(PREDICT, row);
    flush();
    ByteBuffer packed = ByteBuffer.wrap(answer.bytes(Tag.PREDICTIONS));
    packed.getInt();
    return prediction(packed);
  }

  /**
   * @return the host of a row, and its sections in the order of their names; empty if no page of
   *     the host was added as fetched
   */
  public List<Section> sections(Row row) {
    flush();
    batch.add(row);
    Frame answered = Engine.accepted(Native.steeringSections(id, batch.take()));
    ByteBuffer packed = ByteBuffer.wrap(answered.bytes(Tag.SECTIONS));
    List<Section> sections = new ArrayList<>();
    while (packed.hasRemaining()) {
      sections.add(new Section(packed));
    }
    return sections;
  }

  /** Takes in the result of a row that was chosen in the last round, with its prediction. */
  public void review(Row row) {
    put(REVIEW, row);
  }

  /**
   * Takes in the results of packed rows, see {@link #review(Row)}. They may come between rows that
   * are added.
   *
   * @param rows see {@link SteeringBatch#take}
   */
  public void review(byte[] rows) {
    Engine.accepted(Native.steeringReview(id, rows));
  }

  /**
   * @return the sums of all rows that were reviewed
   */
  public Review reviewed() {
    flush();
    Frame sums = Engine.accepted(Native.steeringReview(id, new byte[0]));
    return new Review(ByteBuffer.wrap(sums.bytes(Tag.REVIEW)), sums.text(Tag.STEERING_STATE));
  }

  private void put(Call next, Row row) {
    if (call != next) {
      flush();
      call = next;
    }
    batch.add(row);
    if (batch.isFull()) {
      Call same = call;
      flush();
      call = same;
    }
  }

  private void flush() {
    if (call != null && !batch.isEmpty()) {
      answer = Engine.accepted(call.with(id, batch.take()));
    }
    call = null;
  }

  @Override
  public void close() {
    Native.steeringClose(id);
  }
}
