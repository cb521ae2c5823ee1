//! The results as an SVG drawing: yield by round, and yield against coverage. The file is
//! self-contained and follows the reader's light or dark colours.

use crate::experiment::{Mix, Results, Spread};
use crate::policy::Policy;
use render::plot::{escape, Axis, Panel};
use std::fmt::Write;

// All in units of the drawing, about pixels.

/// Width of a panel; there is a column of panels per mix of seeds.
const PANEL: f64 = 300.0;
/// Height of a panel of yields by round.
const HEIGHT: f64 = 220.0;
/// Height of a panel of yield against coverage.
const TALL: f64 = 380.0;
/// Margins for labels left of the first panel, between panels, and above the first row.
const LEFT: f64 = 58.0;
const GAP: f64 = 68.0;
const TOP: f64 = 56.0;
/// Most policies drawn as lines; more could not be distinguished.
const MAX_LINES: usize = 5;

/// Draws the results of the first web: yield by round, and yield against coverage.
pub fn svg(results: &Results) -> String {
    let plan = &results.plan;
    let webs = results.webs();
    let Some(&web) = webs.first() else { return String::new() };
    let columns = plan.mixes.len().max(1) as f64;
    let lines: Vec<Policy> = headline(&plan.policies);
    let legend_rows = plan.policies.len().div_ceil(3) as f64;
    let width = LEFT + columns * (PANEL + GAP);
    let second = TOP + HEIGHT + 100.0;
    let height = second + TALL + 64.0 + 18.0 * legend_rows;
    let mut out = String::new();
    _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"Yield by round, and yield against coverage\">"
    );
    out.push_str(STYLE);
    _ = writeln!(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>");
    _ = writeln!(
        out,
        "<text class=\"head\" x=\"{LEFT}\" y=\"20\">Yield by round, web {}: mean of {} draws, band from least to greatest</text>",
        escape(web),
        plan.draws.len()
    );
    for (column, &mix) in plan.mixes.iter().enumerate() {
        let x = LEFT + column as f64 * (PANEL + GAP);
        by_round(results, web, mix, &lines, x, &mut out);
    }
    _ = writeln!(
        out,
        "<text class=\"head\" x=\"{LEFT}\" y=\"{:.0}\">Yield against coverage, web {}: each cross spans the draws</text>",
        second - 36.0,
        escape(web)
    );
    for (column, &mix) in plan.mixes.iter().enumerate() {
        let x = LEFT + column as f64 * (PANEL + GAP);
        against(results, web, mix, x, second, &mut out);
    }
    let legend = second + TALL + 58.0;
    let step = (width - LEFT) / 3.0;
    for (number, policy) in plan.policies.iter().enumerate() {
        let x = LEFT + (number % 3) as f64 * step;
        let y = legend + 18.0 * (number / 3) as f64;
        let class = lines
            .iter()
            .position(|line| line == policy)
            .map_or("dot".to_owned(), |at| format!("dot s{at}"));
        _ = writeln!(
            out,
            "<circle class=\"{class}\" cx=\"{:.0}\" cy=\"{:.0}\" r=\"4\"/><text x=\"{:.0}\" y=\"{y:.0}\">{} {}</text>",
            x + 4.0,
            y - 4.0,
            x + 14.0,
            number + 1,
            escape(&policy.to_string())
        );
    }
    out.push_str("</svg>\n");
    out
}

