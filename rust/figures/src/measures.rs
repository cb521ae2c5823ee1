//! All accumulators together.

use crate::byte_yields::{ByteYieldFigures, ByteYields};
use crate::calibration::{Calibration, CalibrationTables};
use crate::classes::{ClassFigures, Classes};
use crate::duplicates::{DuplicateFigures, Duplicates};
use crate::languages::{LanguageRow, Languages};
use crate::letters::knows_letters;
use crate::origins::{OriginFigures, Origins};
use crate::page::PageView;
use crate::quality::{Quality, QualityFigures};
use crate::richness::{Richness, RichnessFigures};
use crate::rounds::{RoundFigures, Rounds};
use crate::samples::{SampledPage, Samples};
use crate::scratch::Scratch;
use crate::sites::{SiteFigures, Sites};
use crate::sizes::{SizeFigures, Sizes};
use crate::state::{Accumulator, BadState};
use crate::style::{Style, StyleFigures};
use crate::totals::Totals;
use crate::urls::{DepthFigures, Depths, Urls};
use crate::varieties::{VarietyRow, VarietySums};
use crate::words::{WordFigures, Words};
use langbytes::{LangCode, Scripts};
use quality::Limits;
use serde::Serialize;
use std::io;

/// Settings of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The language of the corpus.
    pub target: LangCode,
    /// Scripts in which the models have the language: its letters are theirs, in addition to those
    /// of the table (`data/letters.txt`).
    pub scripts: Scripts,
    /// Whether words are counted: vocabulary, Zipf's law, lengths, entropy, style, tokens of LSh,
    /// near duplicates.
    pub words: bool,
}

/// The sums of every metric over the same pages.
#[derive(Debug)]
pub struct Measures {
    /// Pages and bytes.
    pub totals: Totals,
    /// Pages and bytes of each site.
    pub sites: Sites,
    /// URLs, for comparisons.
    pub urls: Urls,
    depths: Depths,
    sizes: Sizes,
    richness: Richness,
    languages: Languages,
    varieties: VarietySums,
    classes: Classes,
    rounds: Rounds,
    byte_yields: ByteYields,
    calibration: Calibration,
    words: Words,
    style: Style,
    duplicates: Duplicates,
    quality: Quality,
    origins: Origins,
    samples: Samples,
}

/// Runs a statement for each accumulator.
macro_rules! each {
    ($do:ident) => {
        $do!(
            totals,
            sites,
            urls,
            depths,
            sizes,
            richness,
            languages,
            varieties,
            classes,
            rounds,
            byte_yields,
            calibration,
            words,
            style,
            duplicates,
            quality,
            origins,
            samples
        )
    };
}

impl Measures {
    /// Creates empty sums.
    pub fn new(plan: Plan, scratch: &Scratch) -> Self {
        Self {
            totals: Totals::default(),
            sites: Sites::default(),
            urls: Urls::new(scratch),
            depths: Depths::default(),
            sizes: Sizes::default(),
            richness: Richness::default(),
            languages: Languages::default(),
            varieties: VarietySums::default(),
            classes: Classes::default(),
            rounds: Rounds::default(),
            byte_yields: ByteYields::default(),
            calibration: Calibration::default(),
            words: Words::new(scratch),
            style: Style::default(),
            duplicates: Duplicates::new(plan.words, scratch),
            quality: Quality::default(),
            origins: Origins::default(),
            samples: Samples::default(),
        }
    }

