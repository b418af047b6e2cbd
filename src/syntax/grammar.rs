//! `Grammar`: what is asked of the reader of a language.

use super::access::AccessBody;
use super::elements::{Attribution, Hole, Member, TypedVariables};
use super::items::{ItemKind, ItemList};
use super::keys;
use super::outline::{Outline, SegmentKind, Symbol};
use super::script_names::ScriptNames;
use super::statements::{Doubtful, Fall, Implied, Statement};
use super::syntax_error::SyntaxError;
#[cfg(test)]
use super::tree::TreeGrammar;
use super::wording::Wording;
use crate::text::Span;
use crate::text::indent::LineRole;
use crate::text::splice::Splices;

/// What a grammar lacks of its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarGaps {
    /// Forms that few files have. An error of one is where it is written, and what is beside it is read as it should be.
    Forms,
    /// Macros, settings and the like: what is beside them is misread, too.
    Macros,
}

/// Reads one language. Pure; no input makes it panic.
pub trait Grammar: Sync {
    /// Returns the segments of a file. A file with errors gives those that can still be found.
    fn outline(&self, source: &[u8]) -> Outline;

    /// Returns itself if it is one that tree-sitter reads, for what tests ask of all those.
    #[cfg(test)]
    fn of_tree(&self) -> Option<&TreeGrammar> {
        None
    }

    /// Returns the kinds that a segment of it may have, in the order of `SegmentKind::ALL`.
    fn kinds(&self) -> Vec<SegmentKind> {
        Vec::new()
    }

