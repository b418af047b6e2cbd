//! The folders under `tests/scenarios/`, for every destination and in every sort of repository.

use crate::support::scenarios::{Extent, Profile, every_scenario_holds_as};

#[test]
fn every_scenario_holds_for_every_destination() {
    every_scenario_holds_as(Profile::Plain, Extent::Everywhere);
}

#[test]
fn every_scenario_holds_in_a_linked_worktree() {
    every_scenario_holds_as(Profile::Linked, Extent::OneWay);
}

#[test]
fn every_scenario_holds_in_a_sparse_checkout() {
    every_scenario_holds_as(Profile::Sparse, Extent::OneWay);
}

#[test]
fn every_scenario_holds_where_lines_end_in_crlf() {
    every_scenario_holds_as(Profile::Crlf, Extent::OneWay);
}

#[test]
fn every_scenario_holds_in_a_packed_repository() {
    every_scenario_holds_as(Profile::Packed, Extent::OneWay);
}

#[test]
fn every_scenario_holds_with_sha_256() {
    every_scenario_holds_as(Profile::Sha256, Extent::OneWay);
}
