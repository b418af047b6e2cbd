//! The reader of `.segedit.yaml`: any bytes are read or refused, and nothing that is read lacks a command.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segedit::config;

fuzz_target!(|bytes: &[u8]| {
    match config::read(bytes) {
        Ok(configuration) => {
            let validators = configuration
                .validators
                .iter()
                .map(|validator| &validator.tool);
            let formatters = configuration
                .formatters
                .iter()
                .map(|formatter| &formatter.tool);
            for tool in validators.chain(formatters) {
                assert!(
                    !tool.command.is_empty() && !tool.name.is_empty(),
                    "{tool:?}"
                );
                let _ = tool.wants("src/a.py");
            }
        }
        Err(complaints) => assert!(!complaints.is_empty()),
    }
});
