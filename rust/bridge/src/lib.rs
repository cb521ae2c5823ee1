//! The JNI border: `libcorpulyzer.so`.
//!
//! Every method takes bytes and returns a frame; none throws. `robusta_jni` declares the methods
//! and is used only in this file (docs/adr/0001-jni-crate.md). `calls`, `archives` and
//! `corpora` implement the methods, `guard` runs them.
#![allow(unsafe_code)]

mod archives;
mod calls;
mod corpora;
mod guard;
mod languages;
mod refusal;
mod registry;
mod slots;
mod steering;

/// `org.corpulyzer.engine.Native`.
#[robusta_jni::bridge]
mod jni {
    use crate::archives;
    use crate::calls;
    use crate::corpora;
    use crate::guard::{guarded, Bytes};
    use crate::languages;
    use crate::steering as steerings;
    use robusta_jni::convert::Signature;

    #[derive(Signature)]
    #[package(org.corpulyzer.engine)]
    struct Native;

    impl Native {
        #[call_type(unchecked)]
        pub extern "jni" fn version() -> Bytes {
            guarded(calls::version)
        }

        #[call_type(unchecked)]
        pub extern "jni" fn languages(hasPacks: i32, names: Bytes) -> Bytes {
            guarded(|| languages::codes(hasPacks != 0, names.get("names")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn configure(settings: Bytes) -> Bytes {
            guarded(|| calls::configure(settings.get("settings")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn page(engine: i32, content: Bytes, hints: Bytes) -> Bytes {
            guarded(|| calls::page(engine, content.take("content")?, hints.get("hints")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn look(engine: i32, content: Bytes, hints: Bytes) -> Bytes {
            guarded(|| calls::look(engine, content.get("content")?, hints.get("hints")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn document(fields: Bytes) -> Bytes {
            guarded(|| calls::document(fields.get("fields")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn scores(engine: i32, totals: Bytes) -> Bytes {
            guarded(|| calls::scores(engine, totals.get("totals")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpus(engine: i32, options: Bytes) -> Bytes {
            guarded(|| corpora::open(engine, options.get("options")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpusAdd(corpus: i32, row: Bytes) -> Bytes {
            guarded(|| corpora::add(corpus, row.get("row")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpusAbsorb(corpus: i32, part: Bytes) -> Bytes {
            guarded(|| corpora::absorb(corpus, part.get("part")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpusParts(corpus: i32, options: Bytes) -> Bytes {
            guarded(|| corpora::parts(corpus, options.get("options")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpusReport(corpus: i32, options: Bytes) -> Bytes {
            guarded(|| corpora::report(corpus, options.get("options")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn corpusClose(corpus: i32) -> Bytes {
            guarded(|| corpora::close(corpus))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn archive(options: Bytes) -> Bytes {
            guarded(|| archives::open(options.get("options")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn archiveNext(archive: i32, piece: Bytes) -> Bytes {
            guarded(|| archives::next(archive, piece.get("piece")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn archiveClose(archive: i32) -> Bytes {
            guarded(|| archives::close(archive))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn mark(fields: Bytes) -> Bytes {
            guarded(|| archives::mark(fields.get("fields")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steering(engine: i32, options: Bytes) -> Bytes {
            guarded(|| steerings::open(engine, options.get("options")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringAdd(steering: i32, rows: Bytes) -> Bytes {
            guarded(|| steerings::add(steering, rows.get("rows")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringBegin(steering: i32, limits: Bytes) -> Bytes {
            guarded(|| steerings::begin(steering, limits.get("limits")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringConsider(steering: i32, rows: Bytes) -> Bytes {
            guarded(|| steerings::consider(steering, rows.get("rows")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringChoose(steering: i32) -> Bytes {
            guarded(|| steerings::choose(steering))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringPredict(steering: i32, rows: Bytes) -> Bytes {
            guarded(|| steerings::predict(steering, rows.get("rows")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringSections(steering: i32, row: Bytes) -> Bytes {
            guarded(|| steerings::sections(steering, row.get("row")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringReview(steering: i32, rows: Bytes) -> Bytes {
            guarded(|| steerings::review(steering, rows.get("rows")?))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn steeringClose(steering: i32) -> Bytes {
            guarded(|| steerings::close(steering))
        }

        #[call_type(unchecked)]
        pub extern "jni" fn probe(what: Bytes) -> Bytes {
            guarded(|| calls::probe(what.get("what")?))
        }
    }
}
