//! Batches of one to three operations on made-up files, laid out in many ways, judged by what other readers say of them.

use std::collections::BTreeMap;

use segedit::diagnostic::Code;

use segedit::manifest::{
    AllowRemove, CheckMode, Destination, KeySelector, Manifest, ManifestText, Operation, Position,
    ResolveOrder, Scoped, Selector, Verb,
};
use segedit::path::RepoPath;
use segedit::plan;
use segedit::snapshot::{Base, File, FileMode, HashKind, Id, Snapshot, SnapshotEntry};
use segedit::verify;

use crate::support::python;

/// Files of each language. `SEGEDIT_KEYS_RANDOM` says otherwise.
const FILES: u64 = 600;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Toml,
    Yaml,
}

/// A made-up value. Containers say whether they are written in brackets.
#[derive(Clone)]
enum Value {
    Word(&'static str),
    Text,
    Map(Vec<(String, Value)>, bool),
    List(Vec<Value>, bool),
}

/// What an operation may be of: the way there, and what holds it.
#[derive(Clone)]
struct Spot {
    way: Vec<serde_json::Value>,
    value: Value,
    holder: Value,
}

#[derive(serde::Serialize)]
struct Asked {
    op: &'static str,
    way: Vec<serde_json::Value>,
    position: Option<&'static str>,
    content: String,
    /// The content begins with the entry's key.
    keyed: bool,
    /// The content is written as between brackets.
    flow: bool,
    list: bool,
}

#[derive(serde::Serialize)]
struct Row {
    format: &'static str,
    before: String,
    after: String,
    ops: Vec<Asked>,
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

#[test]
fn batches_on_made_up_files_do_what_other_readers_expect() {
    if !python::has_tomllib() {
        return;
    }
    let files = std::env::var("SEGEDIT_KEYS_RANDOM")
        .ok()
        .and_then(|files| files.parse().ok())
        .unwrap_or(FILES);
    let mut rows = Vec::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for format in [Format::Json, Format::Toml, Format::Yaml] {
        for number in 0..files {
            let mut dice = Dice((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            match row(format, &mut dice) {
                Ok(row) => rows.push(row),
                Err(why) => *refused.entry(why).or_default() += 1,
            }
        }
    }
    let input = rows
        .iter()
        .flat_map(|row| (serde_json::to_string(row).unwrap() + "\n").into_bytes())
        .collect();
    let told = python::ask("keys.py", input);
    let verdicts: Vec<&str> = told.lines().collect();
    assert_eq!(verdicts.len(), rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| !matches!(**verdict, "same" | "unknown"))
        .map(|(row, verdict)| format!("{verdict}: {}", serde_json::to_string(row).unwrap()))
        .collect();
    let judged = verdicts
        .iter()
        .filter(|verdict| **verdict != "unknown")
        .count();
    let count: usize = refused.values().sum();
    println!(
        "keys: {} batches, {judged} judged, {count} refused, {} wrong; refused: {refused:#?}",
        rows.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(
        count * 50 <= rows.len(),
        "an ordinary batch is rarely refused: {refused:#?}"
    );
}

/// Makes a file and a batch, and carries it out.
fn row(format: Format, dice: &mut Dice) -> Result<Row, String> {
    let top = Value::Map(entries(format, dice, 3, false, "k"), format == Format::Json);
    let step = [2, 4][dice.below(2)];
    let before = written(format, &top, step, dice);
    let mut spots = Vec::new();
    walk(&top, &[], &mut spots);
    let mut asked: Vec<Asked> = Vec::new();
    let mut taken: Vec<Vec<serde_json::Value>> = Vec::new();
    let near = spots[dice.below(spots.len())].way.clone();
    for number in 0..=dice.below(3) {
        let spot = spots[dice.below(spots.len())].clone();
        let spot = match spots
            .iter()
            .filter(|spot| {
                spot.way.len() == near.len() && spot.way[..near.len() - 1] == near[..near.len() - 1]
            })
            .nth(number)
        {
            Some(beside) if dice.often(60) => beside.clone(),
            _ => spot,
        };
        let meets =
            |way: &Vec<serde_json::Value>| way.starts_with(&spot.way) || spot.way.starts_with(way);
        if !taken.iter().any(meets) {
            taken.push(spot.way.clone());
            asked.push(operation(format, &spot, number, dice));
        }
    }
    let after = carried_out(format, &before, &asked)?;
    let format = match format {
        Format::Json => "json",
        Format::Toml => "toml",
        Format::Yaml => "yaml",
    };
    Ok(Row {
        format,
        before,
        after,
        ops: asked,
    })
}

fn entries(
    format: Format,
    dice: &mut Dice,
    depth: usize,
    flow: bool,
    name: &str,
) -> Vec<(String, Value)> {
    let count = 1 + dice.below(3);
    (0..count)
        .map(|number| (format!("{name}{number}"), value(format, dice, depth, flow)))
        .collect()
}

fn value(format: Format, dice: &mut Dice, depth: usize, flow: bool) -> Value {
    let flow =
        flow || format == Format::Json || dice.often(25) || format == Format::Toml && depth < 3;
    match dice.below(if depth == 0 { 4 } else { 10 }) {
        0..=2 => Value::Word(["1", "\"two\"", "\"q: # [x\"", "true"][dice.below(4)]),
        3 if format == Format::Yaml && !flow => Value::Text,
        3 => Value::Word("3"),
        4..=6 => Value::Map(entries(format, dice, depth - 1, flow, "m"), flow),
        _ => {
            // A list of tables would have headers of its own.
            let flow = flow || format == Format::Toml;
            Value::List(
                (0..1 + dice.below(3))
                    .map(|_| value(format, dice, depth - 1, flow))
                    .collect(),
                flow,
            )
        }
    }
}

/// Returns the value with other keys: content that begins with its entry's key would be the entry.
fn renamed(value: Value) -> Value {
    match value {
        Value::Map(entries, flow) => {
            let other = |(key, value): (String, Value)| (key.replace('m', "v"), renamed(value));
            Value::Map(entries.into_iter().map(other).collect(), flow)
        }
        Value::List(items, flow) => Value::List(items.into_iter().map(renamed).collect(), flow),
        Value::Word(_) | Value::Text => value,
    }
}

fn walk(value: &Value, way: &[serde_json::Value], spots: &mut Vec<Spot>) {
    let inner: Vec<(serde_json::Value, &Value)> = match value {
        Value::Map(entries, _) => entries
            .iter()
            .map(|(key, value)| (key.clone().into(), value))
            .collect(),
        Value::List(items, _) => items
            .iter()
            .enumerate()
            .map(|(number, value)| (number.into(), value))
            .collect(),
        Value::Word(_) | Value::Text => return,
    };
    for (step, inner) in inner {
        let way = [way, &[step]].concat();
        spots.push(Spot {
            way: way.clone(),
            value: inner.clone(),
            holder: value.clone(),
        });
        walk(inner, &way, spots);
    }
}

/// Writes a file.
fn written(format: Format, top: &Value, step: usize, dice: &mut Dice) -> String {
    let Value::Map(entries, _) = top else {
        return String::new();
    };
    match format {
        Format::Json => json(top, step, 0, !dice.often(30)) + "\n",
        Format::Yaml => yaml_block(top, step, 0, dice.often(50), 20, dice),
        Format::Toml => {
            let is_table = |value: &Value| matches!(value, Value::Map(_, false));
            let mut text = String::new();
            for (key, value) in entries.iter().filter(|(_, value)| !is_table(value)) {
                text += &format!("{key} = {}{}\n", toml(value, dice), comment(dice, 20));
            }
            for (key, value) in entries.iter().filter(|(_, value)| is_table(value)) {
                let Value::Map(inner, _) = value else {
                    continue;
                };
                text += &format!("\n[{key}]\n");
                for (key, value) in inner {
                    text += &format!("{key} = {}{}\n", toml(value, dice), comment(dice, 20));
                }
            }
            text
        }
    }
}

fn comment(dice: &mut Dice, percent: usize) -> &'static str {
    if dice.often(percent) { " # note" } else { "" }
}

fn json(value: &Value, step: usize, depth: usize, spread: bool) -> String {
    let (items, open, close): (Vec<String>, _, _) = match value {
        Value::Word(word) => return (*word).to_owned(),
        Value::Text => return "\"text\"".to_owned(),
        Value::Map(entries, _) => {
            let entry = |(key, value): &(String, Value)| {
                format!("\"{key}\": {}", json(value, step, depth + 1, spread))
            };
            (entries.iter().map(entry).collect(), '{', '}')
        }
        Value::List(items, _) => {
            // A list in one line within what is spread out.
            let spread = spread && items.len() != 2;
            (
                items
                    .iter()
                    .map(|item| json(item, step, depth + 1, spread))
                    .collect(),
                '[',
                ']',
            )
        }
    };
    let short = matches!(value, Value::List(items, _) if items.len() == 2);
    if !spread || short {
        return format!("{open}{}{close}", items.join(", "));
    }
    let (inner, outer) = (" ".repeat(step * (depth + 1)), " ".repeat(step * depth));
    format!(
        "{open}\n{inner}{}\n{outer}{close}",
        items.join(&format!(",\n{inner}"))
    )
}

fn toml(value: &Value, dice: &mut Dice) -> String {
    match value {
        Value::Word(word) => (*word).to_owned(),
        Value::Text => "\"text\"".to_owned(),
        Value::Map(entries, _) => {
            let inner: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_line(value)))
                .collect();
            format!("{{ {} }}", inner.join(", "))
        }
        Value::List(items, _) if dice.often(30) => {
            let inner: Vec<String> = items
                .iter()
                .map(|item| format!("    {},\n", toml_line(item)))
                .collect();
            format!("[\n{}]", inner.concat())
        }
        Value::List(items, _) => format!(
            "[{}]",
            items.iter().map(toml_line).collect::<Vec<_>>().join(", ")
        ),
    }
}

fn toml_line(value: &Value) -> String {
    toml(value, &mut Dice(0))
}

fn yaml_flow(value: &Value) -> String {
    match value {
        Value::Word(word) => (*word).to_owned(),
        Value::Text => "text".to_owned(),
        Value::Map(entries, _) => {
            let inner: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", yaml_flow(value)))
                .collect();
            format!("{{{}}}", inner.join(", "))
        }
        Value::List(items, _) => format!(
            "[{}]",
            items.iter().map(yaml_flow).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Writes a container in lines at a column.
fn yaml_block(
    value: &Value,
    step: usize,
    column: usize,
    hung: bool,
    comments: usize,
    dice: &mut Dice,
) -> String {
    let margin = " ".repeat(column);
    let mut text = String::new();
    match value {
        Value::Map(entries, _) => {
            for (key, value) in entries {
                if dice.often(comments / 2) {
                    text += &format!("{margin}# above\n");
                }
                text += &format!(
                    "{margin}{key}:{}",
                    yaml_value(value, step, column, hung, comments, dice)
                );
            }
        }
        Value::List(items, _) => {
            for item in items {
                match item {
                    Value::Map(_, false) | Value::List(_, false) => {
                        let inner = yaml_block(item, step, column + 2, hung, 0, dice);
                        text += &format!("{margin}- {}", inner.trim_start());
                    }
                    _ => {
                        text += &format!(
                            "{margin}-{}",
                            yaml_value(item, step, column, hung, comments, dice)
                        )
                    }
                }
            }
        }
        Value::Word(_) | Value::Text => {}
    }
    text
}

/// Writes what stands behind a key or a marker.
fn yaml_value(
    value: &Value,
    step: usize,
    column: usize,
    hung: bool,
    comments: usize,
    dice: &mut Dice,
) -> String {
    let lines =
        |depth: usize, dice: &mut Dice| yaml_block(value, step, depth, hung, comments, dice);
    match value {
        Value::Text => {
            let margin = " ".repeat(column + step);
            let sign = ["|", "|-", ">"][dice.below(3)];
            format!(
                " {sign}{}\n{margin}one\n{margin} two\n",
                comment(dice, comments)
            )
        }
        Value::Map(_, false) => format!(
            "{}\n{}",
            comment(dice, comments),
            lines(column + step, dice)
        ),
        Value::List(_, false) => {
            let depth = if hung { column + step } else { column };
            format!("{}\n{}", comment(dice, comments), lines(depth, dice))
        }
        _ => format!(" {}{}\n", yaml_flow(value), comment(dice, comments)),
    }
}

fn operation(format: Format, spot: &Spot, number: usize, dice: &mut Dice) -> Asked {
    let in_brackets = |value: &Value| matches!(value, Value::Map(_, true) | Value::List(_, true));
    let way = spot.way.clone();
    let is_table = format == Format::Toml && matches!(spot.value, Value::Map(_, false));
    let asked = |op, position, content: String, keyed, flow, list| Asked {
        op,
        way: way.clone(),
        position,
        content,
        keyed,
        flow,
        list,
    };
    let choice = dice.below(10);
    if choice < 3 {
        return asked("delete", None, String::new(), false, false, false);
    }
    let flow = format != Format::Yaml || in_brackets(&spot.holder);
    if choice < 6 && !is_table {
        let new = renamed(value(format, dice, 2, flow));
        let key = spot.way.last().and_then(|step| step.as_str());
        // A lone item in the place of an item is that item.
        let lone = key.is_none() && matches!(&new, Value::List(items, false) if items.len() == 1);
        let keyed = (dice.often(40) || lone) && !(flow && key.is_none());
        let content = content(format, keyed.then_some(key), &new, flow, dice);
        return asked("replace", None, content, keyed, flow, key.is_none());
    }
    let inside = matches!(spot.value, Value::Map(..) | Value::List(..)) && dice.often(50);
    let (holder, position) = match (inside, dice.often(50)) {
        (true, true) => (&spot.value, "first"),
        (true, false) => (&spot.value, "last"),
        (false, true) => (&spot.holder, "before"),
        (false, false) => (&spot.holder, "after"),
    };
    if is_table && !inside {
        let content = format!("[new{number}]\nx = 1\n");
        return asked("insert", Some(position), content, false, false, false);
    }
    let flow = format == Format::Json || in_brackets(holder);
    let list = matches!(holder, Value::List(..));
    let new = value(format, dice, 2, flow || format == Format::Toml);
    let key = format!("new{number}");
    let content = content(
        format,
        Some((!list).then_some(key.as_str())),
        &new,
        flow,
        dice,
    );
    asked("insert", Some(position), content, true, flow, list)
}

/// Writes a value, or an entry: with its key, or an item.
fn content(
    format: Format,
    entry: Option<Option<&str>>,
    value: &Value,
    flow: bool,
    dice: &mut Dice,
) -> String {
    let step = [2, 4][dice.below(2)];
    match (format, entry) {
        (Format::Json, Some(Some(key))) => format!("\"{key}\": {}", json(value, step, 0, true)),
        (Format::Json, _) => json(value, step, 0, true),
        (Format::Toml, Some(Some(key))) => format!("{key} = {}", toml_line(value)),
        (Format::Toml, _) => toml_line(value),
        (Format::Yaml, Some(Some(key))) if flow => format!("{key}: {}", yaml_flow(value)),
        (Format::Yaml, _) if flow => yaml_flow(value),
        (Format::Yaml, Some(Some(key))) => yaml_block(
            &Value::Map(vec![(key.to_owned(), value.clone())], false),
            step,
            0,
            dice.often(50),
            15,
            dice,
        ),
        (Format::Yaml, Some(None)) => yaml_block(
            &Value::List(vec![value.clone()], false),
            step,
            0,
            dice.often(50),
            15,
            dice,
        ),
        (Format::Yaml, None) => match value {
            Value::Map(_, false) | Value::List(_, false) => {
                yaml_block(value, step, 0, dice.often(50), 15, dice)
            }
            _ => yaml_value(value, step, 0, true, 15, dice)
                .trim_start()
                .to_owned(),
        },
    }
}

/// Returns what the batch makes of the file, or why it is refused.
fn carried_out(format: Format, before: &str, asked: &[Asked]) -> Result<String, String> {
    let name = match format {
        Format::Json => "a.json",
        Format::Toml => "a.toml",
        Format::Yaml => "a.yaml",
    };
    let path = RepoPath::parse(name).unwrap();
    let operations = asked
        .iter()
        .map(|asked| as_operation(&path, asked))
        .collect();
    let file = File {
        mode: FileMode::Regular,
        bytes: before.as_bytes().into(),
    };
    let id = Id("0".repeat(40));
    let snapshot = Snapshot {
        base: Base::Commit {
            commit: id.clone(),
            tree: id,
        },
        hash: HashKind::Sha1,
        entries: [(path, SnapshotEntry::File(file))].into_iter().collect(),
        matches: BTreeMap::new(),
        templates: Default::default(),
        project: Default::default(),
    };
    let manifest = Manifest {
        source: ManifestText::default(),
        message: None,
        trailers: Vec::new(),
        author: None,
        destination: Destination::Commit,
        branch: None,
        base: None,
        mode: CheckMode::Strict,
        order: ResolveOrder::Snapshot,
        rules: Default::default(),
        operations,
    };
    let told = |code: Code, message: &str| {
        if std::env::var_os("SEGEDIT_KEYS_TELL").is_some() {
            let ops = serde_json::to_string(asked).unwrap();
            println!("{code:?} {message}\n{before:?}\n{ops}");
        }
        format!("{code:?}")
    };
    let plan = plan::build(&manifest, &snapshot, &plan::NoServers).map_err(|refused| {
        refused
            .errors
            .first()
            .map_or(String::new(), |error| told(error.code, &error.message))
    })?;
    let changes = plan.candidate.changes().to_vec();
    verify::check(plan, &manifest.operations, CheckMode::Strict, |_| ())
        .0
        .outcome
        .map_err(|refused| {
            refused
                .errors
                .first()
                .map_or(String::new(), |error| told(error.code, &error.message))
        })?;
    let after = changes.first().and_then(|change| change.after.clone());
    Ok(after.map_or(before.to_owned(), |file| {
        String::from_utf8_lossy(&file.bytes).into_owned()
    }))
}

fn as_operation(path: &RepoPath, asked: &Asked) -> Operation {
    let mut address = String::new();
    for step in &asked.way {
        match step.as_str() {
            Some(key) if address.is_empty() => address += key,
            Some(key) => address += &format!(".{key}"),
            None => address += &format!("[{step}]"),
        }
    }
    let selector = Scoped::from(Selector::Key(KeySelector::parse(&address).unwrap()));
    let (content, indent) = (asked.content.clone(), None);
    let position = asked.position.map(|position| match position {
        "before" => Position::Before,
        "after" => Position::After,
        "first" => Position::First,
        _ => Position::Last,
    });
    let verb = match asked.op {
        "delete" => Verb::Delete {
            selector,
            part: None,
            expect: None,
        },
        "replace" => Verb::Replace {
            selector: Some(selector),
            part: None,
            content,
            indent,
            expect: None,
        },
        _ => Verb::Insert {
            selector: Some(selector),
            position,
            content,
            part: None,
            indent,
        },
    };
    Operation {
        allow_remove: AllowRemove::Everything,
        ..Operation::on(path.clone(), verb)
    }
}
