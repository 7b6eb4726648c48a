use std::process::Command;

use super::*;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new());
    for (name, content) in files {
        writer.add(name, content.len() as u64, &mut &content[..]).unwrap();
    }
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ArchiveTrouble> {
    let mut reader = ArchiveReader::new(bytes);
    let mut files = Vec::new();
    while let Some(file) = reader.next()? {
        let mut content = Vec::new();
        reader.copy(&file, &mut content)?;
        files.push((file.name, content));
    }
    Ok(files)
}

#[track_caller]
fn check_refused(bytes: &[u8], why: &str) {
    match read(bytes) {
        Err(ArchiveTrouble::Wrong(said)) => assert!(said.contains(why), "{said}"),
        Err(ArchiveTrouble::Truncated) => assert_eq!(why, "truncated"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_written_is_read_also_under_long_and_foreign_names() {
    let long = format!("results/{}/ä b.png", "x".repeat(150));
    let block = [7; BLOCK];
    let files: [(&str, &[u8]); 4] =
        [("a", b""), ("state/state.db", &block), (&long, b"picture"), ("b/c", &block[..511])];
    let read = read(&archive(&files)).unwrap();
    let expected: Vec<(String, Vec<u8>)> =
        files.iter().map(|(name, content)| (name.to_string(), content.to_vec())).collect();
    assert_eq!(read, expected);
}

#[test]
fn usual_programs_understand_it() {
    let folder = std::env::temp_dir().join(format!("assay-host-archive-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let long = format!("{}/ä", "y".repeat(120));
    std::fs::write(folder.join("a.tar"), archive(&[("one", b"1"), (&long, b"22")])).unwrap();
    let untar = Command::new("tar").args(["xf", "a.tar"]).current_dir(&folder).status().unwrap();
    assert!(untar.success());
    let summed =
        Command::new("sha256sum").args(["-c", "--quiet", SUMS]).current_dir(&folder).status().unwrap();
    assert!(summed.success());
    assert_eq!(std::fs::read(folder.join(long)).unwrap(), b"22");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let whole = archive(&[("one", b"first"), ("two", &[1; 700])]);
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length}");
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        // Owner, times and padding say nothing.
        if let Ok(files) = read(&changed) {
            assert_eq!(files, read(&whole).unwrap(), "{at}");
        }
    }
    check_refused(&whole[..600], "truncated");
    check_refused(&[whole.clone(), b"more".to_vec()].concat(), "something follows");
    check_refused(b"not an archive", "truncated");
    check_refused(&[b'x'; 2048], "no backup of assay");
}

#[test]
fn names_lead_nowhere_else() {
    for name in ["../a", "/etc/passwd", "a/../../b", "a//b", "", "a/", ".", "a\\b", "a\nb", "./a"] {
        check_refused(&archive(&[(name, b"x")]), "no name of a file");
    }
    check_refused(&archive(&[("a\0/../../b", b"x")]), "");
    check_refused(&archive(&[("a", b"x"), ("a", b"y")]), "twice");
}

#[test]
fn links_and_folders_are_refused() {
    for kind in [b'1', b'2', b'3', b'5', b'6', b'L', b'g', 0] {
        let mut bytes = header("link", 0, kind).to_vec();
        bytes.extend([0; 2 * BLOCK]);
        check_refused(&bytes, "no plain file");
    }
}
