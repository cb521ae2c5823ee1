//! `corpulyzer simulate`.

use crate::common::{corpulyzer, stderr, stdout};

const SMALL: [&str; 11] = [
    "simulate", "--pages", "20000", "--seeds", "200", "--top", "200", "--rounds", "4", "--draws",
    "2",
];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

#[test]
fn the_papers_comparison_is_a_table_a_drawing_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("a.svg");
    let run = |more: &[&str]| {
        let files = [&["--svg", svg.to_str().unwrap()], more].concat();
        stdout(&corpulyzer(small(&files)).assert().success())
    };
    let table = run(&[]);
    assert!(table.starts_with("# web default: 400 hosts, "), "{table}");
    for mix in ["50/50", "25/75", "0/100"] {
        assert!(table.contains(&format!(
            "\nseeds {mix} (in the language/random): filtered yield in percent by round\n"
        )));
    }
    let mean = |policy: &str| {
        let line = table.lines().find(|line| line.starts_with(&format!("{policy} "))).unwrap();
        line.split_whitespace().nth(5).unwrap().parse::<f64>().unwrap()
    };
    assert!(mean("mean") > mean("opic") && mean("opic") > mean("random"), "{table}");
    let drawing = std::fs::read_to_string(&svg).unwrap();
    assert!(
        drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n") && !drawing.contains("NaN")
    );
    let figures: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(figures["runs"].as_array().unwrap().len(), 2 * 3 * 3);
    assert_eq!(table, run(&[]), "the same again");
}

#[test]
fn more_policies_are_compared_with_the_mean() {
    let table = stdout(
        &corpulyzer(small(&["--policy", "paper,explore,mean+cap:10", "--mix", "50"]))
            .assert()
            .success(),
    );
    let header =
        "policy                        points   worst  hosts x   least  rich x bytes x  MB/GB x  unique x fetched x   aim met\n";
    assert!(table.contains(header), "{table}");
    assert_eq!(table.lines().filter(|line| line.starts_with("explore ")).count(), 2, "{table}");
}

#[test]
fn each_table_has_the_oracle_and_shares_of_it() {
    let arguments = ["--web", "sections", "--policy", "mean,pages,pages:5", "--mix", "50,none"];
    let table = stdout(&corpulyzer(small(&arguments)).assert().success());
    assert!(table.contains("\nseeds none in the language: filtered yield"), "{table}");
    let rows = |policy: &str| -> Vec<f64> {
        let lines = table.lines().filter(|line| line.starts_with(&format!("{policy} ")));
        // Lines that compare predictions end in two numbers with a slash.
        lines.filter_map(|line| line.split_whitespace().last().unwrap().parse().ok()).collect()
    };
    assert_eq!(rows("oracle"), [100.0, 100.0], "{table}");
    for policy in ["mean", "pages", "pages:5"] {
        let shares = rows(policy);
        assert!(shares.len() == 2 && shares.iter().all(|share| *share < 100.0), "{table}");
    }
    assert!(table.contains("  pages %  share of oracle\n"), "{table}");
    let header = "\npredicted/found in percent, by tenths of the probability\npages    ";
    assert_eq!(table.matches(header).count(), 2, "{table}");
    assert_eq!(table.matches("\n  Brier score by round             -   0.").count(), 4, "{table}");
}

#[test]
fn several_target_languages_are_compared_with_crawls_for_each_alone() {
    let run = |more: &[&str]| {
        let arguments = [&["--languages", "5,3,2", "--policy", "mean", "--mix", "50"], more];
        stdout(&corpulyzer(small(&arguments.concat())).assert().success())
    };
    let table = run(&[]);
    assert!(table.contains("\n# 3 target languages; pages in each: 1: "), "{table}");
    let header = "policy                   no.    1    2    3    4    pages  mean %  yield  of web      /66     /200\n";
    assert!(table.contains(header), "{table}");
    let pages = |table: &str| -> Vec<f64> {
        let lines =
            table.lines().skip_while(|line| !line.starts_with("policy                   no."));
        let pages = |line: &str| line.split_whitespace().nth(6)?.parse().ok();
        lines.skip(1).map_while(pages).collect()
    };
    let equal = pages(&table);
    assert!(equal.len() == 3 && equal[0] > equal[2] && equal[2] > 0.0, "{table}");
    let quota = pages(&run(&["--target-bytes", "1M"]));
    assert!(quota[0] < equal[0] && quota[2] > equal[2], "{quota:?} {equal:?}");
    assert_eq!(table, run(&[]), "the same again");
}

