//! Plots as SVG: scales, axes, lines, bands, bars and histograms. The caller decides what to draw.
//! Colours come from a style sheet, by class, so that plots follow light mode, dark mode and print.
//!
//! Classes: `grid`, `axis`, `tick` (text at an axis), `label` (text of an axis), `value` (text at a
//! bar), `mark` (line at a value), and `line`, `dot`, `bar` and `band`, each with `s0`, `s1`, ... by
//! its series.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Blocks of Unicode with scripts that are written from the right.
const FROM_RIGHT: [RangeInclusive<char>; 5] = [
    '\u{590}'..='\u{8ff}',
    '\u{fb1d}'..='\u{fdff}',
    '\u{fe70}'..='\u{feff}',
    '\u{10800}'..='\u{10fff}',
    '\u{1e800}'..='\u{1efff}',
];

/// Returns the direction of a text for the attribute `dir`: that of most of its letters, or `auto`
/// if neither direction has more. HTML's own `auto` takes that of the first letter, so an Urdu
/// paragraph that begins with a Latin name would have its words in the wrong order.
pub fn direction(text: &str) -> &'static str {
    let is_from_right = |c: char| FROM_RIGHT.iter().any(|range| range.contains(&c));
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let surplus = letters.map(|c| if is_from_right(c) { 1 } else { -1 }).sum::<i64>();
    match surplus {
        1.. => "rtl",
        0 => "auto",
        _ => "ltr",
    }
}

/// Escapes text for HTML, also in a quoted attribute. Control characters, which HTML does not
/// allow, become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Size of a plot in its own units, about pixels.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
/// Space for labels around a plot.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// Space for the names of bars.
const NAMES: f64 = 130.0;
/// Space for the values of bars.
const VALUES: f64 = 96.0;
/// Approximate width of a character. Longer text is cut.
const NAME_CHARS: usize = 18;
/// Largest number of series that colours and dashes distinguish.
const STYLES: usize = 6;
/// Largest number of points of a line that are marked and have a text on hover. More would overlap.
const MAX_DOTS: usize = 40;

/// Label, scale and ends of an axis.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// Its label, with the unit.
    pub label: &'a str,
    /// True for a logarithmic axis. Values that are not above 0 are not drawn.
    pub log: bool,
    /// Its ends, if they do not depend on the points.
    pub ends: Option<(f64, f64)>,
    /// True if only whole numbers are marked.
    pub whole: bool,
}

impl<'a> Axis<'a> {
    /// From 0 to 100.
    pub fn percent(label: &'a str) -> Self {
        Self { label, log: false, whole: false, ends: Some((0.0, 100.0)) }
    }

    /// The range of the points.
    pub fn linear(label: &'a str) -> Self {
        Self { label, log: false, whole: false, ends: None }
    }

    /// From 0 to a round number above all points; whole numbers.
    pub fn from_zero(label: &'a str) -> Self {
        Self { label, log: false, whole: true, ends: Some((0.0, f64::NAN)) }
    }

    /// From 0 to a round number above all points, at least 1.
    pub fn above_zero(label: &'a str) -> Self {
        Self { label, log: false, whole: false, ends: Some((0.0, f64::NAN)) }
    }

    /// Whole numbers in the range of the points.
    pub fn whole(label: &'a str) -> Self {
        Self { label, log: false, whole: true, ends: None }
    }

    /// Powers of ten in the range of the points.
    pub fn log(label: &'a str) -> Self {
        Self { label, log: true, whole: false, ends: None }
    }
}

/// A series of points.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name, for the legend.
    pub name: String,
    /// Points of the curve, in units of the axes.
    pub points: Vec<(f64, f64)>,
}