    /// Returns the feature that a build needs to read it, where this one leaves it out.
    fn left_out(&self) -> Option<&'static str> {
        None
    }

    /// Returns the segments of a file to a process that ends once it has reported them: what was made to find them is left to
    /// that end, which frees it all at once.
    fn parting_outline(&self, source: &[u8]) -> Outline {
        self.outline(source)
    }

    /// Returns the segments of a piece of code that would be inside a segment of kind `parent` (a method without
    /// its class), with spans into `fragment`.
    fn fragment_outline(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Outline;

    /// Returns the file's syntax errors in file order; empty when it parses.
    fn errors(&self, source: &[u8]) -> Vec<SyntaxError>;

    /// Says whether the segments are all there: nothing of the file was passed over to find them.
    fn parses(&self, source: &[u8]) -> bool {
        self.errors(source).is_empty()
    }

    /// Returns what it lacks of its language, if it finds errors in correct files.
    fn gaps(&self) -> Option<GrammarGaps> {
        None
    }

    /// Returns those errors of a file that no correct file has, though its language has gaps.
    fn certain_errors(&self, _source: &[u8]) -> Vec<SyntaxError> {
        Vec::new()
    }

    /// Says whether errors may be found in a correct file, so that one alone is no reason to refuse an edit.
    fn is_approximate(&self) -> bool {
        self.gaps().is_some()
    }

    /// Returns segments and errors together, which costs less than one after the other.
    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        (self.outline(source), self.errors(source))
    }

    /// Returns the segments of `new`, which `splices` made of `old`, a file without errors whose segments are `outline`, where
    /// that can be found from the touched definitions alone, and `new` has no errors either; `None` where all has to be read.
    fn reread(
        &self,
        old: &[u8],
        outline: &Outline,
        new: &[u8],
        splices: &Splices,
    ) -> Option<Outline> {
        let _ = (old, outline, new, splices);
        None
    }

    /// Returns the segments of a piece of code as `fragment_outline` does, and with them the role of each of its lines where
    /// one reading gives both.
    fn read_fragment(
        &self,
        fragment: &[u8],
        parent: Option<SegmentKind>,
    ) -> (Outline, Option<Vec<LineRole>>) {
        (self.fragment_outline(fragment, parent), None)
    }

    /// Returns the role of each line of `fragment` (one for each line that `Lines::of` counts).
    fn line_roles(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole>;

    /// Returns the spans of comments in file order, each without its line ending.
    fn comments(&self, source: &[u8]) -> Vec<Span>;

    /// Returns where the comments are of what is in a segment of kind `parent`, or of a file or a piece of one, in file order.
    fn comments_inside(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<Span> {
        self.comments(fragment)
    }

    /// Returns the statements of a file, or of whole lines of one that are in a segment of kind `parent`, in the order in
    /// which they begin; `None` where `source` does not parse by itself, and of a language that has none.
    fn statements(&self, source: &[u8], parent: Option<SegmentKind>) -> Option<Vec<Statement>> {
        let _ = (source, parent);
        None
    }

    /// Returns the range of what has to be first in a file, or in the body of a definition: directives, a docstring, a `package`
    /// clause, attributes and comments that speak of what is around them; `None` where nothing has to.
    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        let _ = (source, body);
        None
    }

    /// Returns the range of what has to be ahead of every definition of a file: what `lead` has, and imports where the language wants
    /// them there.
    fn preamble(&self, source: &[u8]) -> Option<Span> {
        self.lead(source, None)
    }

    /// Returns the elements of lists, the arguments of calls, parameters and their like, of a file, or of whole lines of one that are
    /// in a segment of kind `parent`, in the order in which they begin.
    fn elements(&self, source: &[u8], parent: Option<SegmentKind>) -> Vec<Span> {
        let _ = (source, parent);
        Vec::new()
    }

    /// Returns the parameters, bases or arguments of `symbol`, a definition of a file; `None` where it can have none, and of a language
    /// of which they are not read.
    fn items(&self, source: &[u8], symbol: &Symbol, kind: ItemKind) -> Option<ItemList> {
        let _ = (source, symbol, kind);
        None
    }

    /// Returns of each of `places`, words of a file, what it is a part of; `None` of a language in which that is not told.
    fn wordings(&self, source: &[u8], places: &[Span]) -> Option<Vec<Wording>> {
        let _ = (source, places);
        None
    }

    /// Returns where `symbol`, a definition of a file, says its name; `None` where it does not, and of a language of which that is not
    /// read.
    fn name_place(&self, source: &[u8], symbol: &Symbol) -> Option<Span> {
        let _ = (source, symbol);
        None
    }

    /// Says whether `script_names` knows the names of its files.
    fn has_script_names(&self) -> bool {
        false
    }

    /// Returns the names of a file and what its scopes say of each; `None` of one that does not parse, and of a language of which they
    /// are not read.
    fn script_names(&self, source: &[u8]) -> Option<ScriptNames> {
        let _ = source;
        None
    }

    /// Returns the commas before which an array has an element of nothing, in file order; none where a language has no such.
    fn holes(&self, source: &[u8]) -> Vec<Hole> {
        let _ = source;
        Vec::new()
    }

    /// Returns for each of these definitions of a file what it is made of, as far as losing that is worth a warning; nothing where a language has no such.
    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let _ = source;
        definitions.iter().map(|_| Vec::new()).collect()
    }

    /// Returns the attributes, annotations and decorators of a file, whatever they are for, in the order in which they begin; none where a
    /// language has none.
    fn attributions(&self, source: &[u8]) -> Vec<Attribution> {
        let _ = source;
        Vec::new()
    }

    /// Returns the statements that stand for something written elsewhere, in file order; none where a language has none.
    fn implied(&self, source: &[u8]) -> Vec<Implied> {
        let _ = source;
        Vec::new()
    }

    /// Returns the cases that fall through to the next, in the order in which they begin; none where a language has none.
    fn falls(&self, source: &[u8]) -> Vec<Fall> {
        let _ = source;
        Vec::new()
    }

    /// Returns the declarations of variables that a type with a name is defined in, in the order in which they begin; none where a language
    /// has no such.
    fn typed_variables(&self, source: &[u8]) -> Vec<TypedVariables> {
        let _ = source;
        Vec::new()
    }

    /// Returns what the headers of constructors have beside names, parameters and modifiers, its `:` included: `: base(x)`.
    fn initialisers(&self, source: &[u8]) -> Vec<Span> {
        let _ = source;
        Vec::new()
    }

    /// Returns what the body of a function is that begins at `offset`, where it is in braces and still an expression whose statements
    /// never run: `a lambda`.
    fn unrun_body(&self, source: &[u8], offset: usize) -> Option<&'static str> {
        let _ = (source, offset);
        None
    }

    /// Returns the classes whose members are to be used by whom a label above them says, in the order in which they begin; none where a
    /// language has no such labels.
    fn access(&self, source: &[u8]) -> Vec<AccessBody> {
        let _ = source;
        Vec::new()
    }

    /// Returns what a label of a case has in it: with none of them in what an edit takes and writes, no case comes or goes.
    fn label_words(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the statements that an older version of the language would have outside of their block, in file order; none where a
    /// language has no such versions, or the file shows that it is in the newer one.
    fn doubtful(&self, source: &[u8]) -> Vec<Doubtful> {
        let _ = source;
        Vec::new()
    }

    /// Returns for each of `pairs`, what was taken of the old file and what is in its place in the new one, whether that was one
    /// operand, and is parted by what is beside it.
    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        let _ = (old, new);
        vec![false; pairs.len()]
    }

    /// Says whether a statement may end with its line, without a `;`, unless what follows can be read as a part of it.
    fn ends_lines_freely(&self) -> bool {
        false
    }

    /// Returns where the last statement of a piece of code, which would be inside a segment of kind `parent`, lacks the
    /// `;` that it may end without.
    fn unterminated(&self, fragment: &[u8], parent: Option<SegmentKind>) -> Option<usize> {
        let _ = (fragment, parent);
        None
    }

    /// Returns the format of a configuration language, whose segments are keys.
    fn format(&self) -> Option<keys::KeyFormat> {
        None
    }
}
