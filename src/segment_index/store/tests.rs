//! The store put to the test: what is put in, what is damaged, who uses it.

use std::collections::BTreeSet;
use std::fs::{self, File};

use rustix::fs::{FlockOperation, flock};

use super::contents::*;
use super::file::file;
use crate::segment_index::file_list::Roll;
use crate::segment_index::store::file::PATIENCE;
use crate::segment_index::store::{Trouble, remove};

fn fresh(key: u8, words: &[u64]) -> Fresh {
    Fresh {
        key: vec![key; 22],
        told: vec![key; 100],
        words: words.iter().copied().collect(),
    }
}

fn standing(store: &IndexDatabase, words: &[u64]) -> Vec<u32> {
    store
        .standing(&words.iter().copied().collect())
        .unwrap()
        .into_iter()
        .collect()
}

/// Two words of one bucket, one of another, and one that differs from the first only in what is not kept of it.
const WORDS: [u64; 4] = [
    0x1230_0000_0000_0001,
    0x1230_0000_0000_0002,
    0x4560_0000_0000_0001,
    0x1230_0001_0000_0001,
];

#[test]
fn what_is_put_in_is_found_by_key_and_by_word() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = IndexDatabase::open(folder.path()).unwrap();
    let [a, b, c, d] = WORDS;
    let (numbers, added) = store
        .add(&[fresh(1, &[a, b]), fresh(2, &[a, c]), fresh(1, &[a, b])])
        .unwrap();
    assert_eq!((numbers.as_slice(), added), (&[1, 2, 1][..], 2));
    assert_eq!(
        store.add(&[fresh(2, &[a, c]), fresh(3, &[b])]).unwrap(),
        (vec![2, 3], 1)
    );
    let store = IndexDatabase::open(folder.path()).unwrap();
    assert_eq!(store.number(&[2; 22]).unwrap(), Some(2));
    assert_eq!(store.number(&[9; 22]).unwrap(), None);
    assert_eq!(store.told(3).unwrap(), vec![3; 100]);
    assert_eq!(standing(&store, &[a]), [1, 2]);
    assert_eq!(standing(&store, &[b, c]), [1, 2, 3]);
    assert_eq!(standing(&store, &[c]), [2]);
    assert_eq!(
        standing(&store, &[d]),
        [1, 2],
        "whoever asks compares the names"
    );
    assert_eq!(standing(&store, &[7]), [0; 0]);
    assert_eq!(store.measure().unwrap().contents, 3);
    assert_eq!(store.measure().unwrap().names, 5);
}

#[test]
fn rows_that_were_exchanged_are_damage() {
    let [a, b, ..] = WORDS;
    let spoilers = [
        "UPDATE contents SET told = (SELECT told FROM contents WHERE number = 2) WHERE number = 1",
        "UPDATE contents SET key = zeroblob(22) WHERE number = 1",
        "UPDATE contents SET told = substr(told, 2)",
        "DELETE FROM contents WHERE number = 1",
        "UPDATE buckets SET pairs = (SELECT pairs FROM buckets WHERE number = 5)",
        "DELETE FROM buckets",
        "UPDATE buckets SET pairs = 7",
        "UPDATE rolls SET place = 'there'",
        "DELETE FROM rolls",
        "DELETE FROM directory",
        "DROP TABLE buckets",
        "DROP TABLE contents",
    ];
    for spoiler in spoilers {
        let folder = tempfile::tempdir().unwrap();
        let mut store = IndexDatabase::open(folder.path()).unwrap();
        store.add(&[fresh(1, &[a]), fresh(2, &[b])]).unwrap();
        store.keep("here", &Roll::default()).unwrap();
        store.connection.execute_batch(spoiler).unwrap();
        let words = BTreeSet::from([a]);
        let outcomes = [
            store.told(1).err(),
            store.standing(&words).err(),
            store.roll("there").err(),
            store.roll("here").err(),
            store.number(&[1; 22]).err(),
        ];
        assert!(
            outcomes.contains(&Some(Trouble::Broken)),
            "{spoiler}: {outcomes:?}"
        );
        store.condemn().unwrap();
        let store = IndexDatabase::open(folder.path()).unwrap();
        assert_eq!(
            (store.measure().unwrap().contents, standing(&store, &[a])),
            (0, vec![]),
            "{spoiler}"
        );
    }
}

