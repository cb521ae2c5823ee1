//! The features of a block. Their order is that of the forests in `model.bin`. `training/train.py`
//! reads the names from `examples/features.rs`.

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
    /// counts as several letters. "Plain" text is text outside of links. "Logarithm" is about the
    /// natural logarithm of the value plus one. Shares are from 0 to 1. "Alike" blocks are in
    /// elements that a template repeats. The "best container" is the element with Readability's
    /// highest score.
    Feature {
        /// Logarithm of the letters.
        Letters,
        /// Share of the text in links.
        Links,
        /// Kind of the last character: 0 other, 1 mark within a sentence, 2 end of a sentence.
        Last,
        /// Ends of sentences per 100 letters.
        Ends,
        /// Marks within sentences, such as commas, per 100 letters.
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
        /// Overlap of the block's words with the title, from 0 to 1.
        TitleOverlap,
        /// 1 if a block before this one has the same text.
        IsCopy,
        /// Number of blocks before this one, as a share of the page's blocks.
        Place,
        /// Share of the page's letters before the block.
        LettersBefore,
        /// Share of the page's plain letters before the block.
        PlainBefore,
        /// Number of blocks before this one.
        BlocksBefore,
        /// Number of blocks from this one to the end, this one included.
        BlocksAfter,
        /// Distance from the block with the title, from -50 to 50 blocks; -1 without a title.
        FromTitle,
        /// 1 if a block of the page has the title.
        HasTitle,
        /// Logarithm of the plain letters since the title; -1 without a title.
        PlainFromTitle,
        /// Distance from the block with most plain text, from -50 to 50 blocks.
        FromLargest,
        /// Logarithm of the page's letters.
        PageLetters,
        /// Share of the page's text in links.
        PageLinks,
        /// Logarithm of the page's blocks.
        PageBlocks,
        /// Share of the page's letters in the block.
        ShareOfPage,
        /// Ends of sentences and pauses (commas and similar marks) per block of the page.
        PageEnds,
        /// 1 inside `<nav>` or a similar element. The features up to `InPromotion` are also 0 or 1.
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
        /// Lowest mark of the element and its ancestors.
        PathLow,
        /// Highest mark of the element and its ancestors.
        PathHigh,
        /// Sum of the marks of the element and its ancestors.
        PathSum,
        /// Marks of the element.
        OwnMarks,
        /// Marks of the element's parent.
        ParentMarks,
        /// 1 in a paragraph.
        IsParagraph,
        /// Depth of the element.
        Depth,
        /// Logarithm of the letters in the element itself.
        OwnLetters,
        /// Share of the element's own letters in links.
        OwnLinks,
        /// Blocks in the element itself.
        OwnBlocks,
        /// Logarithm of the letters in the parent.
        ParentLetters,
        /// Share of the parent's letters in links.
        ParentLinks,
        /// Letters per block of the parent.
        ParentBlockLength,
        /// Share of the page's letters in the parent.
        ParentShare,
        /// Logarithm of the letters in the parent's parent.
        GrandLetters,
        /// Share of these letters in links.
        GrandLinks,
        /// Letters per block of the parent's parent.
        GrandBlockLength,
        /// Share of the page's letters in the parent's parent.
        GrandShare,
        /// Logarithm of the letters in alike blocks.
        AlikeLetters,
        /// Share of these letters in links.
        AlikeLinks,
        /// Logarithm of the letters per alike block.
        AlikeBlockLength,
        /// Share of the page's letters in alike blocks.
        AlikeShare,
        /// Ends of sentences and pauses per alike block.
        AlikeEnds,
        /// Levels from the best container up to the nearest element that also contains the block.
        BestUp,
        /// Levels from that element down to the block.
        BestDown,
        /// Readability's score of the parent, divided by that of the best container.
        ParentScore,
        /// Share of the page's letters in the best container.
        BestShare,
        /// Readability's score of the parent's parent, divided by that of the best container.
        GrandScore,
        /// Logarithm of the letters of the block two before this one.
        SecondBeforeLetters,
        /// Share of these letters in links.
        SecondBeforeLinks,
        /// Logarithm of the letters of the previous block.
        BeforeLetters,
        /// Share of these letters in links.
        BeforeLinks,
        /// Logarithm of the letters of the next block.
        AfterLetters,
        /// Share of these letters in links.
        AfterLinks,
        /// Logarithm of the letters of the block two after this one.
        SecondAfterLetters,
        /// Share of these letters in links.
        SecondAfterLinks,
        /// Logarithm of the plain letters of the five blocks before.
        WindowBefore,
        /// Logarithm of the plain letters of the five blocks after.
        WindowAfter,
        /// Number of short blocks in a row up to this one.
        ShortRun,
        /// Share of Latin letters in the block, minus their share in the page.
        LatinOverPage,
        /// Share of the page's letters in `<main>`.
        PageMain,
        /// Share of the page's letters in articles.
        PageArticle,
        /// Share of the page's letters in navigation, headers, footers and asides.
        PageFramed,
        /// Share of the page's letters in lists.
        PageListed,
        /// Plain letters of long blocks, as a share of the page's letters.
        PageProse,
        /// Digits per letter of the page.
        PageDigits,
        /// Headings per block of the page.
        PageHeadings,
        /// Letters per block of the best container.
        BestBlockLength,
        /// Share of the page's letters in the largest group of alike blocks.
        PageAlike,
        /// Share of the page's blocks in the best container.
        BestBlocks,
        /// Logarithm of the letters in the element's third ancestor.
        GreatLetters,
        /// Share of these letters in links.
        GreatLinks,
        /// Letters per block of the third ancestor.
        GreatBlockLength,
        /// Share of the page's letters in the third ancestor.
        GreatShare,
        /// Blocks since the last heading, at most 99.
        SinceHeading,
        /// Blocks to the next heading, at most 99.
        ToHeading,
        /// Logarithm of the plain letters since the last heading.
        PlainSinceHeading,
        /// Distance from the first `<h1>`, from -50 to 50 blocks; -99 without an `<h1>`.
        FromH1,
        /// Logarithm of the plain letters since the first `<h1>`; -1 without an `<h1>`.
        PlainFromH1,
        /// Overlap of the first `<h1>` with the title, from 0 to 1; -1 without an `<h1>`.
        H1TitleOverlap,
        /// Logarithm of the number of alike blocks.
        AlikeBlocks,
        /// Share of alike blocks among the blocks from the first of them to the last.
        AlikeDensity,
        /// Blocks from the first alike block to the last, as a share of the page's blocks.
        AlikeSpan,
        /// Share of the page's letters in elements with the signature of the block's element.
        ClassShare,
        /// Logarithm of the number of blocks with the same text.
        Copies,
        /// Marks of the parent's parent.
        GrandMarks,
        /// 1 if the block is a date line: a short line with a date or a time.
        IsDateLine,
        /// Blocks since the last date line, at most 99.
        SinceDateLine,
        /// Blocks to the next date line, at most 99.
        ToDateLine,
        /// Logarithm of the number of date lines before the block.
        DateLinesBefore,
        /// Logarithm of the number of date lines on the page.
        PageDateLines,
        /// Logarithm of the number of date lines in the parent.
        ParentDateLines,
        /// Logarithm of the number of date lines in the parent's parent.
        GrandDateLines,
        /// Logarithm of the number of date lines in the element's third ancestor.
        GreatDateLines,
        /// 1 if the page states that it belongs to a forum.
        PageForum,
    }
}

