//! The result of a cross-validation of classes, as a table.

use langid::Validation;
use render::counted;
use std::fmt::Write as _;

/// Number of texts below which a class is found badly.
const FEW_TEXTS: usize = 50;

/// Returns the table for people.
pub fn table(found: &Validation) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shares are shown with two digits")]
    let share = |part: usize, of: usize| match of {
        0 => "-".to_owned(),
        of => format!("{:.2}", part as f64 / of as f64),
    };
    // Writing to a string cannot fail.
    let mut table = format!(
        "cross-validation of {} in 5 parts of whole hosts, {}; {} too short\n{:<32} {:>8} {:>9} {:>8} {:>8}\n",
        counted(found.texts, "page"),
        counted(found.groups, "group"),
        found.short,
        "class",
        "pages",
        "precision",
        "recall",
        "F1"
    );
    for class in &found.classes {
        let few = if class.texts < FEW_TEXTS { "  few pages, expect mistakes" } else { "" };
        let _ = writeln!(
            table,
            "{:<32} {:>8} {:>9} {:>8} {:>8}{few}",
            class.name,
            class.texts,
            share(class.right, class.found),
            share(class.right, class.texts),
            share(2 * class.right, class.found + class.texts)
        );
    }
    let _ = writeln!(
        table,
        "{:<32} {:>8} right: {}",
        "all",
        found.texts,
        share(found.right, found.texts)
    );
    for of in &found.confident {
        let name = format!("confidence of {} or more", of.least);
        let _ = writeln!(table, "{name:<32} {:>8} right: {}", of.texts, share(of.right, of.texts));
    }
    let _ = writeln!(
        table,
        "confidence differs from the share of right pages by {:.3} on average",
        found.calibration_error
    );
    table
}
