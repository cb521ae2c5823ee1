//! Policy `pages` for Java, which reads the rows of a crawl's database and passes them in batches.

use crate::refusal::Refusal;
use crate::registry;
use crate::slots::{Names, Slots};
use engine::frame::{tag, BadFrame, Frame, Writer};
use engine::{ScorePolicy, Status};
use once_cell::sync::Lazy;
use sitescore::pages::{Crawl, CrawlRow, Evidence, Level, Prediction};

/// Most open steerings of a process. A crawl needs one at a time.
const MAX_OPEN: usize = 8;

static OPEN: Lazy<Slots<Crawl>> =
    Lazy::new(|| Slots::new(Names { one: "steering", many: "steerings" }, MAX_OPEN));

/// Bits of a row's flags.
const FETCHED: u8 = 1;
const SEED: u8 = 2;

/// Returns the id of a new steering, which goes on from a state.
pub fn open(engine: i32, options: &[u8]) -> Result<Writer, Refusal> {
    let engine = registry::get(engine)?;
    let steering = engine.settings().score_policy;
    let ScorePolicy::Pages(share) = steering.policy else {
        return Err(Refusal::Policy(steering.to_string()));
    };
    let options = Frame::read(options).map_err(Refusal::frame("steering options"))?;
    let state = options.text(tag::STEERING_STATE).map_err(Refusal::frame("steering options"))?;
    let crawl = Crawl::new(share.get(), state.unwrap_or_default())?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::STEERING_ID, OPEN.add(crawl)? as u32);
    Ok(answer)
}

/// Adds rows to the sums of their hosts.
pub fn add(steering: i32, rows: &[u8]) -> Result<Writer, Refusal> {
    OPEN.with(steering, |crawl| each(rows, |row| crawl.add(row)))
}

/// Learns from the added rows, and begins a round.
pub fn begin(steering: i32, limits: &[u8]) -> Result<Writer, Refusal> {
    let limits = Frame::read(limits)
        .and_then(|frame| frame.u64(tag::ROUND_LIMITS))
        .map_err(Refusal::frame("limits of a round"))?
        .ok_or(Refusal::Missing("limits of the round"))?;
    let number = |bits: u64| usize::try_from(bits & u64::from(u32::MAX)).unwrap_or(usize::MAX);
    OPEN.with(steering, |crawl| {
        crawl.learn();
        crawl.begin(number(limits >> 32), number(limits));
        Ok(Writer::answer(Status::Ok, None))
    })
}

/// Considers rows for the round, in the order of their database. Returns the predictions of all but
/// new seeds.
pub fn consider(steering: i32, rows: &[u8]) -> Result<Writer, Refusal> {
    predictions(steering, rows, |crawl, row| crawl.consider(row))
}

/// Returns the rows of the round, and the state for its review.
pub fn choose(steering: i32) -> Result<Writer, Refusal> {
    OPEN.with(steering, |crawl| {
        let mut packed = Vec::new();
        for chosen in crawl.choose() {
            packed.extend((chosen.row as u32).to_be_bytes());
            packed.push(u8::from(chosen.probe));
            packed.extend((chosen.score as f32).to_be_bytes());
        }
        let mut answer = Writer::answer(Status::Ok, None);
        answer.bytes(tag::CHOSEN, &packed);
        answer.text(tag::STEERING_STATE, &crawl.state());
        Ok(answer)
    })
}

/// Returns the predictions of rows.
pub fn predict(steering: i32, rows: &[u8]) -> Result<Writer, Refusal> {
    predictions(steering, rows, |crawl, row| Some(crawl.predict(row)))
}

fn predictions(
    steering: i32,
    rows: &[u8],
    predict: impl Fn(&mut Crawl, &CrawlRow) -> Option<Prediction>,
) -> Result<Writer, Refusal> {
    OPEN.with(steering, |crawl| {
        let mut packed = Vec::new();
        let mut answer = each(rows, |row| {
            let Some(prediction) = predict(crawl, row) else { return };
            let Prediction { p, score, section, level } = prediction;
            packed.extend(row.id.to_be_bytes());
            packed.push(level as u8);
            for number in [section, p as f32, score as f32] {
                packed.extend(number.to_be_bytes());
            }
        })?;
        answer.bytes(tag::PREDICTIONS, &packed);
        Ok(answer)
    })
}