/// Maps values to positions.
#[derive(Debug, Clone)]
struct Scale {
    log: bool,
    whole: bool,
    from: f64,
    to: f64,
    start: f64,
    length: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, start: f64, length: f64) -> Self {
        let shown = values.filter(|value| value.is_finite() && (!axis.log || *value > 0.0));
        let (mut from, mut to) =
            shown.fold((f64::MAX, f64::MIN), |(from, to), v| (from.min(v), to.max(v)));
        if from > to {
            (from, to) = (1.0, 1.0);
        }
        let mut open = false;
        if let Some(ends) = axis.ends {
            from = ends.0;
            // If an end is not a number, the range of the points decides it.
            open = ends.1.is_nan();
            to = if open { to.max(from + 1.0) } else { ends.1 };
        } else if axis.log {
            (from, to) = (from.log10().floor(), to.log10().ceil());
            if from == to {
                to += 1.0;
            }
        } else if from == to {
            to += 1.0;
        }
        let mut scale = Self { log: axis.log, whole: axis.whole, from, to, start, length };
        if open {
            let step = scale.step();
            scale.to = (to / step - 1e-9).ceil() * step;
        }
        scale
    }

    /// The position of a value; None if a logarithmic axis does not have it.
    fn place(&self, value: f64) -> Option<f64> {
        let value = if self.log { (value > 0.0).then(|| value.log10())? } else { value };
        Some(self.start + (value - self.from) / (self.to - self.from) * self.length)
    }

    /// Distance between the marks of a linear axis: 1, 2 or 5 times a power of ten.
    fn step(&self) -> f64 {
        // Counts have mostly few digits, so more of them fit along a line of text.
        let marks = if self.whole && self.length > 0.0 { 12.0 } else { 5.0 };
        let rough = (self.to - self.from) / marks;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .iter()
            .map(|factor| factor * power)
            .find(|&step| step >= rough * 0.999);
        let step = step.unwrap_or(power);
        if self.whole {
            step.max(1.0)
        } else {
            step
        }
    }

    /// Round values on the axis, about six; of whole numbers along a line of text at most about
    /// twelve.
    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let (from, to) = (self.from as i32, self.to as i32);
            let step = ((to - from) / 6 + 1).max(1) as usize;
            return (from..=to).step_by(step).map(|power| 10f64.powi(power)).collect();
        }
        let step = self.step();
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// A value in a short form: 1.5k, 20M.
pub fn short(value: f64) -> String {
    let (value, unit) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, "G"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = if value.abs() >= 100.0 || (value - value.round()).abs() < 1e-9 { 0 } else { 1 };
    // Only axes of small numbers have values below a tenth.
    if value != 0.0 && value.abs() < 0.095 {
        return format!("{value:e}");
    }
    format!("{value:.digits$}{unit}")
}

/// Opens a figure with a description in words.
fn open(svg: &mut String, id: &str, title: &str, description: &str, (width, height): (f64, f64)) {
    let _ = write!(
        svg,
        "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {width} {height:.0}\" aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
        escape(title),
        escape(description)
    );
}

/// A rectangle that maps values to positions.
#[derive(Debug, Clone)]
pub struct Panel {
    across: Scale,
    up: Scale,
    labels: (String, String),
}

impl Panel {
    /// Creates it from its left upper corner, its width and its height. The scales cover the range
    /// of these points.
    pub fn new(
        x: &Axis,
        y: &Axis,
        points: &[(f64, f64)],
        corner: (f64, f64),
        size: (f64, f64),
    ) -> Self {
        Self {
            across: Scale::new(x, points.iter().map(|point| point.0), corner.0, size.0),
            up: Scale::new(y, points.iter().map(|point| point.1), corner.1 + size.1, -size.1),
            labels: (x.label.to_owned(), y.label.to_owned()),
        }
    }

    /// The position of a point; None if a logarithmic axis does not have it.
    pub fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across.place(x)?, self.up.place(y)?))
    }

    /// Draws grid, axes and labels.
    pub fn axes(&self, svg: &mut String) {
        let (left, width, height) = (self.across.start, self.across.length, -self.up.length);
        let (bottom, top) = (self.up.start, self.up.start - height);
        for tick in self.up.ticks() {
            let Some(place) = self.up.place(tick) else { continue };
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{left} {place:.1}h{width}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                place + 4.0,
                short(tick)
            );
        }
        for tick in self.across.ticks() {
            let Some(place) = self.across.place(tick) else { continue };
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{place:.1} {top}v{height}\"/><text class=\"tick\" x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 17.0,
                short(tick)
            );
        }
        let _ = write!(
            svg,
            "<path class=\"axis\" d=\"M{left} {top}v{height}h{width}\"/>\
             <text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text class=\"label\" transform=\"translate({:.1} {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            left + width / 2.0,
            bottom + 38.0,
            escape(&self.labels.0),
            left - 45.0,
            top + height / 2.0,
            escape(&self.labels.1)
        );
    }

    /// Draws a line through the points that have a position, or an area between them. `what` is the
    /// class, and `name` appears on hover.
    fn path(
        &self,
        what: &str,
        style: usize,
        name: &str,
        points: &[(f64, f64)],
        end: &str,
        svg: &mut String,
    ) {
        let places = points.iter().filter_map(|&point| self.place(point));
        let path: Vec<String> = places.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if path.is_empty() {
            return;
        }
        let title = if name.is_empty() {
            String::new()
        } else {
            format!("<title>{}</title>", escape(name))
        };
        let _ = write!(
            svg,
            "<path class=\"{what} s{style}\" d=\"M{}{end}\">{title}</path>",
            path.join("L")
        );
    }

    /// Draws a line through points.
    pub fn line(&self, style: usize, name: &str, points: &[(f64, f64)], svg: &mut String) {
        self.path("line", style, name, points, "", svg);
    }

    /// Draws the area between two lines: least and greatest value at each position.
    pub fn band(&self, style: usize, points: &[(f64, f64, f64)], svg: &mut String) {
        let least = points.iter().rev().map(|&(x, least, _)| (x, least));
        let around: Vec<_> =
            points.iter().map(|&(x, _, greatest)| (x, greatest)).chain(least).collect();
        self.path("band", style, "", &around, "Z", svg);
    }
}

