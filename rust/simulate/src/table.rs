//! The results as text tables.

use crate::crawl::Round;
use crate::experiment::{Beside, Mix, Results, Run, Spread};
use crate::policy::Policy;
use render::counted;
use sitescore::pages::Calibration;
use std::fmt::Write;

/// Target for a policy that explores: the largest loss of yield against `mean`, in percentage
/// points.
pub const YIELD_POINTS: f64 = 3.0;
/// Target for a policy that explores: the least number of hosts with text, as a multiple of that of
/// `mean`.
pub const HOSTS_TIMES: f64 = 1.25;

/// A policy over all webs, draws and mixes, compared with the paper's score on the same graphs with
/// the same seeds.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    /// The policy that is judged.
    pub policy: Policy,
    /// Means of the differences and multiples.
    pub mean: Beside,
    /// Least difference of the yield to that of `mean`, in percentage points.
    pub worst_yield: f64,
    /// Least number of hosts with text, as a multiple of that of `mean`.
    pub least_hosts: f64,
    /// Number of crawls that meet both [`YIELD_POINTS`] and [`HOSTS_TIMES`].
    pub met: usize,
    /// Number of crawls.
    pub crawls: usize,
}

/// Returns the verdicts on all policies except the mean. The policy with most hosts comes first.
pub fn verdicts(results: &Results) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = Vec::new();
    for &policy in &results.plan.policies {
        let pairs = results.beside_mean(policy);
        if policy == Policy::mean() || pairs.is_empty() {
            continue;
        }
        let mean = |of: fn(&Beside) -> f64| Spread::of(pairs.iter().map(|(_, beside)| of(beside)));
        let (points, hosts) = (mean(|b| b.yield_points), mean(|b| b.hosts));
        verdicts.push(Verdict {
            policy,
            mean: Beside {
                yield_points: points.mean,
                hosts: hosts.mean,
                rich_hosts: mean(|b| b.rich_hosts).mean,
                bytes: mean(|b| b.bytes).mean,
                clean: mean(|b| b.clean).mean,
                unique: mean(|b| b.unique).mean,
                fetched: mean(|b| b.fetched).mean,
            },
            worst_yield: points.min,
            least_hosts: hosts.min,
            met: pairs
                .iter()
                .filter(|(_, b)| b.yield_points >= -YIELD_POINTS && b.hosts >= HOSTS_TIMES)
                .count(),
            crawls: pairs.len(),
        });
    }
    verdicts.sort_by(|a, b| b.mean.hosts.total_cmp(&a.mean.hosts));
    verdicts
}

/// Returns the policy with the most hosts among those that gave up at most [`YIELD_POINTS`] of the
/// mean's yield on average and found at least [`HOSTS_TIMES`] its hosts.
pub fn winner(verdicts: &[Verdict]) -> Option<&Verdict> {
    verdicts.iter().find(|verdict| {
        verdict.mean.yield_points >= -YIELD_POINTS && verdict.mean.hosts >= HOSTS_TIMES
    })
}

/// Returns all tables.
pub fn text(results: &Results) -> String {
    let mut out = String::new();
    for web in results.webs() {
        describe(results, web, &mut out);
        for &mix in &results.plan.mixes {
            rounds(results, web, mix, &mut out);
            if results.language_count() > 1 {
                languages(results, web, mix, &mut out);
            }
        }
    }
    if results.plan.policies.len() > 3 {
        compare(results, &mut out);
    }
    out
}

fn describe(results: &Results, web: &str, out: &mut String) {
    let graphs: Vec<_> = results
        .graphs
        .iter()
        .filter(|(name, ..)| name == web)
        .map(|&(.., holdings)| holdings)
        .collect();
    let mean = |of: fn(&crate::Holdings) -> f64| Spread::of(graphs.iter().map(of)).mean;
    let share = mean(|h| 100.0 * h.relevant as f64 / h.pages.max(1) as f64);
    let draws = match graphs.len() {
        1 => String::new(),
        n => format!("; means of {n} draws"),
    };
    let plan = &results.plan;
    _ = writeln!(
        out,
        "# web {web}: {:.0} hosts, {:.0} pages and {:.0} dead URLs, {:.1} million links; {:.0} pages ({share:.1} %) in the language on {:.0} hosts, {:.0} of them rich{draws}",
        mean(|h| h.hosts as f64),
        mean(|h| h.pages as f64),
        mean(|h| h.gone as f64),
        mean(|h| h.links as f64 / 1e6),
        mean(|h| h.relevant as f64),
        mean(|h| h.hosts_with_text as f64),
        mean(|h| h.rich_hosts as f64),
    );
    let languages = results.language_count();
    if languages > 1 {
        let pages = (0..languages).map(|language| {
            let of_web = results.languages.iter().filter(|(name, ..)| name == web);
            let pages = Spread::of(of_web.map(|(.., all)| all[language].relevant as f64)).mean;
            format!("{}: {pages:.0}", language + 1)
        });
        let pages: Vec<String> = pages.collect();
        _ = writeln!(out, "# {languages} target languages; pages in each: {}", pages.join(", "));
    }
    let crawl = &plan.crawl;
    _ = writeln!(
        out,
        "# {} of {}; in the language: at least {}; unknown hosts score {}",
        counted(crawl.rounds, "round"),
        counted(crawl.top, "URL"),
        counted(crawl.min_bytes as usize, "byte"),
        crawl.unknown
    );
}

