package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * bin/corpulyzer on a machine of our own making: a PATH that holds the system's small tools and
 * whatever else the test puts there.
 */
public class ScriptTest {
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private String fuzzersBuild = "";
  private int fuzzersEnd;
  private Path repository;
  private Path tools;

  @Before
  public void bareMachine() throws Exception {
    repository = folder.newFolder("repository").toPath();
    tools = folder.newFolder("tools").toPath();
    for (Path open : new Path[] {folder.getRoot().toPath(), repository, tools}) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    copyScripts();
    for (String tool :
        ("bash env readlink dirname find awk tee mktemp mv mkdir cat touch chmod sort grep tail cp"
                + " rm nproc date uname sha256sum cmp nice sed")
            .split(" ")) {
      for (String place : new String[] {"/usr/bin/", "/bin/"}) {
        if (Files.exists(Paths.get(place + tool)) && !Files.exists(tools.resolve(tool))) {
          Files.createSymbolicLink(tools.resolve(tool), Paths.get(place + tool).toRealPath());
        }
      }
    }
    Files.createDirectories(repository.resolve("tests/fuzz"));
    // The Python package copies these files and runs this command, which writes its man pages.
    Path models = Files.createDirectories(repository.resolve("rust/langid/models"));
    for (String model : new String[] {"seed.pack", "far.pack", "README.md"}) {
      Files.createFile(models.resolve(model));
    }
    for (String profile : new String[] {"target/debug", "target/release"}) {
      Path programs = Files.createDirectories(repository.resolve(profile));
      script(programs.resolve("corpulyzer"), "#!/usr/bin/env bash\n");
      for (Path open : new Path[] {programs.getParent(), programs}) {
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
      }
    }
    tool("cargo", "mkdir -p target/release");
    Path sysroot = folder.newFolder("sysroot").toPath();
    Files.createDirectories(sysroot.resolve("lib/rustlib/x86_64-unknown-linux-gnu/lib"));
    tool(
        "rustc",
        "if [[ $1 == --print ]]; then echo " + sysroot + "; else echo host: some-machine; fi");
    zig(
        "",
        "cd \"$CARGO_TARGET_DIR\" && mkdir -p x86_64-unknown-linux-gnu/portable"
            + " && cd x86_64-unknown-linux-gnu/portable && touch libcorpulyzer.so"
            + " && echo '#!/usr/bin/env bash' >corpulyzer && chmod +x corpulyzer");
    tool("c++", "");
    tool("javac", "echo javac 17.0.15");
    tool("gradle", "");
  }

