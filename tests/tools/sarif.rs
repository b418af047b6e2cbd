//! Reports as SARIF, held to the schema that OASIS published.

use serde_json::Value;

use crate::support::ruled::{CODE, ruled, trusted, with};
use crate::support::{Run, tools};

#[test]
fn what_is_written_as_sarif_is_sarif() {
    if !tools::has("sarif-2.1.0.json") {
        return;
    }
    let schema = std::fs::read(tools::folder().join("sarif-2.1.0.json")).unwrap();
    let mut schema: Value = serde_json::from_slice(&schema).unwrap();
    // As published, this one pattern is no regular expression: a bracket is left over.
    for definition in ["run", "toolComponent"] {
        schema["definitions"][definition]["properties"]["language"]
            .as_object_mut()
            .unwrap()
            .remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let check = |run: Run, results: usize| {
        let log: Value =
            serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}\n{run}"));
        let faults: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| error.to_string())
            .collect();
        assert!(faults.is_empty(), "{faults:#?}\n{run}");
        assert_eq!(
            log["runs"][0]["results"].as_array().unwrap().len(),
            results,
            "{run}"
        );
    };
    let sandbox = ruled();
    let edit = |body: &str| {
        trusted(
            &sandbox,
            &[
                "replace",
                "a.py::f",
                "--part",
                "body",
                "--content",
                body,
                "--format",
                "sarif",
            ],
        )
    };
    check(edit("return 'BAD'"), 2);
    check(edit("return 1 +"), 1);
    check(edit("return 2"), 1);
    check(
        trusted(&sandbox, &["delete", "a.py::nothing", "--format", "sarif"]),
        1,
    );
    check(trusted(&sandbox, &["replace", "--format", "sarif"]), 1);
    let exit = with(
        "version: 1\nvalidators: [{name: \"x y\", gate: all, command: [\"false\"]}]\n",
        &[("ä b.py", CODE)],
    );
    check(
        trusted(
            &exit,
            &[
                "replace",
                "ä b.py::f",
                "--part",
                "body",
                "--content",
                "return 2",
                "--format",
                "sarif",
            ],
        ),
        1,
    );
}