/// Returns the sums of the sections of a row's host.
pub fn sections(steering: i32, row: &[u8]) -> Result<Writer, Refusal> {
    OPEN.with(steering, |crawl| {
        let mut packed = Vec::new();
        let mut answer = each(row, |row| {
            for (name, counts, is_own) in crawl.sections(row) {
                packed.extend(counts.fetched.to_be_bytes());
                packed.extend(counts.kept.to_be_bytes());
                packed.push(u8::from(is_own));
                // A name has three directories at most, each of which is cut.
                packed.extend((name.len() as u16).to_be_bytes());
                packed.extend(name.bytes());
            }
        })?;
        answer.bytes(tag::SECTIONS, &packed);
        Ok(answer)
    })
}

/// Takes in the results of rows that were chosen in the last round. Returns the sums of all, and
/// the state for the next round.
pub fn review(steering: i32, rows: &[u8]) -> Result<Writer, Refusal> {
    OPEN.with(steering, |crawl| {
        let mut answer = each(rows, |row| crawl.review(row))?;
        let review = crawl.reviewed();
        let mut packed = Vec::new();
        packed.extend(review.new.to_be_bytes());
        packed.extend(review.found.to_be_bytes());
        for number in [review.cost, review.calibration.brier().unwrap_or(-1.0)] {
            packed.extend(number.to_be_bytes());
        }
        answer.bytes(tag::REVIEW, &packed);
        answer.text(tag::STEERING_STATE, &crawl.state());
        Ok(answer)
    })
}

/// Closes a steering if it is still open.
pub fn close(steering: i32) -> Result<Writer, Refusal> {
    OPEN.close(steering);
    Ok(Writer::answer(Status::Ok, None))
}

/// Calls a function with each row of a batch. A row is packed as u16 length and URL, u32 number,
/// u16 bytes of labels, u8 flags (1 fetched, 2 seed), u64 target bytes, 10 bytes of links, u8
/// level, f32 logit of the section, f32 probability.
fn each(rows: &[u8], mut run: impl FnMut(&CrawlRow)) -> Result<Writer, Refusal> {
    let mut rest = rows;
    while !rest.is_empty() {
        let row = read(&mut rest).ok_or(BadFrame::Cut).map_err(Refusal::frame("rows"))?;
        run(&row);
    }
    Ok(Writer::answer(Status::Ok, None))
}

