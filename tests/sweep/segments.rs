//! The laws of segments that the fuzz target `segments` holds any bytes to, held here to what can be made of its seeds.

use std::path::Path;

use proptest::prelude::*;

use crate::support::laws;

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/segments");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the seeds")
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).expect("a seed"))
        .collect()
}

/// Cuts, doubles, moves and changes pieces of `bytes` behind the first.
fn disturbed(bytes: &[u8], steps: &[(u8, u16, u16, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(what, from, to, byte) in steps {
        let place = |at: u16| 1 + usize::from(at) % bytes.len();
        let (from, to) = (place(from).min(place(to)), place(from).max(place(to)));
        match what % 4 {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let piece = bytes[from..to].to_vec();
                bytes.splice(to..to, piece);
            }
            2 => bytes.insert(from, byte),
            _ => {
                let piece: Vec<u8> = bytes.drain(from..to).collect();
                bytes.splice(1..1, piece);
            }
        }
    }
    bytes
}

#[test]
fn the_seeds_keep_their_laws() {
    seeds().iter().for_each(|seed| laws::check_any(seed));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_a_file_holds_its_blocks_and_keys_keep_their_laws(
        steps in prop::collection::vec((any::<u8>(), any::<u16>(), any::<u16>(), any::<u8>()), 0..12),
    ) {
        for seed in seeds() {
            laws::check_any(&disturbed(&seed, &steps));
        }
    }
}
