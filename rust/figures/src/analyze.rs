//! Measurement of inputs, on all cores, in bounded memory.

use crate::measures::{Figures, Measures, Plan};
use crate::page::{CorpusPage, Viewer};
use crate::pages::{failed, Failure, InputFigures, Inputs, Progress};
use crate::scratch::Scratch;
use crate::sites::Sites;
use crate::state::Accumulator;
use crate::tokens::Tokenizer;
use crate::urls::Urls;
use quality::Limits;
use rayon::prelude::*;
use records::Problem;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The results of one pass over the pages of a corpus.
#[derive(Debug)]
pub struct Outcome {
    /// Figures of the input.
    pub input: InputFigures,
    /// Figures of the corpus.
    pub figures: Figures,
    /// The sites, for comparisons and rankings.
    pub sites: Sites,
    /// The URLs, for comparisons.
    pub urls: Urls,
}

/// Changes to pages before they are measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// Limits by which pages with quality signals are judged again.
    pub limits: Option<&'a Limits>,
    /// Returns the website of a host, a part of its name; without it every host is one.
    pub site_of: Option<fn(&str) -> &str>,
}

/// Measures the inputs. If there are `limits`, they decide which pages are noisy; otherwise the
/// records do. `memory` limits the memory for counting, in bytes, in addition to that of
/// [`Inputs`]; the rest goes to temporary files. `tell` is as in [`Inputs::pages`].
///
/// # Errors
/// Fails if an input cannot be opened, a temporary file cannot be written, or the work was stopped.
pub fn analyze(
    inputs: &Inputs,
    plan: Plan,
    rules: Rules,
    memory: usize,
    tell: &mut dyn FnMut(Result<Progress, &Problem>),
) -> Result<Outcome, Failure> {
    let threads = rayon::current_num_threads();
    let scratch = Scratch::sharing(inputs.folder, memory / threads);
    let tokenizer = Tokenizer::with_scripts(plan.target, plan.scripts);
    let sums: Vec<Mutex<Measures>> =
        (0..threads).map(|_| Mutex::new(Measures::new(plan, &scratch))).collect();
    let input = inputs.pages(tell, &mut |mut pages| {
        if let Some(limits) = rules.limits {
            judge(&mut pages, limits);
        }
        if let Some(site_of) = rules.site_of {
            for page in &mut pages {
                let site = site_of(&page.host);
                if site.len() < page.host.len() {
                    page.host = site.to_owned();
                }
            }
        }
        measure(&pages, plan, &tokenizer, &sums)
    })?;
    // Merging moves the data out of each thread's sums, so nothing is in memory twice.
    let mut all = Measures::new(plan, &Scratch::sharing(inputs.folder, memory));
    let failed = |error: io::Error| failed(inputs.folder, error);
    for sum in sums {
        all.merge(sum.into_inner().unwrap_or_else(PoisonError::into_inner)).map_err(failed)?;
    }
    let (figures, sites, urls) = all.finish_with(plan, rules.limits).map_err(failed)?;
    Ok(Outcome { input, figures, sites, urls })
}

fn judge(pages: &mut [CorpusPage], limits: &Limits) {
    pages.par_iter_mut().filter_map(|page| page.quality.as_mut()).for_each(|of| of.judge(limits));
}

fn measure(
    pages: &[CorpusPage],
    plan: Plan,
    tokenizer: &Tokenizer,
    sums: &[Mutex<Measures>],
) -> io::Result<()> {
    pages.par_chunks(16).try_for_each(|pages| {
        let thread = rayon::current_thread_index().unwrap_or(0) % sums.len();
        // Only the thread with this number locks it, so no thread waits.
        let mut sums = sums[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let mut viewer = Viewer::new(tokenizer);
        for page in pages {
            if plan.words {
                sums.add(&viewer.view(page))?;
            } else {
                sums.add(&crate::PageView { page, tokens: &[] })?;
            }
        }
        Ok(())
    })
}
