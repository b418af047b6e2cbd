//! The law of `resolve: snapshot`: the order of a batch's operations has no effect.
//!
//! Random batches on one Python file, shuffled, come to the same tree or to the same refusals. Insertions keep their
//! order among themselves, because two at one point stand in the file's order; that is the one exception there is.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use segedit::manifest::{
    CheckMode, Destination, LineRange, Manifest, ManifestText, MatchLevel, Operation, Position,
    ResolveOrder, Scoped, Selector, SymbolSelector, Verb, selector::SymbolComponent,
};
use segedit::path::RepoPath;
use segedit::plan;
use segedit::snapshot::{Base, File, FileMode, HashKind, Id, Snapshot, SnapshotEntry};

const ORDERS: &str = r#""""Orders."""
import os

LIMIT = 10


class Order:
    """One order."""

    side = "buy"

    def __init__(self, price):
        self.price = price

    @property
    def total(self):
        return self.price * LIMIT

    def cancel(self):
        # told to nobody
        return None
        # the end


def validate(order):
    if order.price > LIMIT:
        raise ValueError(order)
    return order


# Runs them all.
@traced
def run(orders):
    for order in orders:
        yield validate(order)


DEFAULT = Order(os.getpid())
"#;

const NAMES: [&str; 9] = [
    "LIMIT",
    "Order",
    "Order.side",
    "Order.__init__",
    "Order.total",
    "Order.cancel",
    "validate",
    "run",
    "DEFAULT",
];

/// What a random operation does; `tag` keeps contents apart.
#[derive(Clone, Debug)]
enum Wish {
    Replace { name: usize },
    Insert { name: usize, position: Position },
    Delete { name: usize },
    Lines { first: usize, count: usize },
    Text,
}

impl Wish {
    fn is_insertion(&self) -> bool {
        matches!(self, Wish::Insert { .. })
    }

    fn operation(&self, tag: usize) -> Operation {
        let loosest = MatchLevel::Similar;
        let scoped = |selector| Scoped {
            loosest,
            ..Scoped::from(selector)
        };
        let verb = match *self {
            Wish::Replace { name } => Verb::Replace {
                selector: Some(scoped(symbol(NAMES[name]))),
                part: None,
                content: definition(NAMES[name], tag),
                indent: None,
                expect: None,
            },
            Wish::Insert { name, position } => Verb::Insert {
                part: None,
                selector: Some(scoped(symbol(NAMES[name]))),
                position: Some(position),
                content: format!("def added_{tag}(self):\n    return {tag}\n"),
                indent: None,
            },
            Wish::Delete { name } => Verb::Delete {
                selector: scoped(symbol(NAMES[name])),
                part: None,
                expect: None,
            },
            Wish::Lines { first, count } => Verb::Replace {
                selector: Some(scoped(Selector::Lines(LineRange {
                    first,
                    last: first + count - 1,
                }))),
                part: None,
                content: format!("note_{tag} = {tag}\n"),
                indent: None,
                expect: None,
            },
            Wish::Text => Verb::Replace {
                selector: Some(scoped(Selector::Text("raise ValueError(order)".to_owned()))),
                part: None,
                content: format!("return {tag}"),
                indent: None,
                expect: None,
            },
        };
        Operation {
            id: Some(tag.to_string()),
            ..Operation::on(orders_path(), verb)
        }
    }
}

fn symbol(name: &str) -> Selector {
    let components = name
        .split('.')
        .map(|name| SymbolComponent {
            name: name.to_owned(),
            index: None,
        })
        .collect();
    Selector::Symbol(SymbolSelector {
        any_depth: false,
        components,
    })
}

/// Returns new content for a name that keeps it defined.
fn definition(name: &str, tag: usize) -> String {
    let own = name.rsplit('.').next().unwrap_or(name);
    match own {
        "LIMIT" | "DEFAULT" | "side" => format!("{own} = {tag}\n"),
        "Order" => format!("class Order:\n    side = {tag}\n"),
        _ => format!("def {own}(self):\n    if self:\n        return {tag}\n    return None\n"),
    }
}

fn orders_path() -> RepoPath {
    RepoPath::parse("orders.py").expect("a plain path")
}

fn snapshot() -> Snapshot {
    let file = File {
        mode: FileMode::Regular,
        bytes: ORDERS.as_bytes().into(),
    };
    let id = Id("0".repeat(40));
    Snapshot {
        base: Base::Commit {
            commit: id.clone(),
            tree: id,
        },
        hash: HashKind::Sha1,
        entries: [(orders_path(), SnapshotEntry::File(file))]
            .into_iter()
            .collect(),
        matches: BTreeMap::new(),
        templates: Default::default(),
        project: Default::default(),
    }
}

/// Returns the file after the batch, or what each operation is refused for.
fn outcome(operations: Vec<Operation>) -> Result<String, BTreeSet<&'static str>> {
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
    let plan = plan::build(&manifest, &snapshot(), &plan::NoServers).map_err(|refused| {
        refused
            .errors
            .iter()
            .map(|error| error.code.as_str())
            .collect::<BTreeSet<_>>()
    })?;
    let changes = plan.candidate.changes().to_vec();
    let after = changes.first().and_then(|change| change.after.clone());
    Ok(after.map_or(ORDERS.to_owned(), |file| {
        String::from_utf8_lossy(&file.bytes).into_owned()
    }))
}

/// Shuffles by `keys`, insertions keeping their order among themselves.
fn shuffled(operations: &[(bool, Operation)], keys: &[u32]) -> Vec<Operation> {
    let mut order: Vec<usize> = (0..operations.len()).collect();
    order.sort_by_key(|&at| keys.get(at).copied().unwrap_or(0));
    let mut insertions = (0..operations.len()).filter(|&at| operations[at].0);
    let places = order.into_iter().map(|at| {
        let at = if operations[at].0 {
            insertions.next().expect("as many insertions as before")
        } else {
            at
        };
        operations[at].1.clone()
    });
    places.collect()
}

fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    let name = 0..NAMES.len();
    let position = prop_oneof![Just(Position::Before), Just(Position::After)];
    let wish = prop_oneof![
        3 => name.clone().prop_map(|name| Wish::Replace { name }),
        3 => (name.clone(), position).prop_map(|(name, position)| Wish::Insert { name, position }),
        2 => name.prop_map(|name| Wish::Delete { name }),
        1 => (1usize..38, 1usize..3).prop_map(|(first, count)| Wish::Lines { first, count }),
        1 => Just(Wish::Text),
    ];
    prop::collection::vec(wish, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_has_no_effect(wishes in wishes(), keys in prop::collection::vec(any::<u32>(), 5)) {
        let operations: Vec<(bool, Operation)> =
            wishes.iter().enumerate().map(|(tag, wish)| (wish.is_insertion(), wish.operation(tag))).collect();
        let straight = outcome(operations.iter().map(|(_, operation)| operation.clone()).collect());
        let turned = outcome(shuffled(&operations, &keys));
        prop_assert_eq!(straight, turned);
    }
}

#[test]
fn the_batches_are_not_all_refused() {
    let one = |wish: Wish| outcome(vec![wish.operation(0)]);
    for name in 0..NAMES.len() {
        for wish in [
            Wish::Replace { name },
            Wish::Delete { name },
            Wish::Insert {
                name,
                position: Position::After,
            },
        ] {
            let after =
                one(wish.clone()).unwrap_or_else(|codes| panic!("{wish:?} is refused: {codes:?}"));
            assert_ne!(after, ORDERS, "{wish:?} changes nothing");
        }
    }
}
