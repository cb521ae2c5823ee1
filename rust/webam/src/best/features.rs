//! The features of a block: their order is that of the forests in `model.bin`.
//! `training/train.py` reads the names from `examples/features.rs`.

use crate::marks::{self, Kinds};

/// Declares features, numbered from 0 in their order.
macro_rules! features {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $feature:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$doc])* $feature,)*
        }

        impl $name {
            /// All features, in order.
            pub const ALL: &'static [Self] = &[$(Self::$feature,)*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$feature => stringify!($feature),)*
                }
            }
        }
    };
}

features! {
    /// Features of a block for both forests. Letters are weighted by script: a Chinese character
    /// counts as several letters. "Plain" text is text outside of links. "Logarithm" is the natural
    /// logarithm of the value plus one. Shares are from 0 to 1.
    Feature {
        /// Logarithm of the letters.
        Letters,
        /// Share of the text in links.
        Links,
        /// Kind of the last character.
        Last,
        /// Ends of sentences per 100 letters.
        Ends,
        /// Commas and the like per 100 letters.
        Pauses,
        /// Digits per letter.
        Digits,
        /// Capitals per letter.
        Capitals,
        /// Other signs per letter.
        Signs,
        /// Letters per word.
        WordLength,
        /// 1 in a heading.
        IsHeading,
        /// How much of the block is in the title.
        TitleOverlap,
        /// 1 if a block before this one has the same text.
        IsCopy,
        /// Place among the blocks, as a share.
        Place,
        /// Share of the page's letters before the block.
        LettersBefore,
        /// Share of the page's plain letters before the block.
        PlainBefore,
        /// Blocks before.
        BlocksBefore,
        /// Blocks from this one to the end.
        BlocksAfter,
        /// Blocks since the one with the title.
        FromTitle,
        /// 1 if a block has the title.
        HasTitle,
        /// Logarithm of the plain letters since the title.
        PlainFromTitle,
        /// Blocks since the one with most plain text.
        FromLargest,
        /// Logarithm of the page's letters.
        PageLetters,
        /// Share of the page's text in links.
        PageLinks,
        /// Logarithm of the page's blocks.
        PageBlocks,
        /// Share of the page's letters in the block.
        ShareOfPage,
        /// Ends of sentences per block of the page.
        PageEnds,
        /// 1 inside `<nav>` and the like; so are the next ones, see `AROUND`.
        InNav,
        /// Inside an aside.
        InAside,
        /// Inside a header.
        InHeader,
        /// Inside a footer.
        InFooter,
        /// Inside an article.
        InArticle,
        /// Inside the main element.
        InMain,
        /// Inside a section.
        InSection,
        /// Inside a figure.
        InFigure,
        /// Inside a dialog.
        InDialog,
        /// Inside a form.
        InForm,
        /// Inside a list.
        InList,
        /// Inside a cell of a table.
        InCell,
        /// Inside a quotation.
        InQuote,
        /// Inside preformatted text.
        InPre,
        /// Inside a button.
        InButton,
        /// Inside a heading.
        InHeading,
        /// Inside an element named as body text.
        InBodyText,
        /// Inside a hidden element.
        InHidden,
        /// Inside a comment.
        InComment,
        /// Inside related links.
        InRelated,
        /// Inside links for sharing.
        InShare,
        /// Inside a notice that asks for consent.
        InConsent,
        /// Inside a caption.
        InCaption,
        /// Inside a byline.
        InByline,
        /// Inside a promotion.
        InPromotion,
        /// Lowest mark of the elements around.
        PathLow,
        /// Highest mark of the elements around.
        PathHigh,
        /// Sum of the marks of the elements around.
        PathSum,
        /// Marks of the element.
        OwnMarks,
        /// Marks of its parent.
        ParentMarks,
        /// 1 in a paragraph.
        IsParagraph,
        /// Depth of the element.
        Depth,
        /// Logarithm of the letters in the element itself.
        OwnLetters,
        /// Share of these in links.
        OwnLinks,
        /// Blocks in the element itself.
        OwnBlocks,
        /// Logarithm of the letters in the parent.
        ParentLetters,
        /// Share of these in links.
        ParentLinks,
        /// Letters per block of the parent.
        ParentBlockLength,
        /// Share of the page's letters in the parent.
        ParentShare,
        /// The same four of the parent's parent.
        GrandLetters,
        /// Share of these in links.
        GrandLinks,
        /// Letters per block.
        GrandBlockLength,
        /// Share of the page's letters.
        GrandShare,
        /// Logarithm of the letters of blocks that the template makes alike.
        AlikeLetters,
        /// Share of these in links.
        AlikeLinks,
        /// Logarithm of the letters per block of these.
        AlikeBlockLength,
        /// Share of the page's letters in these.
        AlikeShare,
        /// Ends of sentences per block of these.
        AlikeEnds,
        /// Levels from the best container up to where both meet.
        BestUp,
        /// Levels from there down to the block.
        BestDown,
        /// Score of the parent by that of the best container.
        ParentScore,
        /// Share of the page's letters in the best container.
        BestShare,
        /// Score of the parent's parent by that of the best container.
        GrandScore,
        /// Logarithm of the letters two blocks before.
        SecondBeforeLetters,
        /// Share of these in links.
        SecondBeforeLinks,
        /// Of the block before.
        BeforeLetters,
        /// Share of these in links.
        BeforeLinks,
        /// Of the block after.
        AfterLetters,
        /// Share of these in links.
        AfterLinks,
        /// Two blocks after.
        SecondAfterLetters,
        /// Share of these in links.
        SecondAfterLinks,
        /// Logarithm of the plain letters of five blocks before.
        WindowBefore,
        /// Logarithm of the plain letters of five blocks after.
        WindowAfter,
        /// Short blocks in a row up to this one.
        ShortRun,
        /// Share of Latin letters, less that of the page.
        LatinOverPage,
        /// Share of the page's letters in `<main>`.
        PageMain,
        /// Share in articles.
        PageArticle,
        /// Share in what frames a page.
        PageFramed,
        /// Share in lists.
        PageListed,
        /// Plain letters of long blocks, as a share.
        PageProse,
        /// Digits per letter of the page.
        PageDigits,
        /// Headings per block of the page.
        PageHeadings,
        /// Letters per block of the best container.
        BestBlockLength,
        /// Share of the page's letters that are alike, the most.
        PageAlike,
        /// Share of the page's blocks in the best container.
        BestBlocks,
        /// Logarithm of the letters in the third element up.
        GreatLetters,
        /// Share of these in links.
        GreatLinks,
        /// Letters per block.
        GreatBlockLength,
        /// Share of the page's letters.
        GreatShare,
        /// Blocks since the last heading.
        SinceHeading,
        /// Blocks to the next heading.
        ToHeading,
        /// Logarithm of the plain letters since the last heading.
        PlainSinceHeading,
        /// Blocks since the first heading of the first rank.
        FromH1,
        /// Logarithm of the plain letters since that.
        PlainFromH1,
        /// How much of that heading is in the title.
        H1TitleOverlap,
        /// Logarithm of the blocks that are alike.
        AlikeBlocks,
        /// Share of these among the blocks between the first and the last of them.
        AlikeDensity,
        /// These blocks between, as a share of the page's.
        AlikeSpan,
        /// Share of the page's letters in elements of one signature.
        ClassShare,
        /// Logarithm of the blocks of the same text.
        Copies,
        /// Marks of the parent's parent.
        GrandMarks,
    }
}

