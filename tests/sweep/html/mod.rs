//! Pages that others wrote beside other readers, and the names of characters as Python has them.

mod browser;
mod pages;
mod references;
