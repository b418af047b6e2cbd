//! The part of a SARIF log that is read, as its schema names it. Only `runs` has to be there.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A whole log.
#[derive(Deserialize)]
pub(super) struct SarifLog {
    pub runs: Vec<SarifRun>,
}

/// One run of one tool.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRun {
    pub tool: Option<SarifTool>,
    pub results: Option<Vec<SarifResult>>,
    pub original_uri_base_ids: Option<BTreeMap<String, Location>>,
    pub artifacts: Option<Vec<Artifact>>,
}

/// What ran.
#[derive(Deserialize)]
pub(super) struct SarifTool {
    pub driver: Option<Driver>,
}

/// Its main part, the only one read.
#[derive(Deserialize)]
pub(super) struct Driver {
    pub rules: Option<Vec<Rule>>,
}

/// A `reportingDescriptor`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: Option<String>,
    pub default_configuration: Option<RuleConfiguration>,
    pub message_strings: Option<BTreeMap<String, SarifMessage>>,
}

/// A `reportingConfiguration`.
#[derive(Deserialize)]
pub(super) struct RuleConfiguration {
    pub level: Option<String>,
}

/// A file that results point to by its index.
#[derive(Deserialize)]
pub(super) struct Artifact {
    pub location: Option<Location>,
}

/// A `result`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub rule_id: Option<String>,
    pub rule_index: Option<i64>,
    pub rule: Option<RuleReference>,
    pub level: Option<String>,
    pub kind: Option<String>,
    pub message: Option<SarifMessage>,
    pub locations: Option<Vec<SarifLocation>>,
    pub suppressions: Option<Vec<Suppression>>,
    pub baseline_state: Option<String>,
}

/// A `reportingDescriptorReference`.
#[derive(Deserialize)]
pub(super) struct RuleReference {
    pub id: Option<String>,
    pub index: Option<i64>,
}

/// Words, or where they stand.
#[derive(Deserialize)]
pub(super) struct SarifMessage {
    pub text: Option<String>,
    pub markdown: Option<String>,
    pub id: Option<String>,
    pub arguments: Option<Vec<String>>,
}

/// Why a result does not count.
#[derive(Deserialize)]
pub(super) struct Suppression {
    pub status: Option<String>,
}

/// A `location`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation {
    pub physical_location: Option<PhysicalLocation>,
}

/// A file and a region of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: Option<Location>,
    pub region: Option<SarifRegion>,
}

/// An `artifactLocation`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub uri: Option<String>,
    pub uri_base_id: Option<String>,
    pub index: Option<i64>,
}

/// Where in a file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRegion {
    pub start_line: Option<i64>,
    pub start_column: Option<i64>,
}