  /** bin/corpulyzer and the scripts of bin/dev, with the rights that they have. */
  private void copyScripts() throws IOException {
    Path root = Paths.get(System.getProperty("corpulyzer.root"));
    List<Path> scripts;
    try (Stream<Path> files = Files.walk(root.resolve("bin"))) {
      scripts = files.filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path script : scripts) {
      Path copy = repository.resolve(root.relativize(script).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(script, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  @Test
  public void without_rust_it_says_so_and_exits_2() throws Exception {
    Files.delete(tools.resolve("cargo"));
    refused("Rust is missing: install 1.88 or later", run(false, "build"));
  }

  @Test
  public void without_a_jdk_or_with_an_old_one_it_says_so_and_exits_2() throws Exception {
    tool("javac", "echo javac 11.0.2");
    refused("JDK 17 is needed, but ", run(false, "build"));
    Files.delete(tools.resolve("javac"));
    refused("JDK 17 is missing: ", run(false, "build"));
  }

  @Test
  public void anybody_but_root_gets_one_line_to_run_before_anything_is_built() throws Exception {
    Files.delete(tools.resolve("gradle"));
    Files.delete(tools.resolve("c++"));
    tool("cargo", "echo called >&2");
    tool("apt-get", "echo called >&2");
    Answer answer = run(true, "build");
    assertEquals(answer.toString(), 2, answer.exit);
    assertTrue(
        answer.toString(),
        answer.err.endsWith(
            "\n"
                + "sudo apt-get update && sudo apt-get install -y --no-install-recommends g++"
                + " gradle\n"));
    assertFalse(answer.toString(), answer.err.contains("called"));
  }

  @Test
  public void without_gradle_root_gets_it_installed() throws Exception {
    Files.delete(tools.resolve("gradle"));
    tool(
        "apt-get",
        "echo \"apt-get $*\" >&2; echo '#!/usr/bin/env bash' > "
            + tools.resolve("gradle")
            + "; chmod +x "
            + tools.resolve("gradle"));
    Answer answer = run(false, "build");
    if (IS_ROOT) {
      assertEquals(answer.toString(), 0, answer.exit);
      assertTrue(answer.toString(), answer.err.contains("apt-get update"));
      assertTrue(
          answer.toString(),
          answer.err.contains(" install -qq -y --no-install-recommends gradle\n"));
    } else {
      assertEquals(answer.toString(), 2, answer.exit);
    }
  }

  @Test
  public void the_second_build_asks_neither_cargo_nor_gradle_until_a_source_changes()
      throws Exception {
    tool("cargo", "echo cargo >> asked; mkdir -p target/release");
    tool("gradle", "echo gradle >> asked");
    Path source = Files.createDirectories(repository.resolve("rust/engine")).resolve("lib.rs");
    Files.write(source, new byte[0]);
    assertEquals(0, run(false, "build").exit);
    assertEquals(0, run(false, "build").exit);
    assertEquals(Arrays.asList("cargo", "gradle"), Files.readAllLines(repository.resolve("asked")));
    Files.setLastModifiedTime(source, FileTime.fromMillis(System.currentTimeMillis() + 5000));
    assertEquals(0, run(false, "build").exit);
    assertEquals(
        Arrays.asList("cargo", "gradle", "cargo", "gradle"),
        Files.readAllLines(repository.resolve("asked")));
  }

  @Test(timeout = 60_000)
  public void a_long_step_prints_that_it_goes_on_until_its_script_ends() throws Exception {
    Path said = folder.newFile("said").toPath();
    String step = "root=$0; source $0/bin/dev/lib/setup.sh; progress_seconds=1; with_progress nap ";
    Answer answer = NutchHome.command("bash", "-c", step + "sleep 3", repository.toString());
    assertTrue(answer.toString(), answer.err.startsWith("corpulyzer: nap: 1 s so far\n"));
    String killed =
        "timeout -s KILL 2 bash -c '" + step + "sleep 9' $0 2>$1; sleep 3; cp $1 $1.then";
    killed += "; sleep 3; cmp $1 $1.then";
    answer = NutchHome.command("bash", "-c", killed, repository.toString(), said.toString());
    assertEquals(answer.toString(), 0, answer.exit);
  }

  @Test
  public void a_build_that_fails_is_not_taken_for_done() throws Exception {
    tool("gradle", "exit 1");
    assertEquals(1, run(false, "build").exit);
    assertEquals(1, run(false, "build").exit);
  }

  @Test
  public void an_unknown_verb_builds_nothing() throws Exception {
    tool("cargo", "touch asked");
    Answer answer = run(false, "carwl");
    assertEquals(2, answer.exit);
    assertEquals(
        "corpulyzer: there is no verb 'carwl'; the nearest is 'crawl'; `bin/corpulyzer help` lists"
            + " all\n",
        answer.err);
    assertFalse(Files.exists(repository.resolve("asked")));
  }

  @Test
  public void test_sums_both_sides_in_its_last_line() throws Exception {
    rust(
        "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
            + "test result: ok. 2 passed; 0 failed; 0 ignored;",
        0);
    java("tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"0\"", "", 0);
    tests("16 passed, 0 failed, 0 skipped", 0);
  }

  @Test
  public void test_is_red_when_either_side_fails() throws Exception {
    rust("test result: FAILED. 6 passed; 1 failed; 0 ignored;", 101);
    java("tests=\"4\" skipped=\"0\" failures=\"1\" errors=\"1\"", "", 1);
    tests("11 passed, 3 failed, 0 skipped", 1);
  }

  @Test
  public void test_is_red_when_fuzzers_find_something() throws Exception {
    fuzzersEnd = 77;
    rust("test result: ok. 7 passed; 0 failed; 0 ignored;", 0);
    java("tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"0\"", "", 0);
    tests("11 passed, 3 failed, 0 skipped", 1);
  }

  @Test
  public void test_is_red_when_nothing_was_counted_because_nothing_compiled() throws Exception {
    fuzzersBuild = "exit 101";
    rust("error: could not compile `content`", 101);
    tests("0 passed, 3 failed, 0 skipped", 1);
  }

  @Test
  public void without_zig_test_goes_on_and_counts_what_it_left_out() throws Exception {
    rust("test result: ok. 7 passed; 0 failed; 0 ignored;", 0);
    java("tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"0\"", "", 0);
    // Neither zig nor what the tests of the Python package need.
    zig("exit 1", "");
    tests("14 passed, 0 failed, 2 skipped", 0);
    tool("python3", "exit 1");
    tool("apt-get", "exit 1");
    tests("14 passed, 0 failed, 2 skipped", 0);
    zig("", "exit 1");
    tests("14 passed, 1 failed, 0 skipped", 1);
  }

  @Test
  public void test_installs_chromium_as_root_and_goes_on_without_it() throws Exception {
    rust("test result: ok. 7 passed; 0 failed; 0 ignored;", 0);
    java("tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"0\"", "", 0);
    Path asked = repository.resolve("asked");
    tool("apt-get", "echo \"apt-get $*\" >>" + asked);
    tests("14 passed, 0 failed, 0 skipped", 0);
    if (IS_ROOT) {
      assertEquals(
          Arrays.asList(
              "apt-get update -qq", "apt-get install -qq -y --no-install-recommends chromium"),
          Files.readAllLines(asked));
      Files.delete(asked);
      tool("apt-get", "exit 1");
      tests("14 passed, 0 failed, 0 skipped", 0);
      tool("apt-get", "echo called >>" + asked);
    }
    tool("chromium", "");
    tests("14 passed, 0 failed, 0 skipped", 0);
    assertFalse(Files.exists(asked));
  }

  @Test
  public void the_distribution_needs_zig_and_the_rust_target() throws Exception {
    zig("exit 1", "");
    refused(
        "zig cannot be had from PyPI; only what travels needs it.", run(false, "build", "dist"));
    zig("", "");
    NutchHome.delete(folder.getRoot().toPath().resolve("sysroot/lib"));
    refused(
        "Rust builds neither for x86_64-unknown-linux-gnu nor for aarch64-unknown-linux-gnu here",
        run(false, "build", "dist"));
    refused(
        "there is no 'dost' to build; allowed are dist, docs, wheel, or nothing",
        run(false, "build", "dost"));
  }

  @Test
  public void the_distribution_has_what_can_be_built_here_and_its_checksums() throws Exception {
    Files.write(
        repository.resolve("Cargo.toml"),
        "[workspace.package]\nversion = \"1.2.3\"\n".getBytes(StandardCharsets.UTF_8));
    tool("gradle", "mkdir -p build/distributions && touch build/distributions/one.zip");
    tool("git", "for it in \"$@\"; do [[ $it != --output=* ]] || touch \"${it#--output=}\"; done");
    Answer answer = run(false, "build", "dist");
    assertEquals(answer.toString(), 0, answer.exit);
    assertTrue(
        answer.toString(),
        answer.err.contains(
            "nothing is packed for aarch64: install its target with `rustup target add"
                + " aarch64-unknown-linux-gnu`"));
    List<String> sums = Files.readAllLines(repository.resolve("build/distributions/SHA256SUMS"));
    assertEquals(sums.toString(), 2, sums.size());
    assertTrue(sums.toString(), sums.get(0).endsWith("  corpulyzer-1.2.3-src.tar.gz"));
    assertTrue(sums.toString(), sums.get(1).endsWith("  one.zip"));
    Path built = repository.resolve("build/native/linux-x86_64");
    assertTrue(Files.exists(built.resolve("corpulyzer")));
    answer = run(false, "build", "dist", "--plugin", "x86_64");
    assertEquals(answer.toString(), 0, answer.exit);
    assertFalse(answer.toString(), answer.err.contains("for aarch64"));
    assertTrue(Files.exists(built.resolve("libcorpulyzer.so")));
    assertFalse(Files.exists(built.resolve("corpulyzer")));
    refused(
        "there is no architecture 'sparc'; allowed are x86_64 aarch64",
        run(false, "build", "dist", "sparc"));
  }

  @Test
  public void a_release_is_for_known_architectures() throws Exception {
    refused(
        "there is no architecture 'sparc'; allowed are x86_64 aarch64",
        runScript(false, "bin/dev/release", "sparc"));
    refused(
        "there is no option '--all'; allowed are architectures: x86_64 and aarch64",
        runScript(false, "bin/dev/release", "--all"));
  }

  @Test
  public void the_full_test_writes_a_line_for_each_part_and_keeps_the_others() throws Exception {
    tool("git", "[[ $3 == rev-parse ]] && echo 0123456789; exit 0");
    String result =
        "mkdir -p java/cluster/build/test-results/fullTest; cat >"
            + " java/cluster/build/test-results/fullTest/TEST-x.xml <<'TEXT'\n"
            + "<testsuite name=\"x\" tests=\"12\" skipped=\"0\" failures=\"FAILED\""
            + " errors=\"0\"></testsuite>\n"
            + "TEXT\n";
    tool(
        "gradle",
        "case $* in *fullTest*) "
            + result.replace("FAILED", "0")
            + ";; *) echo :bench:size; echo '10 rows'; echo 'BUILD SUCCESSFUL' ;; esac");
    Answer answer = run(false, "test", "--full", "faults", "size");
    assertEquals(answer.toString(), 0, answer.exit);
    assertEquals(
        "2 of 2 parts passed; docs/measurements/full-test.md has the figures\n", answer.out);
    String table = text();
    assertTrue(
        table, table.contains("\n| faults | passed | 12 passed, 0 failed, 0 skipped | 0 | 20"));
    assertTrue(table, table.contains(" | 0123456789 | "));
    assertTrue(table, table.contains("\n| size | passed | see below | 0 | "));
    assertTrue(table, table.endsWith("\n\n## size\n\n```\n10 rows\n```\n"));

    tool("gradle", result.replace("FAILED", "1") + "exit 1");
    answer = run(false, "test", "--full", "faults");
    assertEquals(answer.toString(), 1, answer.exit);
    assertEquals(
        table.replaceFirst(
            "faults \\| passed \\| 12 passed, 0 failed", "faults | FAILED | 11 passed, 1 failed"),
        text());
  }

  @Test
  public void a_part_of_the_full_test_that_is_missing_or_finds_nothing_fails() throws Exception {
    tool("git", "[[ $3 == rev-parse ]] && echo 0123456789; exit 0");
    Answer answer = run(false, "test", "--full", "faults", "size");
    assertEquals(answer.toString(), 1, answer.exit);
    assertEquals(
        "0 of 2 parts passed; docs/measurements/full-test.md has the figures\n", answer.out);
    tool("git", "[[ $3 == rev-parse ]] && echo 0123456789 || echo ' M README.md'; exit 0");
    answer = run(false, "test", "--full", "reproducible");
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(
        answer.toString(), answer.err.contains("a clone has only what is committed: commit first"));
    assertTrue(text(), text().contains(" | 0123456789 with changes | "));
    refused(
        "there is no part 'size2' of the full test; allowed are test fuzz java faults hostile"
            + " releases paper size simulate deny aarch64 reproducible wheels",
        run(false, "test", "--full", "size2"));
    refused(
        "--fuzz-seconds is '0'; allowed are whole numbers from 1 to 999999",
        run(false, "test", "--full", "--fuzz-seconds", "0"));
    refused(
        "there is no '--fast' for test; allowed are --full, or nothing",
        run(false, "test", "--fast"));
  }

  private String text() throws IOException {
    return new String(
        Files.readAllBytes(repository.resolve("docs/measurements/full-test.md")),
        StandardCharsets.UTF_8);
  }

  @Test
  public void a_test_may_skip_for_want_of_the_shared_data_only() throws Exception {
    rust(
        "---- pages stdout ----\n"
            + "skipped: the shared pages are not here\n"
            + "test result: ok. 7 passed; 0 failed; 0 ignored;",
        0);
    java(
        "tests=\"4\" skipped=\"1\" failures=\"0\" errors=\"0\"",
        "skipped: needs the shared data (pages)",
        0);
    tests("12 passed, 0 failed, 2 skipped", 0);

    for (String excuse : new String[] {"no Chromium", "PyPI", "no root, who may act as another"}) {
      java("tests=\"4\" skipped=\"1\" failures=\"0\" errors=\"0\"", "skipped: " + excuse, 0);
      tests("12 passed, 0 failed, 2 skipped", 0);
    }

    java("tests=\"4\" skipped=\"1\" failures=\"0\" errors=\"0\"", "skipped: it was late", 0);
    tests("12 passed, 0 failed, 2 skipped", 1);

    rust("test slow ... ignored\ntest result: ok. 7 passed; 0 failed; 1 ignored;", 0);
    java(
        "tests=\"4\" skipped=\"0\" failures=\"0\" errors=\"0\"",
        "skipped: needs the shared data",
        0);
    tests("14 passed, 0 failed, 1 skipped", 1);
  }

  /** A python3 that makes a virtual environment, in which pip and zig's Cargo command do this. */
  private void zig(String pip, String build) throws IOException {
    tool(
        "python3",
        "[[ $1 == -m ]] || exit 0\n"
            + "mkdir -p \"$3/bin\"\n"
            + "cat >\"$3/bin/python\" <<'TEXT'\n"
            + "#!/usr/bin/env bash\n"
            + "[[ $2 != --* && $2 != pip ]] || { "
            + (pip.isEmpty() ? ":" : pip)
            + "; }\nTEXT\n"
            + "cat >\"$3/bin/cargo-zigbuild\" <<'TEXT'\n#!/usr/bin/env bash\n"
            + build
            + "\nTEXT\nchmod +x \"$3/bin/\"*");
  }

  private void tests(String lastLine, int exit) throws Exception {
    Answer answer = run(false, "test");
    assertEquals(lastLine + "\n", answer.out);
    assertEquals(answer.toString(), exit, answer.exit);
  }

  /**
   * A cargo whose tests print this, and whose three fuzzers are built and end as the fields say.
   */
  private void rust(String output, int exit) throws IOException {
    String fuzzers =
        "if [[ $PWD == */fuzz ]]; then\n  "
            + fuzzersBuild
            + "\n"
            + "  place=$CARGO_TARGET_DIR/some-machine/release\n"
            + "  mkdir -p \"$place\"\n"
            + "  for it in decode tree links extract pack records states wikitext; do\n"
            + "    echo -e '#!/usr/bin/env bash\\n"
            + "echo Done 5 runs\\n"
            + "exit "
            + fuzzersEnd
            + "' > \"$place/$it\"\n"
            + "    chmod +x \"$place/$it\"\n  done\n  exit\nfi\n";
    tool(
        "cargo",
        fuzzers
            + "mkdir -p target/release; [[ $1 == build || $1 == fetch ]] && exit; cat <<'TEXT'\n"
            + output
            + "\nTEXT\nexit "
            + exit);
  }

  /** A gradle whose tests leave this result. */
  private void java(String counts, String printed, int exit) throws IOException {
    tool(
        "gradle",
        "mkdir -p java/engine/build/test-results/test; cat >"
            + " java/engine/build/test-results/test/TEST-x.xml <<'TEXT'\n"
            + "<testsuite name=\"x\" "
            + counts
            + ">\n<system-out><![CDATA["
            + printed
            + "\n]]></system-out>\n</testsuite>\nTEXT\nexit "
            + exit);
  }

  private void refused(String sentence, Answer answer) {
    assertEquals(answer.toString(), 2, answer.exit);
    assertTrue(answer.toString(), answer.err.contains(sentence));
  }

  private Answer run(boolean asSomebodyElse, String... arguments)
      throws IOException, InterruptedException {
    return runScript(asSomebodyElse, "bin/corpulyzer", arguments);
  }

  private Answer runScript(boolean asSomebodyElse, String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (asSomebodyElse && IS_ROOT) {
      command.addAll(Arrays.asList("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.addAll(
        Arrays.asList(
            "env",
            "-i",
            "PATH=" + tools,
            "HOME=" + folder.getRoot(),
            repository.resolve(script).toString()));
    command.addAll(Arrays.asList(arguments));
    return NutchHome.command(command.toArray(new String[0]));
  }

  private void tool(String name, String body) throws IOException {
    script(tools.resolve(name), "#!/usr/bin/env bash\n" + body + "\n");
  }

  private static void script(Path file, String content) throws IOException {
    if (content != null) {
      Files.write(file, content.getBytes(StandardCharsets.UTF_8));
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
