//! Structure: no batch loses or crosses a closing tag of a page, by whatever kind of operation, nor its document type; nor does
//! one of Markdown leave a fence or a comment open (`enclosures`), or an element that holds others (`halves`).
//!
//! What it holds. An element whose start tag stays keeps a closing tag if it had one; what an edit writes is closed by
//! what the edit writes; and `<html>`, `<head>`, `<body>` stand once, in this order, and keep their closing tags and the
//! document type, unless the page comes to extend a template, which has them. A closing tag that HTML lets one leave out may be
//! left out where the page does so: not of a `<li>` when the page closes every `<li>`, and never in the place of a `<li>` that was
//! closed. What was out of order before may stay so, but nothing may be added.
//!
//! How. Every tag that no splice touches is looked up where it then stands; then the whole page is built as a browser builds it
//! (`browser`). What goes on in an element without a closing tag stays in it (`implied`), and a description with its terms (`terms`).
//! Known limit: a start tag that stands open on
//! one way through a template's `{% if %}` is taken for meant.

mod browser;
mod compare;
mod enclosures;
mod halves;
mod implied;
mod lost;
mod page;
mod terms;
mod words;

pub use compare::check;