fn read<'a>(rest: &mut &'a [u8]) -> Option<CrawlRow<'a>> {
    let length = u16::from_be_bytes(take(rest)?);
    let (url, after) = rest.split_at_checked(usize::from(length))?;
    *rest = after;
    // Keys are URLs, which are ASCII. A row with another key has no host and no sections.
    let url = std::str::from_utf8(url).unwrap_or_default();
    let id = u32::from_be_bytes(take(rest)?);
    let label_bytes = usize::from(u16::from_be_bytes(take(rest)?));
    let [flags] = take(rest)?;
    let bytes = u64::from_be_bytes(take(rest)?);
    let links = Evidence { links: take(rest)?, hreflang: take(rest)? };
    let level = match take(rest)? {
        [1] => Level::NewHost,
        [2] => Level::Known,
        _ => Level::None,
    };
    let number = |bytes: [u8; 4]| {
        let number = f32::from_be_bytes(bytes);
        if number.is_finite() {
            number
        } else {
            0.0
        }
    };
    let (section, p) = (number(take(rest)?), number(take(rest)?));
    let predicted = Prediction { p: f64::from(p), score: 0.0, section, level };
    let [fetched, seed] = [flags & FETCHED != 0, flags & SEED != 0];
    Some(CrawlRow { id, url, label_bytes, fetched, seed, bytes, links, predicted })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::calls::configure;

    fn id(answer: Writer, tag: u16) -> i32 {
        let answer = answer.finish();
        let id = Frame::read(&answer).unwrap().get(tag).unwrap().to_vec();
        i32::from_be_bytes(id.try_into().unwrap())
    }

    fn engine(policy: &str) -> i32 {
        let settings = format!(r#"{{"target":"urd","scorePolicy":"{policy}"}}"#);
        id(configure(settings.as_bytes()).unwrap(), tag::ENGINE_ID)
    }

    fn packed(number: u32, url: &str, bytes: Option<u64>) -> Vec<u8> {
        let mut row = (url.len() as u16).to_be_bytes().to_vec();
        row.extend(url.bytes());
        row.extend(number.to_be_bytes());
        row.extend([0, 0, u8::from(bytes.is_some())]);
        row.extend(bytes.unwrap_or(0).to_be_bytes());
        row.extend([0; 19]);
        row
    }

    fn opened(policy: &str, state: &str) -> Result<i32, Refusal> {
        let mut options = Writer::new();
        options.text(tag::STEERING_STATE, state);
        Ok(id(open(engine(policy), &options.finish())?, tag::STEERING_ID))
    }

    #[test]
    fn a_round_is_chosen_and_reviewed() {
        let steering = opened("pages:5", "").unwrap();
        let urls: Vec<String> = (0..6)
            .flat_map(|n| [format!("http://a.test/en/{n}"), format!("http://a.test/ur/{n}")])
            .collect();
        for (n, url) in (0..).zip(&urls).take(8) {
            let bytes = if n % 2 == 1 { 900 } else { 0 };
            add(steering, &packed(n, url, Some(bytes))).unwrap();
        }
        let mut limits = Writer::new();
        limits.u64(tag::ROUND_LIMITS, 8 << 32 | 2);
        begin(steering, &limits.finish()).unwrap();
        let rest: Vec<u8> =
            (0..).zip(&urls).skip(8).flat_map(|(n, url)| packed(n, url, None)).collect();
        let answer = consider(steering, &rest).unwrap().finish();
        let considered = Frame::read(&answer).unwrap().get(tag::PREDICTIONS).unwrap().len();
        assert_eq!(considered, 17 * rest.len() / packed(0, &urls[0], None).len());
        let answer = choose(steering).unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        let mut chosen: Vec<u8> =
            frame.get(tag::CHOSEN).unwrap().chunks(9).map(|chosen| chosen[3]).collect();
        chosen.sort_unstable();
        assert_eq!(chosen, [9, 11], "rows of /ur/");
        let state = frame.text(tag::STEERING_STATE).unwrap().unwrap().to_owned();
        let answer = predict(steering, &packed(9, &urls[9], None)).unwrap().finish();
        let prediction = Frame::read(&answer).unwrap().get(tag::PREDICTIONS).unwrap().to_vec();
        assert_eq!((prediction.len(), prediction[3], prediction[4]), (17, 9, Level::Known as u8));
        let answer = sections(steering, &packed(9, &urls[9], None)).unwrap().finish();
        let sums = Frame::read(&answer).unwrap().get(tag::SECTIONS).unwrap().to_vec();
        assert_eq!(sums[..11], [0, 0, 0, 8, 0, 0, 0, 4, 1, 0, 0], "the host");
        assert_eq!(&sums[11 + 11..11 + 15], b"/en/");
        close(steering).unwrap();

        let next = opened("pages", &state).unwrap();
        let mut row = packed(9, &urls[9], Some(900));
        let at = row.len() - 9;
        row[at..].copy_from_slice(&prediction[4..13]);
        let answer = review(next, &row).unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        let brier = &frame.get(tag::REVIEW).unwrap()[24..];
        assert!((0.0..0.25).contains(&f64::from_be_bytes(brier.try_into().unwrap())));
        assert_eq!(frame.text(tag::STEERING_STATE).unwrap(), Some(&*state), "no host was new");
        close(next).unwrap();
    }

    #[test]
    fn other_policies_damaged_states_and_rows_are_refused() {
        assert!(opened("mean", "")
            .unwrap_err()
            .to_string()
            .contains("is `mean`, allowed is pages"));
        assert!(opened("pages", "?").unwrap_err().to_string().contains("is damaged"));
        let steering = opened("pages", "").unwrap();
        let row = packed(1, "http://a.test/", None);
        for cut in 1..row.len() {
            assert!(add(steering, &row[..cut]).is_err(), "{cut}");
        }
        add(steering, &row).unwrap();
        assert!(begin(steering, &Writer::new().finish()).is_err());
        assert!(choose(steering).unwrap().finish().len() > 10, "no round was begun: no row");
        close(steering).unwrap();
        assert!(add(steering, &row).is_err());
    }
}