/// Writes the pages in each of several target languages, beside crawls for one language alone.
fn languages(results: &Results, web: &str, mix: Mix, out: &mut String) {
    let count = results.language_count();
    let crawl = &results.plan.crawl;
    _ = writeln!(
        out,
        "pages in each language, in percent of the fetched pages by round; beside crawls for it alone of {} and of {} URLs a round, in percent",
        crawl.top / count,
        crawl.top
    );
    _ = write!(out, "{:<24}{:>4}", "policy", "no.");
    for round in 1..=crawl.rounds {
        _ = write!(out, "{round:>5}");
    }
    _ = writeln!(
        out,
        "{:>9}{:>8}{:>7}{:>8}{:>9}{:>9}",
        "pages",
        "mean %",
        "yield",
        "of web",
        format!("/{}", crawl.top / count),
        format!("/{}", crawl.top)
    );
    for &policy in &results.plan.policies {
        let runs: Vec<&Run> = results.of(web, mix, policy).collect();
        let mean = |of: &dyn Fn(&Run) -> f64| Spread::of(runs.iter().map(|run| of(run))).mean;
        for language in 0..count {
            let share = |pages: usize, all: usize| 100.0 * pages as f64 / all.max(1) as f64;
            let at = |run: &Run, round: usize, any: bool| {
                let own = &run.outcome.languages[language];
                let pages = if any { own.any[round] } else { own.relevant[round] };
                share(pages, run.outcome.rounds[round].fetched)
            };
            let pages = |run: &Run| run.outcome.languages[language].pages();
            let over_rounds = |run: &Run, any| {
                (0..crawl.rounds).map(|round| at(run, round, any)).sum::<f64>()
                    / crawl.rounds.max(1) as f64
            };
            _ = write!(out, "{:<24}{:>4}", policy.to_string(), language + 1);
            for round in 0..crawl.rounds {
                _ = write!(out, "{:>5.0}", mean(&|run| at(run, round, false)));
            }
            _ = writeln!(
                out,
                "{:>9.0}{:>8.1}{:>7.1}{:>8.1}{:>9.0}{:>9.0}",
                mean(&|run| pages(run) as f64),
                mean(&|run| over_rounds(run, false)),
                mean(&|run| over_rounds(run, true)),
                mean(&|run| share(pages(run), results.holdings_in(run, language).relevant)),
                mean(&|run| share(pages(run), run.alone[language].part.relevant())),
                mean(&|run| share(pages(run), run.alone[language].whole.relevant())),
            );
        }
    }
    out.push('\n');
}

fn rounds(results: &Results, web: &str, mix: Mix, out: &mut String) {
    let name = match mix {
        Mix::Rich(_) => format!("seeds {mix} (in the language/random)"),
        Mix::None => "seeds none in the language".to_owned(),
        Mix::Injected => "seeds as injected".to_owned(),
    };
    _ = writeln!(out, "\n{name}: filtered yield in percent by round");
    _ = write!(out, "{:<28}", "policy");
    for round in 1..=results.plan.crawl.rounds {
        _ = write!(out, "{round:>5}");
    }
    _ = writeln!(
        out,
        "{:>7}{:>12}{:>7} {:>8}{:>8}{:>7}{:>8}{:>7}{:>9}{:>17}",
        "mean",
        "(min-max)",
        "yield",
        "hosts",
        "x mean",
        "rich %",
        "bytes %",
        "MB/GB",
        "pages %",
        "share of oracle"
    );
    for policy in results.plan.policies.iter().copied().chain([Policy::oracle()]) {
        row(results, web, mix, policy, out);
    }
    calibrations(results, web, mix, out);
    out.push('\n');
}

