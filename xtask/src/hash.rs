//! SHA-256 as the hex text that lies beside the library in the jar.

use crate::failure::{Doing, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// The lower-case hex SHA-256 of a file.
pub fn sha256_of(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).doing(|| format!("read {}", file.display()))?;
    Ok(sha256(&bytes))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn hashes_as_the_standard_says() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            super::sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