    /// Returns the figures, and the data for comparisons.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn finish(self, plan: Plan) -> io::Result<(Figures, Sites, Urls)> {
        self.finish_with(plan, None)
    }

    /// Returns the figures as [`Measures::finish`] does, with the limits by which pages were
    /// judged.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub(crate) fn finish_with(
        self,
        plan: Plan,
        limits: Option<&Limits>,
    ) -> io::Result<(Figures, Sites, Urls)> {
        let own = plan.words && knows_letters(plan.target, plan.scripts);
        let (duplicates, words) = (self.duplicates, self.words);
        let (duplicates, words) = rayon::join(
            || duplicates.finish(),
            || plan.words.then(|| words.finish(own)).transpose(),
        );
        let figures = Figures {
            totals: self.totals,
            rounds: self.rounds.finish(),
            byte_yields: self.byte_yields.finish(),
            sites: self.sites.finish(),
            richness: self.richness.finish(own),
            languages: self.languages.finish(),
            varieties: self.varieties.finish(),
            classes: self.classes.finish(),
            duplicates: duplicates?,
            words: words?,
            style: plan.words.then(|| self.style.finish()),
            sizes: self.sizes.finish(),
            depths: self.depths.finish(),
            calibration: self.calibration.finish(),
            quality: self.quality.finish(limits),
            origins: self.origins.finish(&self.sites),
            samples: self.samples.finish(),
        };
        Ok((figures, self.sites, self.urls))
    }
}

impl Accumulator for Measures {
    const NAME: &'static str = "measures";
    const VERSION: u16 = 1;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        self.totals.add(view)?;
        if view.page.gone {
            return Ok(());
        }
        self.origins.add(view)?;
        self.rounds.add(view)?;
        self.byte_yields.add(view)?;
        self.calibration.add(view)?;
        if !view.page.kept {
            return Ok(());
        }
        macro_rules! add {
            ($($part:ident),*) => { $(self.$part.add(view)?;)* };
        }
        add!(
            sites, urls, depths, sizes, richness, languages, varieties, classes, words, style,
            duplicates, quality, samples
        );
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        macro_rules! merge {
            ($($part:ident),*) => { $(self.$part.merge(other.$part)?;)* };
        }
        each!(merge);
        Ok(())
    }

    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        macro_rules! parts {
            ($($part:ident),*) => { $(self.$part.parts(give)?;)* };
        }
        each!(parts);
        Ok(())
    }

    /// Merges a part of any accumulator.
    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        fn name_of<A: Accumulator>(_: &A) -> &'static str {
            A::NAME
        }
        let name = crate::state::name(part)?;
        macro_rules! absorb {
            ($($part:ident),*) => {
                $(if name == name_of(&self.$part).as_bytes() { return self.$part.absorb(part); })*
            };
        }
        each!(absorb);
        Err(BadState::NoMetric { name: String::from_utf8_lossy(name).into_owned() })
    }
}

/// All figures of a corpus. Figures that are missing in the input are null in JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Pages and bytes.
    pub totals: Totals,
    /// Yield per round.
    pub rounds: Option<RoundFigures>,
    /// Byte yields of sites.
    pub byte_yields: Option<ByteYieldFigures>,
    /// Pages, bytes and languages of the sites.
    pub sites: SiteFigures,
    /// Share of the target language in main content (the paper's LSh).
    pub richness: RichnessFigures,
    /// Languages found in pages.
    pub languages: Vec<LanguageRow>,
    /// Varieties of the corpus's language; `None` if no record has the field `variety`.
    pub varieties: Option<Vec<VarietyRow>>,
    /// Classes of pages, if records have any.
    pub classes: Option<ClassFigures>,
    /// Pages with equal or nearly equal text.
    pub duplicates: DuplicateFigures,
    /// Words; `None` if they were not counted.
    pub words: Option<WordFigures>,
    /// Style; `None` if words were not counted.
    pub style: Option<StyleFigures>,
    /// Sizes as fetched.
    pub sizes: SizeFigures,
    /// Pages by the depth of their URL's path.
    pub depths: DepthFigures,
    /// Pages kept by content-size thresholds.
    pub calibration: CalibrationTables,
    /// Quality signals; `None` if no page has them.
    pub quality: Option<QualityFigures>,
    /// Years, licences and domains of the pages, and the reasons why others were rejected.
    pub origins: OriginFigures,
    /// Pages drawn by lot, with the beginnings of their texts. They are in the page of the report
    /// only: its JSON has figures.
    #[serde(skip)]
    pub samples: Vec<SampledPage>,
}
