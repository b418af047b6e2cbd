//! The folders under `tests/scenarios/`, each in its own destination and as a commit.

use crate::support::scenarios::{Extent, Profile, every_scenario_holds_as};

#[test]
fn every_scenario_holds() {
    every_scenario_holds_as(Profile::Plain, Extent::OneWay);
}
