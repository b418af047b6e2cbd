//! What is written is what git reads: every object by `git cat-file`, packs and their indexes by `git verify-pack`.

use crate::git::Object;
use crate::git::testing::Sandbox;

/// Contents whose lengths lie at the limits of a pack's header, and some that deflate badly.
fn contents() -> Vec<Vec<u8>> {
    let mut noise = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise.to_le_bytes()[3]
    };
    // The last are deflated in pieces.
    [
        0, 1, 15, 16, 17, 2047, 2048, 2049, 70_000, 300_000, 1_000_001,
    ]
    .into_iter()
    .flat_map(|length| [vec![b'a'; length], (0..length).map(|_| random()).collect()])
    .collect()
}

fn kinds(sandbox: &Sandbox, ids: &[String]) -> String {
    sandbox.git_with_input(
        &["cat-file", "--batch-check"],
        (ids.join("\n") + "\n").as_bytes(),
    )
}

fn packs(sandbox: &Sandbox) -> Vec<std::path::PathBuf> {
    let folder = sandbox.root().join(".git/objects/pack");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    names
}

#[test]
fn git_reads_what_is_written() {
    for format in ["sha1", "sha256"] {
        for limit in ["1", "1000"] {
            let sandbox = Sandbox::with(
                &[&format!("--object-format={format}")],
                &[("a.txt", "one\n")],
            );
            sandbox.git(&["config", "transfer.unpackLimit", limit]);
            let repo = sandbox.repo();
            let mut objects: Vec<Object> =
                contents().iter().map(|bytes| repo.blob(&**bytes)).collect();
            let head = repo.resolve_commit("HEAD").unwrap().1;
            let change = crate::git::testing::change("b/c.txt", None, Some("new\n"));
            let (tree, more) = repo.tree_with(Some(&head), &[change]).unwrap();
            objects.extend(more);
            repo.write_objects(&objects).unwrap();
            let ids: Vec<String> = objects.iter().map(|object| object.id.0.clone()).collect();
            let said = |o: &Object| format!("{} {} {}", o.id, o.kind.word(), o.bytes.len());
            assert_eq!(
                kinds(&sandbox, &ids).trim(),
                objects.iter().map(said).collect::<Vec<_>>().join("\n")
            );
            let listed = sandbox.git(&["ls-tree", "-r", "--name-only", &tree.0]);
            assert_eq!(listed, "a.txt\nb/c.txt");
            sandbox.git(&["fsck", "--strict", "--full", "--no-dangling"]);
            let packs = packs(&sandbox);
            assert_eq!(packs.len(), if limit == "1" { 2 } else { 0 }, "{packs:?}");
            if let [index, pack] = &packs[..] {
                sandbox.git(&["verify-pack", index.to_str().unwrap()]);
                // What git makes of the pack by itself.
                let theirs = sandbox.beside("theirs.idx");
                let made = [
                    "index-pack",
                    "-o",
                    theirs.to_str().unwrap(),
                    pack.to_str().unwrap(),
                ];
                sandbox.git(&made);
                assert_eq!(
                    std::fs::read(index).unwrap(),
                    std::fs::read(theirs).unwrap()
                );
                let mode = std::fs::metadata(pack).unwrap().permissions();
                assert!(mode.readonly());
            }
            // A handle that was open before sees them as well, and a second time nothing changes.
            let before = sandbox.digest();
            repo.write_objects(&objects).unwrap();
            assert_eq!(sandbox.digest(), before);
            assert!(repo.tree_changes(Some(&head), Some(&tree)).is_ok());
        }
    }
}

#[test]
fn from_a_hundred_objects_on_they_are_one_pack() {
    let check = |count: usize, expected: usize| {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let repo = sandbox.repo();
        let objects: Vec<Object> = (0..count)
            .map(|n| repo.blob(format!("{n}\n").as_bytes()))
            .collect();
        repo.write_objects(&objects).unwrap();
        assert_eq!(packs(&sandbox).len(), expected, "{count}");
        sandbox.git(&["fsck", "--strict", "--full", "--no-dangling"]);
    };
    check(99, 0);
    check(100, 2);
    check(3000, 2);
}

#[test]
fn what_is_packed_already_is_not_written_again() {
    let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
    sandbox.git(&["gc", "--quiet"]);
    let repo = sandbox.repo();
    repo.write_objects(&[repo.blob(&b"one\n"[..])]).unwrap();
    assert!(sandbox.git(&["count-objects"]).starts_with("0 objects"));
}
