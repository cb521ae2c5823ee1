//! Facts on a data set that only its publisher knows: licence, address, creators.

use super::Arguments;
use anyhow::{bail, Result};
use release::facts::{is_date, is_web_address, LICENSES};
use release::{shares, Facts};

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
    let known = LICENSES.iter().find(|(name, _)| *name == license).map(|(_, url)| *url);
    let Some(license_url) = arguments.license_url.as_deref().or(known) else {
        let names = LICENSES.map(|(name, _)| name).join(", ");
        bail!(misuse!(
            "the address of licence {license} is not known; add --license-url, or use one of {names} (--license)"
        ));
    };
    if license == "other" && arguments.license_name.is_none() {
        bail!(misuse!("licence other needs a name; add --license-name (--license)"));
    }
    for (address, option) in [(url, "--url"), (license_url, "--license-url")] {
        if !is_web_address(address) {
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