#[test]
fn a_crawls_own_links_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let line = |host: &str, page: u32, state: &str, target: u32, links: &[u32]| {
        let links: Vec<String> = links.iter().map(|link| format!("{link:016x}")).collect();
        format!("{host}\t{page:016x}\t{state}\t{target}\t9000\t{}\n", links.join(" "))
    };
    let first = line("a.example", 1, "fetched,injected", 500, &[2, 3, 4])
        + &line("a.example", 2, "fetched", 900, &[]);
    let second = line("b.example", 3, "fetched", 0, &[5])
        + "nonsense\n"
        + &line("b.example", 5, "unfetched", 0, &[]);
    std::fs::write(folder.path().join("part-m-00000"), first).unwrap();
    std::fs::write(folder.path().join("part-m-00001"), second).unwrap();
    std::fs::write(folder.path().join("_SUCCESS"), "").unwrap();
    let graph = folder.path().to_str().unwrap();
    let run = corpulyzer([
        "simulate", "--graph", graph, "--policy", "mean", "--rounds", "2", "--top", "1",
    ])
    .assert()
    .success();
    assert!(
        stdout(&run).contains("\nseeds as injected: filtered yield in percent by round\n"),
        "{}",
        stdout(&run)
    );
    assert!(
        stdout(&run)
            .contains("\nmean                          100  100  100.0   (100-100)  100.0 "),
        "{}",
        stdout(&run)
    );
    let said = stderr(&run);
    assert!(said.contains("part-m-00001, line 2: has fewer than six fields\n"), "{said}");
    assert!(
        said.contains(
            "3 pages fetched, 0 gone; skipped 1 never fetched, and 2 links to such pages\n"
        ),
        "{said}"
    );
    let drawn = [
        "simulate", "--graph", graph, "--policy", "mean", "--rounds", "1", "--top", "1", "--mix",
        "100",
    ];
    let table = stdout(
        &corpulyzer([&drawn[..], &["--seeds", "1", "--draws", "2"]].concat()).assert().success(),
    );
    assert!(table.contains("\nseeds 100/0 "), "{table}");
}

#[test]
fn bad_arguments_are_one_sentence() {
    for (arguments, expected) in [
        (&["--policy", "best"][..], "corpulyzer: policy `best` is unknown; allowed are random, opic, mean, explore,"),
        (
            &["--web", "wide"],
            "corpulyzer: web `wide` is unknown; allowed are default, local, flat, sparse, noisy, long, traps, sparse-traps, sections, sections-pure,",
        ),
        (&["--mix", "101"], "corpulyzer: invalid value '101' for '--mix <PERCENTS>': allowed are percentages of the seeds"),
        (&["--min-bytes", "0"], "corpulyzer: invalid value '0' for '--min-bytes <BYTES>'"),
        (&["--web", "sections", "--languages", "1,1"], "corpulyzer: web `sections` has one target language; leave out --languages"),
        (&["--policy", "pages+gap:3"], "corpulyzer: policy `pages+gap:3` is unknown; allowed are random, opic, mean, explore, pages,"),
        (&["--hosts", "30000"], "corpulyzer: 30000 hosts do not fit into 20000 pages; allowed is at most one host for each page"),
        (&["--unknown", "nan"], "corpulyzer: invalid value 'nan' for '--unknown <BYTES>': allowed are finite numbers"),
        (&["--languages", "1,0"], "corpulyzer: invalid value '0' for '--languages <SHARES>': allowed are numbers above 0, at most 1000000"),
        (
            &["--languages", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"],
            "corpulyzer: --languages has 17 shares; allowed are 1 to 16",
        ),
        (
            &["--languages", "1,1", "--target-bytes", "5T"],
            "corpulyzer: invalid value '5T' for '--target-bytes <BYTES>': allowed is a number such as 500k, 50M or 2G",
        ),
        (&["--mix", "injected"], "corpulyzer: the graph names no injected page"),
    ] {
        let said = stderr(&corpulyzer(small(arguments)).assert().failure());
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{said}");
    }
    let seeds = corpulyzer(["simulate", "--pages", "2000", "--draws", "1"]).assert().failure();
    assert!(
        stderr(&seeds).contains("fewer than the 5000 seeds that are requested"),
        "{}",
        stderr(&seeds)
    );
    let languages = corpulyzer(["simulate", "--languages", "1,1", "--top", "1"]).assert().failure();
    assert!(
        stderr(&languages).contains("have less than one URL for each of 2 languages"),
        "{}",
        stderr(&languages)
    );
    let none = corpulyzer(["simulate", "--graph", "no/such.tsv"]).assert().failure();
    assert!(
        stderr(&none).starts_with("corpulyzer: cannot read no/such.tsv: no such file"),
        "{}",
        stderr(&none)
    );
}