#[test]
fn nobody_removes_what_somebody_uses() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (
        IndexDatabase::open(folder.path()).unwrap(),
        IndexDatabase::open(folder.path()).unwrap(),
    );
    assert_eq!(one.condemn(), Err(Trouble::Unusable));
    assert!(file(folder.path()).exists());
    other.condemn().unwrap();
    assert!(!file(folder.path()).exists());
    assert!(!remove(folder.path()).unwrap());
    drop(IndexDatabase::open(folder.path()).unwrap());
    assert!(remove(folder.path()).unwrap());
}

#[test]
fn places_that_were_not_kept_for_long_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = IndexDatabase::open(folder.path()).unwrap();
    for at in 0..MOST_ROLLS + 3 {
        store.keep(&format!("tree {at}"), &Roll::default()).unwrap();
        store.keep("worktree", &Roll::default()).unwrap();
    }
    assert!(store.roll("tree 0").unwrap().is_none());
    assert!(store.roll("worktree").unwrap().is_some());
    let last = format!("tree {}", MOST_ROLLS + 2);
    assert_eq!(store.last_place("tree ").unwrap(), Some(last));
    assert_eq!(store.last_place("forest ").unwrap(), None);
}

/// As many contents as are looked through for what stands nowhere, and more.
fn many(first: u32) -> Vec<Fresh> {
    let key = |number: u32| [&number.to_le_bytes()[..], &[7; 18]].concat();
    let content = |number| Fresh {
        key: key(number),
        told: vec![1; 400],
        words: BTreeSet::from([u64::from(number)]),
    };
    (first..first + 5000).map(content).collect()
}

fn roll_of(contents: Vec<u32>) -> Roll {
    let paths: Vec<String> = (0..contents.len()).map(|at| format!("{at:05}")).collect();
    let mut roll = Roll::of(&paths, &Roll::default());
    roll.contents = contents;
    roll
}

#[test]
fn what_stands_nowhere_goes_and_its_room_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = IndexDatabase::open(folder.path()).unwrap();
    let (numbers, _) = store.add(&many(0)).unwrap();
    store.keep("here", &roll_of(numbers.clone())).unwrap();
    let (removed, before) = store.end().unwrap();
    assert_eq!((removed, before.contents), (0, 5000));
    let mut store = IndexDatabase::open(folder.path()).unwrap();
    store.add(&many(5000)).unwrap();
    store
        .keep("here", &roll_of(numbers[..10].to_vec()))
        .unwrap();
    let (removed, after) = store.end().unwrap();
    assert_eq!((removed, after.contents, after.names), (9990, 10, 10));
    assert!(
        after.bytes * 3 < before.bytes,
        "{} of {}",
        after.bytes,
        before.bytes
    );
    let store = IndexDatabase::open(folder.path()).unwrap();
    assert_eq!(standing(&store, &[3]), [numbers[3]]);
    assert_eq!(standing(&store, &[4000]), [0; 0]);
}

#[test]
fn nothing_goes_that_somebody_may_be_about_to_list() {
    let folder = tempfile::tempdir().unwrap();
    let (mut builder, mut tidier) = (
        IndexDatabase::open(folder.path()).unwrap(),
        IndexDatabase::open(folder.path()).unwrap(),
    );
    let (numbers, _) = builder.add(&many(0)).unwrap();
    tidier.add(&[fresh(1, &[])]).unwrap();
    tidier.keep("there", &Roll::default()).unwrap();
    assert_eq!(tidier.end().unwrap().0, 0);
    builder.keep("here", &roll_of(numbers)).unwrap();
    assert_eq!(standing(&builder, &[4000]).len(), 1);
    assert_eq!(builder.end().unwrap().0, 0);
}

