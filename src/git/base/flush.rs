//! What has to be on disk before it counts as written.
//!
//! | asked for by | objects | packs | refs |
//! |---|---|---|---|
//! | nothing, as git has it | written | flushed | flushed |
//! | `core.fsync` | as it says of `loose-object` | as it says of `pack` | as it says of `reference` |
//! | `--durable`, `segedit.durable` | flushed, with their folders, before a ref names them | likewise | flushed, with their folders, before success is reported |
//!
//! The index is flushed always. `core.fsyncMethod` is not heeded: a flush is a flush.

/// What is flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) struct Flush {
    pub objects: bool,
    /// Many objects in one file.
    pub packs: bool,
    pub refs: bool,
    /// The folders above them, too.
    pub folders: bool,
}

impl Flush {
    /// Returns what the configuration asks for: `core.fsync`, and whether its forerunner `core.fsyncObjectFiles` is on.
    pub(in crate::git) fn configured(components: Option<&str>, object_files: bool) -> Flush {
        let mut flush = Flush {
            objects: false,
            packs: true,
            refs: true,
            folders: false,
        };
        for word in components.unwrap_or_default().split(',').map(str::trim) {
            let (word, wanted) = word
                .strip_prefix('-')
                .map_or((word, true), |word| (word, false));
            match word {
                "none" => (flush.objects, flush.packs, flush.refs) = (false, false, false),
                "loose-object" => flush.objects = wanted,
                "pack" => flush.packs = wanted,
                "objects" => (flush.objects, flush.packs) = (wanted, wanted),
                "reference" => flush.refs = wanted,
                "committed" | "added" | "all" => {
                    (flush.objects, flush.packs, flush.refs) = (wanted, wanted, wanted)
                }
                _ => {}
            }
        }
        flush.objects |= object_files;
        flush
    }

    /// What is gone in a moment.
    pub(in crate::git) const NOTHING: Flush = Flush {
        objects: false,
        packs: false,
        refs: false,
        folders: false,
    };

    /// Everything.
    pub(in crate::git) const ALL: Flush = Flush {
        objects: true,
        packs: true,
        refs: true,
        folders: true,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_fsync_is_read_as_git_reads_it() {
        let check = |components: Option<&str>, objects, packs, refs| {
            let expected = Flush {
                objects,
                packs,
                refs,
                folders: false,
            };
            assert_eq!(
                Flush::configured(components, false),
                expected,
                "{components:?}"
            );
        };
        check(None, false, true, true);
        check(Some("none"), false, false, false);
        check(Some("all"), true, true, true);
        check(Some("committed"), true, true, true);
        check(Some("loose-object"), true, true, true);
        check(Some("-pack"), false, false, true);
        check(Some("none,objects"), true, true, false);
        check(Some("all,-loose-object"), false, true, true);
        check(Some("added, -reference"), true, true, false);
        check(Some("index"), false, true, true);
        assert!(Flush::configured(None, true).objects);
    }
}
