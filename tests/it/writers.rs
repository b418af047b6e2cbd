//! Many writers on one branch, one round.

use std::time::Instant;

use crate::support::writers::*;

#[test]
fn all_land_on_a_checked_out_branch_and_what_is_added_stays() {
    let crowd = Crowd::new(false, 1);
    let start = Instant::now();
    half_staged(&crowd.sandbox);
    let loops = vec![
        crowd.beside(20, pack_refs),
        crowd.beside(200, collect_garbage),
        crowd.beside(0, add),
    ];
    let batches = wait(&crowd, &crowd.start(), loops);
    all_is_well(&crowd, &batches, start);
    all_is_staged(&crowd);
}
