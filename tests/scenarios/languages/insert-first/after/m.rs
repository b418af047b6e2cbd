//! doc

use a::b;

fn f() {}
