//! Aligned columns of text, for `tasks` and `doctor`.

/// The rows with every column but the last padded to its widest text, each indented by two.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|text| text.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut lines = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(text, width)| format!("{text:<width$}")).collect();
        lines.push_str(format!("  {}", cells.join("  ")).trim_end());
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    #[test]
    fn pads_to_the_widest() {
        let rows = [["a", "bbb"], ["cccc", "d"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(super::aligned(&rows), "  a     bbb\n  cccc  d\n");
    }
}