/// Draws lines through points.
pub fn lines(id: &str, title: &str, x: &Axis, y: &Axis, series: &[Series]) -> String {
    let mut svg = String::new();
    let several = series.len() > 1;
    let legend = if several { series.len().div_ceil(2) as f64 * 18.0 + 4.0 } else { 0.0 };
    let description = format!("{} over {}, as in the table below it.", y.label, x.label);
    open(&mut svg, id, title, &description, (WIDTH, HEIGHT + legend));
    let size = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let points: Vec<_> = series.iter().flat_map(|one| one.points.iter().copied()).collect();
    let panel = Panel::new(x, y, &points, (LEFT, TOP), size);
    panel.axes(&mut svg);
    for (number, one) in series.iter().enumerate() {
        let style = number % STYLES;
        panel.line(style, "", &one.points, &mut svg);
        if one.points.len() <= MAX_DOTS {
            for &(x, y) in &one.points {
                let Some((px, py)) = panel.place((x, y)) else { continue };
                let name = if several { format!("{}: ", one.name) } else { String::new() };
                let _ = write!(
                    svg,
                    "<circle class=\"dot s{style}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3\"><title>{}{}, {}</title></circle>",
                    escape(&name),
                    short(x),
                    short(y)
                );
            }
        }
    }
    if several {
        let drawn = series.iter().enumerate().filter(|(_, one)| !one.points.is_empty());
        for (place, (number, one)) in drawn.enumerate() {
            let (x, y) =
                (LEFT + (place % 2) as f64 * 210.0, HEIGHT + 12.0 + (place / 2) as f64 * 18.0);
            legend_entry(&mut svg, number % STYLES, x, y, &one.name, "line");
        }
    }
    svg + "</svg>"
}

/// Draws the points of each series on logarithmic axes, without lines. `names` are the texts of the
/// points of each series on hover. Points without a place on the axes are left out.
pub fn scatter(
    id: &str,
    title: &str,
    (x, y): (&str, &str),
    series: &[Series],
    names: &[Vec<String>],
) -> String {
    let mut svg = String::new();
    let several = series.len() > 1;
    let legend = if several { series.len().div_ceil(2) as f64 * 18.0 + 4.0 } else { 0.0 };
    let description = format!("{y} over {x}, a dot for each row of the table.");
    open(&mut svg, id, title, &description, (WIDTH, HEIGHT + legend));
    let size = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let points = series.iter().flat_map(|one| one.points.iter().copied());
    let points: Vec<_> = points.filter(|&(x, y)| x > 0.0 && y > 0.0).collect();
    let panel = Panel::new(&Axis::log(x), &Axis::log(y), &points, (LEFT, TOP), size);
    panel.axes(&mut svg);
    for (number, one) in series.iter().enumerate() {
        for (at, &point) in one.points.iter().enumerate() {
            let Some((px, py)) = panel.place(point) else { continue };
            let name = names.get(number).and_then(|names| names.get(at)).map_or("", String::as_str);
            let _ = write!(
                svg,
                "<circle class=\"dot s{}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"2.5\"><title>{}</title></circle>",
                number % STYLES,
                escape(name)
            );
        }
    }
    if several {
        for (number, one) in series.iter().enumerate() {
            let x = LEFT + (number % 2) as f64 * 210.0;
            let y = HEIGHT + 12.0 + (number / 2) as f64 * 18.0;
            legend_entry(&mut svg, number % STYLES, x, y, &one.name, "bar");
        }
    }
    svg + "</svg>"
}

