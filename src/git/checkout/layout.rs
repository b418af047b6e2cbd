//! Single files laid out in a folder of the caller's, for a program that needs no more than those.

use std::path::Path;

use super::fill::write_converted;
use super::folder::FolderHandle;
use super::form::{Form, Settings};
use crate::diagnostic::Diagnostic;
use crate::git::changes::TreeFile;
use crate::git::ground::PathKind;
use crate::git::{Quarantine, ReadSource, Repo};
use crate::path::RepoPath;
use crate::snapshot::{File, FileMode, Id};

impl Repo {
    /// Writes `files`, given as they are stored, into `folder` in the form in which git would check them out under the
    /// attributes of the tree `attributes`, and makes `links`, each with where it leads. What stands at their paths makes way.
    pub fn lay_out(
        &self,
        quarantine: &Quarantine,
        folder: &Path,
        files: &[(RepoPath, File)],
        links: &[(RepoPath, Vec<u8>)],
        attributes: Option<&Id>,
    ) -> Result<(), Diagnostic> {
        let mut folder = FolderHandle::open(folder)?;
        for (path, target) in links {
            folder.link(path.as_str().as_bytes(), target)?;
        }
        match self.form_for(files, attributes)? {
            Form::Stored => files.iter().try_for_each(|(path, file)| {
                folder.write(
                    path.as_str().as_bytes(),
                    &file.bytes,
                    file.mode == FileMode::Executable,
                )
            }),
            Form::Converted => {
                let blobs: Vec<_> = files
                    .iter()
                    .map(|(_, file)| self.blob(file.bytes.clone()))
                    .collect();
                quarantine.write(&blobs)?;
                let piece = |((path, file), blob): (&(RepoPath, File), &crate::git::Object)| {
                    let file = TreeFile {
                        bits: file.mode.bits(),
                        id: blob.id.clone(),
                    };
                    (path.as_str().as_bytes().to_vec(), file)
                };
                let pieces: Vec<_> = files.iter().zip(&blobs).map(piece).collect();
                write_converted(
                    self,
                    quarantine,
                    &folder,
                    attributes,
                    &pieces.iter().collect::<Vec<_>>(),
                )
            }
        }
    }

    /// Returns the form that `files` take, by the attributes on the way to each of them.
    fn form_for(
        &self,
        files: &[(RepoPath, File)],
        attributes: Option<&Id>,
    ) -> Result<Form, Diagnostic> {
        let ground = self.ground(&ReadSource::Unborn {
            tree: attributes.cloned(),
        })?;
        let mut folders: Vec<String> = vec![String::new()];
        folders.extend(
            files
                .iter()
                .flat_map(|(path, _)| path.ancestors())
                .map(|folder| format!("{folder}/")),
        );
        folders.sort();
        folders.dedup();
        let texts = folders.iter().filter_map(|folder| {
            let path = RepoPath::parse(&format!("{folder}.gitattributes")).ok()?;
            match ground.kind(path.as_str()) {
                Ok(Some(PathKind::File(_))) => Some(ground.bytes(&path)),
                Ok(_) => None,
                Err(refusal) => Some(Err(refusal)),
            }
        });
        Settings::of(self)?.form_under(texts)
    }
}