#[test]
fn pipes_in_the_way_are_not_waited_for() {
    for name in [
        "index.users",
        "index.sqlite",
        "index.sqlite-journal",
        "index.sqlite-wal",
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(IndexDatabase::open(folder.path()).unwrap());
        let path = folder.path().join(name);
        let _ = fs::remove_file(&path);
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        // Of the database it is damage, which is mended; the other is nobody's to remove.
        assert_eq!(
            IndexDatabase::open(folder.path()).is_ok(),
            name != "index.users",
            "{name}"
        );
    }
}

#[test]
fn a_lock_that_nobody_gives_back_is_not_waited_for_without_end() {
    let folder = tempfile::tempdir().unwrap();
    drop(IndexDatabase::open(folder.path()).unwrap());
    let held = File::open(folder.path().join("index.users")).unwrap();
    flock(&held, FlockOperation::LockExclusive).unwrap();
    let began = std::time::Instant::now();
    assert!(IndexDatabase::glance(folder.path()).is_none());
    assert!(
        began.elapsed() < PATIENCE / 2,
        "who only glances does not wait"
    );
    assert_eq!(
        IndexDatabase::open(folder.path()).err(),
        Some(Trouble::Unusable)
    );
    drop(held);
    assert!(IndexDatabase::glance(folder.path()).is_some());
}

/// A row of an older state among those of a newer one, as a copy holds it that was made while somebody wrote.
#[test]
fn rows_of_two_states_are_damage() {
    let [a, b, ..] = WORDS;
    type Row = (&'static str, &'static str, &'static str);
    let rows: [Row; 3] = [
        ("buckets", "pairs", "number = 291"),
        ("rolls", "list", "place = 'here'"),
        ("directory", "list", "number = 0"),
    ];
    for (table, column, which) in rows {
        for newer_remains in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let mut store = IndexDatabase::open(folder.path()).unwrap();
            let keep = |store: &mut IndexDatabase, contents| {
                store.keep("here", &roll_of(contents)).unwrap()
            };
            store.add(&[fresh(1, &[a])]).unwrap();
            keep(&mut store, vec![1]);
            let row = |store: &IndexDatabase| -> Vec<u8> {
                let query = format!("SELECT {column} FROM {table} WHERE {which}");
                store
                    .connection
                    .query_row(&query, [], |row| row.get(0))
                    .unwrap()
            };
            let put = |store: &IndexDatabase, row: Vec<u8>| {
                let update = format!("UPDATE {table} SET {column} = ?1 WHERE {which}");
                assert_eq!(store.connection.execute(&update, [row]).unwrap(), 1);
            };
            let older = row(&store);
            store.add(&[fresh(2, &[b])]).unwrap();
            keep(&mut store, vec![1, 2]);
            let newer = row(&store);
            assert_ne!(older, newer, "{table}");
            put(&store, older);
            if newer_remains {
                put(&store, newer);
            }
            let outcomes = [
                store.standing(&BTreeSet::from([b])).err(),
                store.roll("here").err(),
            ];
            assert_eq!(
                outcomes.contains(&Some(Trouble::Broken)),
                !newer_remains,
                "{table}: {outcomes:?}"
            );
        }
    }
}

#[test]
fn no_number_is_given_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = IndexDatabase::open(folder.path()).unwrap();
    store.add(&[fresh(1, &[]), fresh(2, &[])]).unwrap();
    store
        .connection
        .execute_batch("DELETE FROM contents WHERE number = 2; UPDATE sqlite_sequence SET seq = 1")
        .unwrap();
    assert_eq!(store.add(&[fresh(3, &[])]), Err(Trouble::Broken));
}