fn legend_entry(svg: &mut String, style: usize, x: f64, y: f64, name: &str, kind: &str) {
    let _ = match kind {
        "line" => write!(svg, "<path class=\"line s{style}\" d=\"M{x:.1} {:.1}h26\"/>", y - 4.0),
        _ => write!(
            svg,
            "<rect class=\"bar s{style}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"10\"/>",
            y - 9.0
        ),
    };
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
        x + 32.0,
        escape(&cut(name, 26))
    );
}

/// The first characters of a name.
fn cut(name: &str, chars: usize) -> String {
    match name.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Draws a bar for each name and series. Values are in percent, with `labels` as their text.
pub fn bars(
    id: &str,
    title: &str,
    names: &[String],
    series: &[(String, Vec<(f64, String)>)],
) -> String {
    let mut svg = String::new();
    let thick = if series.len() > 1 { 14.0 } else { 16.0 };
    let row = thick * series.len() as f64 + 9.0;
    let several = series.len() > 1;
    let legend = if several { series.len().div_ceil(2) as f64 * 18.0 + 8.0 } else { 0.0 };
    let height = row * names.len() as f64 + 8.0 + legend;
    open(&mut svg, id, title, "A bar for each row of the table below it.", (WIDTH, height));
    let most =
        series.iter().flat_map(|(_, values)| values.iter().map(|(v, _)| *v)).fold(0.0, f64::max);
    let length = WIDTH - NAMES - VALUES;
    for (at, name) in names.iter().enumerate() {
        let y = 4.0 + row * at as f64;
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            NAMES - 8.0,
            y + (row - 9.0) / 2.0 + 4.5,
            escape(&cut(name, NAME_CHARS))
        );
        for (number, (_, values)) in series.iter().enumerate() {
            let Some((value, label)) = values.get(at) else { continue };
            let width = if most > 0.0 { value / most * length } else { 0.0 };
            let y = y + thick * number as f64;
            let _ = write!(
                svg,
                "<rect class=\"bar s{}\" x=\"{NAMES}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\
                 <text class=\"value\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                number % STYLES,
                width.max(0.8),
                thick - 2.0,
                NAMES + width + 6.0,
                y + thick / 2.0 + 3.2,
                escape(label)
            );
        }
    }
    if several {
        for (number, (name, _)) in series.iter().enumerate() {
            let x = NAMES + (number % 2) as f64 * 170.0;
            let y = height - legend + 16.0 + (number / 2) as f64 * 18.0;
            legend_entry(&mut svg, number % STYLES, x, y, name, "bar");
        }
    }
    svg + "</svg>"
}

/// Space for the names of hosts beside [`shares`], and how many of their characters it holds.
const HOST_NAMES: f64 = 180.0;
const HOST_CHARS: usize = 20;

/// Draws a bar of 100 % for each row, cut into the shares of the series. A row has the percentages
/// of the series, in their order; the rest of the bar stays empty.
pub fn shares(id: &str, title: &str, series: &[String], rows: &[(String, Vec<f64>)]) -> String {
    let mut svg = String::new();
    let (row, thick) = (21.0, 14.0);
    let legend = series.len().div_ceil(2) as f64 * 18.0 + 8.0;
    let height = row * rows.len() as f64 + 8.0 + legend;
    open(&mut svg, id, title, "A bar for each row, cut into shares.", (WIDTH, height));
    let length = WIDTH - HOST_NAMES - 8.0;
    for (at, (name, percents)) in rows.iter().enumerate() {
        let y = 4.0 + row * at as f64;
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}<title>{}</title></text>",
            HOST_NAMES - 8.0,
            y + thick / 2.0 + 4.0,
            escape(&cut(name, HOST_CHARS)),
            escape(name)
        );
        let mut x = HOST_NAMES;
        for (number, percent) in percents.iter().enumerate().filter(|(_, percent)| **percent > 0.0)
        {
            let width = percent.min(100.0) / 100.0 * length;
            let _ = write!(
                svg,
                "<rect class=\"bar s{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{thick}\">\
                 <title>{}, {}: {percent:.1} %</title></rect>",
                number % STYLES,
                escape(name),
                escape(series.get(number).map_or("", String::as_str)),
            );
            x += width;
        }
    }
    for (number, name) in series.iter().enumerate() {
        let x = HOST_NAMES + (number % 2) as f64 * 170.0;
        let y = height - legend + 16.0 + (number / 2) as f64 * 18.0;
        legend_entry(&mut svg, number % STYLES, x, y, name, "bar");
    }
    svg + "</svg>"
}