features! {
    /// Further features for the second forest: the scores of the first forest for the block and for
    /// the blocks near it.
    ContextFeature {
        /// How probable it is that the block is main content.
        Probable,
        /// The same of the block before.
        Before,
        /// Of the block after.
        After,
        /// Two blocks before.
        SecondBefore,
        /// Two blocks after.
        SecondAfter,
        /// Three blocks before.
        ThirdBefore,
        /// Three blocks after.
        ThirdAfter,
        /// Share of the other text in the element that is kept.
        OwnKept,
        /// In its parent.
        ParentKept,
        /// In the parent's parent.
        GrandKept,
        /// In the third element up.
        GreatKept,
        /// Among blocks that the template makes alike.
        AlikeKept,
        /// On the page.
        PageKept,
        /// Logarithm of the letters that are kept on the page.
        PageKeptLetters,
        /// Share of these before the block.
        KeptBefore,
        /// Blocks since the first that is kept.
        FromFirst,
        /// Blocks since the last that is kept.
        FromLast,
        /// Mean before the block, nearer text weighing more.
        RunningBefore,
        /// Mean after the block, nearer text weighing more.
        RunningAfter,
        /// Share that is kept in elements of the same signature.
        ClassKept,
        /// Share of the kept letters that are in the element.
        OwnOfKept,
        /// In the parent.
        ParentOfKept,
        /// In the parent's parent.
        GrandOfKept,
        /// The highest probability on the page.
        Top,
        /// Share of the page that is doubtful.
        Doubtful,
        /// Share of the page that is certain.
        Certain,
        /// Mean of ten blocks before.
        WindowBefore,
        /// Mean of ten blocks after.
        WindowAfter,
        /// Probability before the block, as a share.
        SumBefore,
        /// Share of the kept letters that are alike.
        AlikeOfKept,
    }
}

/// How many features a block has.
pub const FEATURES: usize = Feature::ALL.len();

/// How many features the second forest has beside the first one's.
pub const CONTEXT: usize = ContextFeature::ALL.len();

/// The kinds of elements that a block may be in, each one a feature.
pub(crate) const AROUND: [(Feature, Kinds); 25] = [
    (Feature::InNav, marks::NAV),
    (Feature::InAside, marks::ASIDE),
    (Feature::InHeader, marks::HEADER),
    (Feature::InFooter, marks::FOOTER),
    (Feature::InArticle, marks::ARTICLE),
    (Feature::InMain, marks::MAIN),
    (Feature::InSection, marks::SECTION),
    (Feature::InFigure, marks::FIGURE),
    (Feature::InDialog, marks::DIALOG),
    (Feature::InForm, marks::FORM),
    (Feature::InList, marks::LIST),
    (Feature::InCell, marks::CELL),
    (Feature::InQuote, marks::QUOTE),
    (Feature::InPre, marks::PRE),
    (Feature::InButton, marks::BUTTON),
    (Feature::InHeading, marks::HEADING),
    (Feature::InBodyText, marks::BODY_TEXT),
    (Feature::InHidden, marks::HIDDEN),
    (Feature::InComment, marks::COMMENT),
    (Feature::InRelated, marks::RELATED),
    (Feature::InShare, marks::SHARE),
    (Feature::InConsent, marks::CONSENT),
    (Feature::InCaption, marks::CAPTION),
    (Feature::InByline, marks::BYLINE),
    (Feature::InPromotion, marks::PROMOTION),
];

#[cfg(test)]
mod tests {
    use super::{ContextFeature, Feature, CONTEXT, FEATURES};

    #[test]
    fn forests_ask_for_as_many_features_as_they_were_trained_with() {
        assert_eq!((FEATURES, CONTEXT), (117, 30));
        assert_eq!(
            (Feature::ShareOfPage as u8, Feature::InNav as u8, Feature::GrandMarks as u8),
            (24, 26, 116)
        );
        assert_eq!(
            (Feature::InPromotion.name(), ContextFeature::AlikeOfKept as u8),
            ("InPromotion", 29)
        );
    }
}
