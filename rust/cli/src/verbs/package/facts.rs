//! Facts on a data set that only its publisher knows: licence, address, creators.

use super::Arguments;
use anyhow::{bail, Result};
use release::{shares, Facts};

/// Licences of the Hub with their addresses.
const KNOWN: [(&str, &str); 9] = [
    ("cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("cc-by-nc-4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    ("cc-by-nd-4.0", "https://creativecommons.org/licenses/by-nd/4.0/"),
    ("cc-by-nc-sa-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    ("odc-by", "https://opendatacommons.org/licenses/by/1-0/"),
    ("odbl", "https://opendatacommons.org/licenses/odbl/1-0/"),
    ("pddl", "https://opendatacommons.org/licenses/pddl/1-0/"),
];

/// Takes the facts from the command line.
///
/// # Errors
/// Fails if one is missing or malformed; the sentence names the option.
pub fn of(arguments: &Arguments) -> Result<Facts> {
    let options = [
        ("--license", arguments.license.is_some()),
        ("--url", arguments.url.is_some()),
        ("--creator", !arguments.creator.is_empty()),
        ("--published", arguments.published.is_some()),
    ];
    let missing: Vec<&str> =
        options.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| *name).collect();
    let (Some(license), Some(url), Some(published), true) = (
        arguments.license.as_deref(),
        arguments.url.as_deref(),
        arguments.published.as_deref(),
        missing.is_empty(),
    ) else {
        bail!(misuse!(
            "--layout hub needs facts that the corpus does not hold; add {}",
            missing.join(", ")
        ));
    };
    let known = KNOWN.iter().find(|(name, _)| *name == license).map(|(_, url)| *url);
    let Some(license_url) = arguments.license_url.as_deref().or(known) else {
        let names = KNOWN.map(|(name, _)| name).join(", ");
        bail!(misuse!(
            "the address of licence {license} is not known; add --license-url, or use one of {names} (--license)"
        ));
    };
    if license == "other" && arguments.license_name.is_none() {
        bail!(misuse!("licence other needs a name; add --license-name (--license)"));
    }
    for (address, option) in [(url, "--url"), (license_url, "--license-url")] {
        let is_web =
            url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !is_web {
            bail!(misuse!(
                "{address}: is not an address; allowed are https:// and http:// ({option})"
            ));
        }
    }
    if !is_date(published) {
        bail!(misuse!("{published}: is not a date; allowed is YYYY-MM-DD (--published)"));
    }
    let shares = shares(&arguments.split).map_err(|bad| misuse!("{bad} (--split)"))?;
    Ok(Facts {
        license: license.to_owned(),
        license_name: arguments.license_name.clone(),
        license_url: license_url.to_owned(),
        url: url.to_owned(),
        creators: arguments.creator.clone(),
        published: published.to_owned(),
        title: arguments.title.clone(),
        dump: arguments.dump.clone(),
        shares,
    })
}

/// Returns true for a day as YYYY-MM-DD.
fn is_date(text: &str) -> bool {
    text.parse::<provenance::Day>().is_ok_and(|day| day.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days() {
        for yes in ["2026-11-24", "2024-02-29", "2000-02-29", "2026-12-31"] {
            assert!(is_date(yes), "{yes}");
        }
        for no in [
            "2026-02-30",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-12-32",
            "2026-13-01",
            "2026-1-1",
            "2026-11",
            "24.11.2026",
            "2026-11-00",
            "२०२६-११-२४",
        ] {
            assert!(!is_date(no), "{no}");
        }
    }
}