/// A bin of a histogram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistogramBin {
    /// Lower end of the range, in units of the axis.
    pub from: f64,
    /// Number of values in it.
    pub count: u64,
    /// Number of these that a second bar shows in front of the first.
    pub part: u64,
}

/// Size of a histogram and the space around it, in the units of other plots.
const SMALL: (f64, f64) = (300.0, 150.0);
const SMALL_LEFT: f64 = 40.0;
const SMALL_TOP: f64 = 18.0;
const SMALL_BOTTOM: f64 = 22.0;
/// Least number of bins that are drawn. Empty bins after the last value and the last mark are not.
const MIN_BINS: usize = 10;
/// Half a value: the foot of the logarithmic axis of counts, so that one value has a bar.
const FOOT: f64 = 0.5;

/// Draws the bins of one quantity, of equal width, over a logarithmic axis of counts, and a dashed
/// line at each of `marks`. The last bin has no upper end. `what` is the noun for the values.
pub fn histogram(
    id: &str,
    title: &str,
    what: &str,
    bins: &[HistogramBin],
    marks: &[f64],
) -> String {
    let mut svg = String::new();
    let counts = format!("{what} by value; the axis of counts is logarithmic");
    open(&mut svg, id, title, &counts, SMALL);
    let frame = Bars::new(bins, marks);
    frame.draw_grid(&mut svg);
    for at in (0..frame.shown).filter(|&at| bins[at].count > 0) {
        frame.draw_bar(&mut svg, at, what);
    }
    frame.draw_axis(&mut svg);
    for &mark in marks {
        frame.draw_mark(&mut svg, mark);
    }
    svg + "</svg>"
}

/// The bins of a histogram and where they stand.
struct Bars<'a> {
    bins: &'a [HistogramBin],
    /// Number of bins that are drawn.
    shown: usize,
    /// Width of a bin, and that of all of them.
    across: f64,
    width: f64,
    /// The vertical place of the axis.
    bottom: f64,
    up: Scale,
}

impl<'a> Bars<'a> {
    fn new(bins: &'a [HistogramBin], marks: &[f64]) -> Self {
        let filled = bins.iter().rposition(|bin| bin.count > 0).map_or(0, |last| last + 1);
        let end = |&mark: &f64| place(bins, mark).floor() as usize + 2;
        let marked = marks.iter().map(end).max().unwrap_or(0);
        let shown = filled.max(marked).max(MIN_BINS).min(bins.len());
        let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
        let width = SMALL.0 - SMALL_LEFT - 8.0;
        let bottom = SMALL.1 - SMALL_BOTTOM;
        let up = Scale {
            log: true,
            whole: false,
            from: FOOT.log10(),
            to: (most as f64).log10().max(1.0),
            start: bottom,
            length: SMALL_TOP - bottom,
        };
        Self { bins, shown, across: width / shown.max(1) as f64, width, bottom, up }
    }

    /// Returns the horizontal place of a value that is given in bins.
    fn x(&self, place: f64) -> f64 {
        SMALL_LEFT + place * self.across
    }

