//! `git segedit tools`: the tools that a language model is offered, as its interface wants them.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::call::Offer;
use super::{Common, Reply};
use crate::door::faces::{self, Face};
use crate::report::Rendered;

/// Print the tools that a language model is offered
///
/// As the Model Context Protocol lists them, or as Anthropic's and OpenAI's interfaces take them. `git segedit call` carries out
/// what a model calls.
#[derive(Args)]
#[command(
    override_usage = "git segedit tools [--format <interface>] [<options>]",
    after_long_help = "Example:\n   $ git segedit tools --format anthropic"
)]
pub(crate) struct Arguments {
    /// Which interface: mcp (the default), anthropic, openai (Chat Completions) or openai-responses
    // It takes the place of the option of every command, and so has its name.
    #[arg(
        id = "format",
        long = "format",
        value_name = "INTERFACE",
        default_value = "mcp"
    )]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    #[arg(value_parser = PossibleValuesParser::new(Face::WORDS.map(|(word, _)| word)))]
    face: String,
    #[command(flatten)]
    offer: Offer,
}

impl Arguments {
    /// Prints the tools, which are JSON in every format.
    pub(super) fn run(self, _common: &Common) -> Reply {
        let face = Face::from_word(&self.face).unwrap_or(Face::Mcp);
        let text = format!("{:#}\n", faces::tools(face, self.offer.rules()));
        Reply::done(Rendered {
            stdout: text.into_bytes(),
            stderr: String::new(),
        })
    }
}
