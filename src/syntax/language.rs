//! `Language`: what a language is called, how its files are named, its habits, and what reads it.

use super::{Grammar, Habits};

/// A language: how its files are recognized, its habits, and what reads it.
pub struct Language {
    /// As messages call it.
    pub name: &'static str,
    /// File-name endings after the last dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names (`BUILD`).
    pub file_names: &'static [&'static str],
    /// Programs that run its scripts, as a first line names them (`#!/usr/bin/env python3`), without their versions.
    pub interpreters: &'static [&'static str],
    /// What editors and `linguist` call it, in lower case, its words joined by `-`.
    pub called: &'static [&'static str],
    /// How its code is laid out by custom.
    pub habits: Habits,
    /// What reads it.
    pub grammar: &'static dyn Grammar,
}

impl Language {
    /// Says whether this build leaves it out: its files are known by name, and not read.
    pub fn is_left_out(&self) -> bool {
        self.grammar.left_out().is_some()
    }
}
