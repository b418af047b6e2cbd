//! `Plan`: all splices and whole-file changes of a batch, in memory.