/// The yields of a policy by round, then what it found in all of them.
fn row(results: &Results, web: &str, mix: Mix, policy: Policy, out: &mut String) {
    let runs: Vec<&Run> = results.of(web, mix, policy).collect();
    _ = write!(out, "{:<28}", policy.to_string());
    for round in 0..results.plan.crawl.rounds {
        let yields: Vec<f64> = runs
            .iter()
            .filter_map(|r| r.outcome.rounds.get(round))
            .filter_map(Round::yield_percent)
            .collect();
        match yields.is_empty() {
            true => _ = write!(out, "{:>5}", "-"),
            false => _ = write!(out, "{:>5.0}", Spread::of(yields).mean),
        }
    }
    let yields = Spread::of(runs.iter().map(|r| r.outcome.mean_yield()));
    let any = Spread::of(runs.iter().map(|r| r.outcome.mean_any_yield())).mean;
    let hosts = Spread::of(runs.iter().map(|r| r.outcome.hosts_with_text as f64)).mean;
    let share = |of: fn(&Run) -> f64, all: fn(&crate::Holdings) -> f64| {
        Spread::of(runs.iter().map(|r| 100.0 * of(r) / all(&results.holdings(r)).max(1.0))).mean
    };
    let beside: Vec<f64> = (results.beside_mean(policy).iter())
        .filter(|(run, _)| run.web == web && run.mix == mix)
        .map(|(_, beside)| beside.hosts)
        .collect();
    let clean = Spread::of(runs.iter().map(|r| r.outcome.clean_per_gigabyte())).mean;
    let times =
        if beside.is_empty() { "-".to_owned() } else { format!("{:.2}", Spread::of(beside).mean) };
    _ = writeln!(
        out,
        "{:>7.1}{:>12}{any:>7.1} {hosts:>8.0}{times:>8}{:>7.1}{:>8.1}{clean:>7.1}{:>9.1}{:>17.1}",
        yields.mean,
        format!("({:.0}-{:.0})", yields.min, yields.max),
        share(|r| r.outcome.rich_hosts as f64, |h| h.rich_hosts as f64),
        share(|r| r.outcome.bytes as f64, |h| h.bytes as f64),
        Spread::of(runs.iter().map(|run| run.outcome.whole_yield())).mean,
        Spread::of(runs.iter().map(|run| 100.0 * results.share_of_oracle(run))).mean,
    );
}

/// Writes the predictions of policies that make some, over all draws, beside what was found.
fn calibrations(results: &Results, web: &str, mix: Mix, out: &mut String) {
    let merged = |parts: &mut dyn Iterator<Item = &Calibration>| {
        parts.fold(Calibration::default(), |sum, part| sum.merge(part))
    };
    let mut header = "\npredicted/found in percent, by tenths of the probability\n";
    for &policy in &results.plan.policies {
        let runs: Vec<&Run> = results.of(web, mix, policy).collect();
        let all = merged(&mut runs.iter().flat_map(|run| &run.outcome.calibrations));
        if all.brier().is_none() {
            continue;
        }
        _ = write!(out, "{header}{:<28}", policy.to_string());
        for bin in all.bins() {
            let percent = |sum: f64| 100.0 * sum / bin.rows as f64;
            let cell = match bin.rows {
                0 => "-".to_owned(),
                _ => format!("{:.0}/{:.0}", percent(bin.expected), percent(bin.kept as f64)),
            };
            _ = write!(out, "{cell:>8}");
        }
        _ = write!(out, "\n{:<28}", "  Brier score by round");
        for round in 0..results.plan.crawl.rounds {
            let of_round = runs.iter().filter_map(|run| run.outcome.calibrations.get(round));
            let cell = match merged(&mut of_round.into_iter()).brier() {
                None => "-".to_owned(),
                Some(score) => format!("{score:.3}"),
            };
            _ = write!(out, "{cell:>8}");
        }
        out.push('\n');
        header = "";
    }
}

fn compare(results: &Results, out: &mut String) {
    let verdicts = verdicts(results);
    if verdicts.is_empty() {
        return;
    }
    _ = writeln!(
        out,
        "Beside `mean` on the same graphs from the same seeds, over {} crawls each; aim: at most {YIELD_POINTS} points of yield given up, at least {HOSTS_TIMES} times the hosts",
        verdicts[0].crawls
    );
    _ = writeln!(
        out,
        "{:<28}{:>8}{:>8}{:>9}{:>8}{:>8}{:>8}{:>9}{:>10}{:>10}{:>10}",
        "policy",
        "points",
        "worst",
        "hosts x",
        "least",
        "rich x",
        "bytes x",
        "MB/GB x",
        "unique x",
        "fetched x",
        "aim met"
    );
    for verdict in &verdicts {
        let mean = verdict.mean;
        _ = writeln!(
            out,
            "{:<28}{:>+8.1}{:>+8.1}{:>9.2}{:>8.2}{:>8.2}{:>8.2}{:>9.2}{:>10.2}{:>10.2}{:>10}",
            verdict.policy.to_string(),
            mean.yield_points,
            verdict.worst_yield,
            mean.hosts,
            verdict.least_hosts,
            mean.rich_hosts,
            mean.bytes,
            mean.clean,
            mean.unique,
            mean.fetched,
            format!("{}/{}", verdict.met, verdict.crawls),
        );
    }
    match winner(&verdicts) {
        Some(won) => _ = writeln!(out, "most hosts within the aim: {}", won.policy),
        None => _ = writeln!(out, "no policy is within the aim"),
    }
}