features! {
    /// Further features for the second forest, from the probabilities that the first forest gives
    /// to the page's blocks. The "kept" letters of a block are its letters times its probability.
    ContextFeature {
        /// Probability that the block is main content.
        Probable,
        /// Probability of the previous block; 0 if there is none, as for the next features.
        Before,
        /// Probability of the next block.
        After,
        /// Probability of the block two before this one.
        SecondBefore,
        /// Probability of the block two after this one.
        SecondAfter,
        /// Probability of the block three before this one.
        ThirdBefore,
        /// Probability of the block three after this one.
        ThirdAfter,
        /// Kept share of the other letters in the element itself.
        OwnKept,
        /// Kept share of the other letters in the parent.
        ParentKept,
        /// Kept share of the other letters in the parent's parent.
        GrandKept,
        /// Kept share of the other letters in the third ancestor.
        GreatKept,
        /// Kept share of the other letters in alike blocks.
        AlikeKept,
        /// Kept share of the page's letters.
        PageKept,
        /// Logarithm of the page's kept letters.
        PageKeptLetters,
        /// Share of the page's kept letters before the block.
        KeptBefore,
        /// Distance from the first block with a probability over 0.5, from -20 to 20 blocks; -1 if
        /// there is none.
        FromFirst,
        /// Distance from the last block with a probability over 0.5, from -20 to 20 blocks; -1 if
        /// there is none.
        FromLast,
        /// Running mean of the probabilities before the block; nearer text has more weight.
        RunningBefore,
        /// Running mean of the probabilities after the block; nearer text has more weight.
        RunningAfter,
        /// Kept share of the other letters in elements with the signature of the block's element.
        ClassKept,
        /// Share of the page's kept letters in the element.
        OwnOfKept,
        /// Share of the page's kept letters in the parent.
        ParentOfKept,
        /// Share of the page's kept letters in the parent's parent.
        GrandOfKept,
        /// The highest probability on the page.
        Top,
        /// Share of the page's letters in blocks with a probability from 0.15 to 0.85.
        Doubtful,
        /// Share of the page's letters in blocks with a probability of at least 0.85.
        Certain,
        /// Sum of the probabilities of the ten blocks before, divided by ten.
        WindowBefore,
        /// Sum of the probabilities of the ten blocks after, divided by ten.
        WindowAfter,
        /// Sum of the probabilities before the block, as a share of the page's sum.
        SumBefore,
        /// Share of the page's kept letters in alike blocks.
        AlikeOfKept,
    }
}