    /// Draws a line and a label at each tick of the counts.
    fn draw_grid(&self, svg: &mut String) {
        for tick in self.up.ticks() {
            let Some(y) = self.up.place(tick).filter(|&y| y >= SMALL_TOP - 0.5) else { continue };
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{SMALL_LEFT} {y:.1}h{}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                self.width,
                SMALL_LEFT - 5.0,
                y + 4.0,
                short(tick)
            );
        }
    }

    /// Draws a bin, and what is beyond a limit of it in another style.
    fn draw_bar(&self, svg: &mut String, at: usize, what: &str) {
        let bin = &self.bins[at];
        let _ = match self.bins.get(at + 1) {
            Some(next) => write!(svg, "<g><title>{} to {}: ", round(bin.from), round(next.from)),
            None => write!(svg, "<g><title>{} and more: ", round(bin.from)),
        };
        let _ = write!(svg, "{} {}", bin.count, escape(what));
        if bin.part > 0 {
            let _ = write!(svg, ", {} beyond a limit", bin.part);
        }
        *svg += "</title>";
        for (style, count) in [(0, bin.count), (1, bin.part)] {
            let Some(top) = self.up.place(count as f64) else { continue };
            let _ = write!(
                svg,
                "<rect class=\"bar s{style}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                self.x(at as f64),
                (self.across - 0.6).max(0.6),
                (self.bottom - top).max(0.8)
            );
        }
        *svg += "</g>";
    }

    /// Draws the axis of values, with a label at some bins.
    fn draw_axis(&self, svg: &mut String) {
        let bottom = self.bottom;
        let step = [1, 2, 5, 10, 20].into_iter().find(|step| self.shown <= step * 6).unwrap_or(50);
        for (at, bin) in self.bins.iter().take(self.shown).enumerate().step_by(step) {
            let x = self.x(at as f64);
            let _ = write!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {bottom}v4\"/><text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                round(bin.from)
            );
        }
        let _ = write!(svg, "<path class=\"axis\" d=\"M{SMALL_LEFT} {bottom}h{}\"/>", self.width);
    }

    fn draw_mark(&self, svg: &mut String, mark: f64) {
        let x = self.x(place(self.bins, mark).min(self.shown as f64));
        // The label stays inside the plot.
        let anchor = if x > SMALL.0 / 2.0 { "end" } else { "start" };
        let _ = write!(
            svg,
            "<path class=\"mark\" d=\"M{x:.1} {:.1}V{}\"/><text class=\"value\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            SMALL_TOP - 4.0,
            self.bottom,
            SMALL_TOP - 7.0,
            round(mark)
        );
    }
}

/// Returns the place of a value, in bins.
fn place(bins: &[HistogramBin], value: f64) -> f64 {
    let at = bins.iter().rposition(|bin| bin.from <= value).unwrap_or(0);
    let from = bins.get(at).map_or(0.0, |bin| bin.from);
    let inside = bins.get(at + 1).map_or(0.5, |next| (value - from) / (next.from - from));
    at as f64 + inside.clamp(0.0, 1.0)
}