const STYLE: &str = "<style>
text{font:12px sans-serif;fill:#222}.head{font-weight:bold;font-size:14px}.axis{stroke:#888;fill:none}.grid{stroke:#ddd;fill:none}
.page{fill:#fff}.dot{fill:#777}.cross{stroke:#777;opacity:.5;fill:none}.line{fill:none;stroke-width:2}.band{opacity:.18}
.line.s0,.cross.s0{stroke:#777}.line.s1,.cross.s1{stroke:#b5520b}.line.s2,.cross.s2{stroke:#1660b0}.line.s3,.cross.s3{stroke:#19803a}.line.s4,.cross.s4{stroke:#8a2f9c}
.dot.s0,.band.s0{fill:#777}.dot.s1,.band.s1{fill:#b5520b}.dot.s2,.band.s2{fill:#1660b0}.dot.s3,.band.s3{fill:#19803a}.dot.s4,.band.s4{fill:#8a2f9c}
@media (prefers-color-scheme:dark){text{fill:#ddd}.page{fill:#161616}.grid{stroke:#333}.dot{fill:#aaa}.cross{stroke:#aaa}
.line.s0,.cross.s0{stroke:#aaa}.line.s1,.cross.s1{stroke:#f0964f}.line.s2,.cross.s2{stroke:#6cb0ff}.line.s3,.cross.s3{stroke:#5fd083}.line.s4,.cross.s4{stroke:#d58be6}
.dot.s0,.band.s0{fill:#aaa}.dot.s1,.band.s1{fill:#f0964f}.dot.s2,.band.s2{fill:#6cb0ff}.dot.s3,.band.s3{fill:#5fd083}.dot.s4,.band.s4{fill:#d58be6}}
</style>
";

/// Returns the policies drawn as lines: those of the paper, `explore`, and then the first ones.
fn headline(policies: &[Policy]) -> Vec<Policy> {
    let known = ["random", "opic", "mean", "explore"];
    let is_known = |policy: &&Policy| known.contains(&policy.to_string().as_str());
    let (first, others): (Vec<&Policy>, Vec<&Policy>) = policies.iter().partition(is_known);
    let mut lines: Vec<Policy> = first.into_iter().copied().collect();
    if policies.len() <= MAX_LINES {
        lines.extend(others);
    }
    lines.truncate(MAX_LINES);
    lines
}

/// Draws the axes of a panel, and its mix of seeds above it.
fn frame(panel: &Panel, mix: Mix, (x, y): (f64, f64), out: &mut String) {
    _ = writeln!(out, "<text class=\"label\" x=\"{x:.0}\" y=\"{:.0}\">seeds {mix}</text>", y - 8.0);
    panel.axes(out);
    out.push('\n');
}

fn by_round(results: &Results, web: &str, mix: Mix, lines: &[Policy], x: f64, out: &mut String) {
    let rounds = results.plan.crawl.rounds;
    let round = Axis { ends: Some((0.5, rounds.max(1) as f64 + 0.5)), ..Axis::whole("round") };
    let panel = Panel::new(&round, &Axis::percent("yield, %"), &[], (x, TOP), (PANEL, HEIGHT));
    frame(&panel, mix, (x, TOP), out);
    for (number, &policy) in lines.iter().enumerate() {
        let spreads: Vec<Option<Spread>> = (0..rounds)
            .map(|round| {
                let runs = results.of(web, mix, policy);
                let yields: Vec<f64> =
                    runs.filter_map(|run| run.outcome.rounds.get(round)?.yield_percent()).collect();
                (!yields.is_empty()).then(|| Spread::of(yields))
            })
            .collect();
        let known = || {
            (1..).zip(&spreads).filter_map(|(round, spread)| Some((f64::from(round), (*spread)?)))
        };
        if known().count() > 1 {
            let band: Vec<_> =
                known().map(|(round, spread)| (round, spread.min, spread.max)).collect();
            panel.band(number, &band, out);
        }
        let line: Vec<_> = known().map(|(round, spread)| (round, spread.mean)).collect();
        panel.line(number, &policy.to_string(), &line, out);
        out.push('\n');
    }
}

fn against(results: &Results, web: &str, mix: Mix, x: f64, y: f64, out: &mut String) {
    let lines = headline(&results.plan.policies);
    let figures = |policy: Policy| {
        let runs: Vec<_> = results.of(web, mix, policy).collect();
        let share = |run: &&crate::experiment::Run| {
            100.0 * run.outcome.hosts_with_text as f64
                / results.holdings(run).hosts_with_text.max(1) as f64
        };
        (
            Spread::of(runs.iter().map(share)),
            Spread::of(runs.iter().map(|run| run.outcome.mean_yield())),
        )
    };
    let all: Vec<(Policy, Spread, Spread)> = (results.plan.policies.iter())
        .map(|&policy| {
            let (hosts, yields) = figures(policy);
            (policy, hosts, yields)
        })
        .collect();
    // The axes end at the multiples of ten around the values, so that policies do not overlap.
    let around = |figures: &mut dyn Iterator<Item = f64>| {
        let all = Spread::of(figures);
        let low = (all.min / 10.0).floor() * 10.0;
        (low, ((all.max / 10.0).ceil() * 10.0).max(low + 10.0))
    };
    let (left, right) = around(&mut all.iter().flat_map(|(_, hosts, _)| [hosts.min, hosts.max]));
    let (low, high) = around(&mut all.iter().flat_map(|(.., yields)| [yields.min, yields.max]));
    let (hosts, yields) =
        (Axis::linear("hosts with text that were found, %"), Axis::linear("mean yield, %"));
    let (hosts, yields) =
        (Axis { ends: Some((left, right)), ..hosts }, Axis { ends: Some((low, high)), ..yields });
    let panel = Panel::new(&hosts, &yields, &[], (x, y), (PANEL, TALL));
    frame(&panel, mix, (x, y), out);
    dots(&panel, &all, &lines, out);
}

/// Draws each policy as a dot with its number, and a cross from its lowest to its highest figures.
/// Those of `lines` have their colours.
fn dots(panel: &Panel, all: &[(Policy, Spread, Spread)], lines: &[Policy], out: &mut String) {
    let place = |hosts: f64, yields: f64| panel.place((hosts, yields)).unwrap_or_default();
    let mut labels: Vec<(f64, f64)> = Vec::new();
    for (number, (policy, hosts, yields)) in all.iter().enumerate() {
        let class = lines
            .iter()
            .position(|line| line == policy)
            .map_or(String::new(), |at| format!(" s{at}"));
        let (cx, cy) = place(hosts.mean, yields.mean);
        let (least, most) = (place(hosts.min, yields.min), place(hosts.max, yields.max));
        _ = writeln!(
            out,
            "<path class=\"cross{class}\" d=\"M{:.1} {cy:.1}H{:.1}M{cx:.1} {:.1}V{:.1}\"/>",
            least.0, most.0, least.1, most.1
        );
        _ = writeln!(
            out,
            "<circle class=\"dot{class}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4\"><title>{}: {:.0} % of hosts, yield {:.1} %</title></circle>",
            escape(&policy.to_string()),
            hosts.mean,
            yields.mean
        );
        // Labels of policies that are close together are placed below each other.
        let (label_x, mut label_y) = (cx + 6.0, cy - 3.0);
        while labels
            .iter()
            .any(|&(x, y): &(f64, f64)| (x - label_x).abs() < 16.0 && (y - label_y).abs() < 11.0)
        {
            label_y += 11.0;
        }
        labels.push((label_x, label_y));
        _ = writeln!(out, "<text x=\"{label_x:.1}\" y=\"{label_y:.1}\">{}</text>", number + 1);
    }
}
