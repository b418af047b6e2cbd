//! The least that any program does to change one file on a branch: write the blob, the trees above it, the commit, and
//! move the ref if it still stands where it was read. No YAML, no parsing, no checks: the floor that `one_method.py`
//! measures the tool against.
//!
//! `floor <repository> <branch> <path> <file with the new content> <message>`

use git2::{Error, FileMode, ObjectType, Oid, Repository, Signature, Tree};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, branch, path, content, message] = arguments.as_slice() else {
        return Err(Error::from_str("usage: floor <repository> <branch> <path> <file> <message>"));
    };
    let repository = Repository::open_bare(repository)?;
    let content = std::fs::read(content).map_err(|error| Error::from_str(&error.to_string()))?;
    let name = format!("refs/heads/{branch}");
    let tip = repository.refname_to_id(&name)?;
    let parent = repository.find_commit(tip)?;
    let blob = repository.blob(&content)?;
    let parts: Vec<&str> = path.split('/').collect();
    let tree = repository.find_tree(with(&repository, &parent.tree()?, &parts, blob)?)?;
    let author = Signature::now("Floor", "floor@example.org")?;
    let commit = repository.commit(None, &author, &author, message, &tree, &[&parent])?;
    repository.reference_matching(&name, commit, true, tip, message)?;
    Ok(())
}

/// Returns `tree` with `blob` at the path; every folder on the way exists.
fn with(repository: &Repository, tree: &Tree<'_>, path: &[&str], blob: Oid) -> Result<Oid, Error> {
    let Some((name, below)) = path.split_first() else { return Ok(blob) };
    let mut builder = repository.treebuilder(Some(tree))?;
    match tree.get_name(name).filter(|entry| entry.kind() == Some(ObjectType::Tree)) {
        Some(folder) => {
            let folder = repository.find_tree(folder.id())?;
            builder.insert(name, with(repository, &folder, below, blob)?, FileMode::Tree.into())?
        }
        None => builder.insert(name, blob, FileMode::Blob.into())?,
    };
    builder.write()
}