/// A value with at most three decimals; from 1000 on in the short form.
pub fn round(value: f64) -> String {
    if value.abs() >= 1000.0 {
        return short(value);
    }
    let digits = format!("{value:.3}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_direction_of_most_of_its_letters() {
        assert_eq!(direction("UNICEF کے مطابق سیلاب سے ہزاروں بچے متاثر ہوئے"), "rtl");
        assert_eq!(direction("The poem ھم begins with this word"), "ltr");
        assert_eq!(direction("𞤀𞤣𞤤𞤢𞤥 in"), "rtl");
        for even in ["", "2026: 12", "ab اب"] {
            assert_eq!(direction(even), "auto", "{even}");
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        let scale = |log, from, to| Scale { log, whole: false, from, to, start: 0.0, length: 1.0 };
        assert_eq!(scale(false, 0.0, 100.0).ticks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(scale(false, 1.0, 8.0).ticks(), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(scale(true, 0.0, 3.0).ticks(), [1.0, 10.0, 100.0, 1000.0]);
        assert!(scale(true, 0.0, 20.0).ticks().len() <= 7);
    }

    #[test]
    fn there_is_no_half_round_and_no_point_above_the_last_mark() {
        let scale = |axis: &Axis, values: &[f64], length| {
            Scale::new(axis, values.iter().copied(), 0.0, length)
        };
        let rounds = |last: u32| scale(&Axis::whole("x"), &[1.0, last.into()], 400.0).ticks();
        assert_eq!(rounds(1), [1.0, 2.0]);
        assert_eq!(rounds(3), [1.0, 2.0, 3.0]);
        assert_eq!(rounds(12).len(), 12);
        assert_eq!(rounds(60), (1..=12).map(|n| f64::from(n) * 5.0).collect::<Vec<_>>());
        let pages = |most: f64| scale(&Axis::from_zero("y"), &[most], -200.0).ticks();
        assert_eq!(pages(1.0), [0.0, 1.0]);
        assert_eq!(pages(2_778.0), [0.0, 1000.0, 2000.0, 3000.0]);
        assert_eq!(pages(0.0), [0.0, 1.0]);
        for most in [7.0, 99.0, 101.0, 123_456.0] {
            assert!(pages(most).last() >= Some(&most), "{most}");
        }
    }

    #[test]
    fn a_band_goes_there_and_back() {
        let panel =
            Panel::new(&Axis::percent("x"), &Axis::percent("y"), &[], (0.0, 0.0), (100.0, 100.0));
        let mut svg = String::new();
        panel.band(2, &[(0.0, 10.0, 20.0), (50.0, 30.0, 60.0)], &mut svg);
        assert_eq!(
            svg,
            "<path class=\"band s2\" d=\"M0.0 80.0L50.0 40.0L50.0 70.0L0.0 90.0Z\"></path>"
        );
    }

    #[test]
    fn a_histogram_has_a_bar_for_each_filled_bin_and_a_line_at_each_mark() {
        let bins: Vec<HistogramBin> = (0..40)
            .map(|at| HistogramBin {
                from: f64::from(at) / 20.0,
                count: [0, 100, 1][at as usize % 3] * u64::from(at < 6),
                part: u64::from(at == 5),
            })
            .collect();
        let svg = histogram("h", "t", "pages", &bins, &[0.225]);
        assert_eq!(svg.matches("<rect").count(), 5, "four bins, and a part of one");
        assert!(svg.contains("<title>0.25 to 0.3: 1 pages, 1 beyond a limit</title>"), "{svg}");
        // Of the ten bins that are drawn, each has 25.2 of the width: the mark is at 4.5 of them.
        assert!(svg.contains("<path class=\"mark\" d=\"M153.4 "), "{svg}");
        for odd in [
            histogram("h", "t", "pages", &[], &[1.0]),
            histogram("h", "t", "p", &bins, &[9e9, -1.0]),
        ] {
            assert!(!odd.contains("NaN") && !odd.contains("inf"), "{odd}");
        }
    }

    #[test]
    fn shares_of_a_row_lie_side_by_side() {
        let series = ["Urdu".to_owned(), "English <en>".to_owned()];
        let rows = [("a.pk".to_owned(), vec![25.0, 75.0]), ("b.pk".to_owned(), vec![0.0, 100.0])];
        let svg = shares("s", "t", &series, &rows);
        assert!(svg.contains("x=\"180.0\" y=\"4.0\" width=\"73.0\""), "{svg}");
        assert!(svg.contains("x=\"253.0\" y=\"4.0\" width=\"219.0\""), "{svg}");
        assert!(svg.contains("<title>b.pk, English &lt;en&gt;: 100.0 %</title>"), "{svg}");
        assert!(!shares("s", "t", &[], &[]).contains("NaN"));
    }

    #[test]
    fn a_scatter_has_a_dot_for_each_point_on_its_axes() {
        let points = vec![(1.0, 10.0), (100.0, 1000.0), (5.0, 0.0)];
        let series = [Series { name: "s".to_owned(), points }];
        let names = [vec!["<a>".to_owned(), "b".to_owned(), "none".to_owned()]];
        let svg = scatter("a", "t", ("x", "y"), &series, &names);
        assert_eq!(svg.matches("<circle").count(), 2, "0 has no place on a logarithmic axis");
        assert!(svg.contains("<title>&lt;a&gt;</title>") && !svg.contains("none"), "{svg}");
        assert!(!scatter("a", "t", ("x", "y"), &[], &[]).contains("NaN"));
    }

    #[test]
    fn decimals_end_with_a_digit() {
        assert_eq!([0.0, 0.06, 0.5, 50.0, 1e5].map(round), ["0", "0.06", "0.5", "50", "100k"]);
    }

    #[test]
    fn values_are_said_shortly() {
        assert_eq!([0.0, 7.5, 1500.0, 2e7, 1e-3].map(short), ["0", "7.5", "1.5k", "20M", "1e-3"]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let empty = lines("a", "t", &Axis::log("x"), &Axis::linear("y"), &[]);
        assert!(
            empty.starts_with("<svg") && empty.ends_with("</svg>") && !empty.contains("NaN"),
            "{empty}"
        );
        let zero = [Series { name: "s".to_owned(), points: vec![(0.0, 0.0)] }];
        assert!(!lines("a", "t", &Axis::log("x"), &Axis::log("y"), &zero).contains("NaN"));
        assert!(!bars(
            "a",
            "t",
            &["n".to_owned()],
            &[("s".to_owned(), vec![(0.0, "0".to_owned())])]
        )
        .contains("NaN"));
    }
}