features! {
    /// Further features for the forest of posts, from the probabilities that the second forest
    /// gives to the blocks of a forum's page. An element's group is the elements with the same tag
    /// and class on three levels, at any depth: replies to replies are deeper than the first post.
    PostFeature {
        /// Kept share of the letters in the other elements of the group.
        GroupKept,
        /// Logarithm of the number of blocks in elements of the group.
        GroupBlocks,
        /// Share of the other blocks in these elements with a probability over 0.5.
        GroupKeptBlocks,
        /// The highest probability of these blocks.
        GroupTop,
        /// Standard deviation of the logarithms of their letters.
        GroupDeviation,
        /// Share of the page's kept letters in elements of the group.
        GroupOfKept,
        /// Kept share of the letters in the other elements of the parent's group.
        ParentGroupKept,
        /// Logarithm of the number of elements in the parent's group.
        ParentGroupElements,
        /// Share of the page's kept letters in elements of the parent's group.
        ParentGroupOfKept,
        /// Kept share of the letters in the other elements of the group of the parent's parent.
        GrandGroupKept,
        /// Logarithm of the number of elements in this group.
        GrandGroupElements,
        /// Kept share of the letters in the other elements of the group of the third ancestor.
        GreatGroupKept,
        /// Logarithm of the number of elements in this group.
        GreatGroupElements,
    }
}

/// Number of features of a block for the first forest.
pub const FEATURES: usize = Feature::ALL.len();

/// Number of features that only the second forest has.
pub const CONTEXT: usize = ContextFeature::ALL.len();

/// Number of features that only the forest of posts has.
pub const POSTS: usize = PostFeature::ALL.len();

/// The kinds of elements that a block may be in, and the feature of each kind.
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
    use super::{ContextFeature, Feature, CONTEXT, FEATURES, POSTS};

    #[test]
    fn forests_ask_for_as_many_features_as_they_were_trained_with() {
        assert_eq!((FEATURES, CONTEXT, POSTS), (126, 30, 13));
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
