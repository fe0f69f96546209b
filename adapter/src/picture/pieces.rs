//! The pieces as drawings of this project, each in a box of 100 × 100: stones of a Go set, discs of a xiangqi set, figures for Yáng Qí.
use super::outlines::outline;
use crate::whole_file::write_atomically;
use sanqi::games::Variant;
use std::path::{Path, PathBuf};

/// What the drawings refer to, once in every document that has one of them.
pub const DEFINITIONS: &str = r##"<defs>
<radialGradient id="stone-w" cx="0.38" cy="0.32" r="0.75"><stop offset="0" stop-color="#ffffff"/><stop offset="0.6" stop-color="#f3f0ea"/><stop offset="1" stop-color="#bdb7ab"/></radialGradient>
<radialGradient id="stone-b" cx="0.36" cy="0.3" r="0.75"><stop offset="0" stop-color="#73757c"/><stop offset="0.45" stop-color="#2e2f33"/><stop offset="1" stop-color="#0c0c0e"/></radialGradient>
<radialGradient id="disc" cx="0.42" cy="0.36" r="0.75"><stop offset="0" stop-color="#fff3d2"/><stop offset="0.7" stop-color="#f2d9a2"/><stop offset="1" stop-color="#c99f5e"/></radialGradient>
</defs>
"##;

/// A family of drawings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceSet {
    /// Black and white stones (fangqi).
    Stones,
    /// Wooden discs with red and black characters (xiangqi and supply).
    Discs,
    /// Figures in the manner of chess diagrams (Yáng Qí).
    Figures,
}

impl PieceSet {
    /// The drawings of a game.
    pub const fn of(variant: Variant) -> PieceSet {
        match variant {
            Variant::Fangqi => PieceSet::Stones,
            Variant::Xiangqi | Variant::Supply => PieceSet::Discs,
            Variant::Yangqi | Variant::YangqiNoSwap => PieceSet::Figures,
        }
    }

    /// The drawing of a piece by its FEN letter, an SVG fragment; `None` for a letter that is no piece of the set. It needs
    /// [`DEFINITIONS`].
    pub fn draw(self, letter: char) -> Option<String> {
        match self {
            PieceSet::Stones => stone(letter),
            PieceSet::Discs => disc(letter),
            PieceSet::Figures => figure(letter),
        }
    }

    /// FEN letters of White's pieces, each with the names that XBoard's image files have for it, without the colour. A name is that
    /// of the place in `-pieceToCharTable`: `P....`, `PN.R.AB..K.C..`, `PNBR...V...C..…K`. A xiangqi King may stand last as well.
    const fn xboard_names(self) -> &'static [(char, &'static [&'static str])] {
        match self {
            PieceSet::Stones => &[('P', &["Pawn"])],
            PieceSet::Discs => &[
                ('P', &["Pawn"]),
                ('N', &["Knight"]),
                ('R', &["Rook"]),
                ('A', &["Advisor"]),
                ('B', &["Elephant"]),
                ('C', &["Canon"]),
                ('K', &["Gold", "King"]),
            ],
            PieceSet::Figures => &[
                ('P', &["Pawn"]),
                ('N', &["Knight"]),
                ('B', &["Bishop"]),
                ('R', &["Rook"]),
                ('V', &["Archbishop"]),
                ('C', &["Canon"]),
                ('K', &["King"]),
            ],
        }
    }
}

/// A document with one piece; `None` as for [`PieceSet::draw`].
pub fn piece_document(set: PieceSet, letter: char) -> Option<String> {
    let drawing = set.draw(letter)?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\" viewBox=\"0 0 100 100\">\n{DEFINITIONS}{drawing}\n</svg>\n"
    ))
}

/// Writes the pieces of a game as the SVG files that XBoard's `-pieceImageDirectory` (`-pid`) looks for, `WhitePawn.svg` and so on, into an
/// existing directory; gives their paths.
///
/// # Errors
/// A file cannot be written.
pub fn write_xboard_pieces(variant: Variant, directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let set = PieceSet::of(variant);
    let mut written = Vec::new();
    for &(letter, names) in set.xboard_names() {
        for (color, letter) in [("White", letter), ("Black", letter.to_ascii_lowercase())] {
            let document = piece_document(set, letter).unwrap_or_default();
            for name in names {
                let path = directory.join(format!("{color}{name}.svg"));
                write_atomically(&path, document.as_bytes())?;
                written.push(path);
            }
        }
    }
    Ok(written)
}

fn stone(letter: char) -> Option<String> {
    let (fill, rim) = match letter {
        'P' => ("stone-w", "#8d877a"),
        'p' => ("stone-b", "#000000"),
        _ => return None,
    };
    Some(format!(
        r##"<circle cx="51.5" cy="53" r="45" fill="#000000" fill-opacity="0.25"/><circle cx="50" cy="50" r="45" fill="url(#{fill})" stroke="{rim}" stroke-width="1.5"/>"##
    ))
}

fn disc(letter: char) -> Option<String> {
    let character = match letter {
        'K' => '帥',
        'A' => '仕',
        'B' => '相',
        'R' => '俥',
        'N' => '傌',
        'C' => '炮',
        'P' => '兵',
        'k' => '將',
        'a' => '士',
        'b' => '象',
        'r' => '車',
        'n' => '馬',
        'c' => '砲',
        'p' => '卒',
        _ => return None,
    };
    let ink = if letter.is_ascii_uppercase() { "#b01e17" } else { "#1c1a18" };
    let (_, path) = outline(character);
    Some(format!(
        r##"<circle cx="51.5" cy="53" r="45" fill="#000000" fill-opacity="0.25"/><circle cx="50" cy="50" r="45" fill="url(#disc)" stroke="#7a5526" stroke-width="2"/><circle cx="50" cy="50" r="38.5" fill="none" stroke="{ink}" stroke-width="2"/><path transform="translate(19.5 73.2) scale(0.061)" fill="{ink}" d="{path}"/>"##
    ))
}

fn figure(letter: char) -> Option<String> {
    // The body in the piece's own colour, then lines on it.
    let (body, lines) = match letter.to_ascii_uppercase() {
        'P' => (
            r#"<path d="M50 18a12.5 12.5 0 0 1 8 22.1l9 4.9v6h-8c1 11 6 18 12 23h-42c6-5 11-12 12-23h-8v-6l9-4.9a12.5 12.5 0 0 1 8-22.1z"/><path d="M23 76h54l4 10h-62z"/>"#,
            "",
        ),
        'R' => (
            r#"<path d="M24 18h12v8h8v-8h12v8h8v-8h12v19l-9 8v21l8 8h-50l8-8v-21l-9-8z"/><path d="M21 76h58l4 10h-66z"/>"#,
            "",
        ),
        'B' => (
            r#"<path d="M50 24c12 8 19 17 19 27c0 9-5 16-12 20h-14c-7-4-12-11-12-20c0-10 7-19 19-27z"/><circle cx="50" cy="18" r="6"/><path d="M31 76h38l8 10h-54z"/>"#,
            r#"<path d="M50 36v22M39 46h22"/>"#,
        ),
        'N' => (
            r#"<path d="M29 74c-1-13 5-20 14-27c-5 0-9 1-13 4l-6 7l-8-5l2-9c5-8 11-15 18-20l1-11l10 8c19 1 32 17 32 53z"/><path d="M24 76h56l4 10h-64z"/>"#,
            r#"<path d="M54 30c11 7 15 20 15 38"/><circle cx="37" cy="35" r="2.2"/>"#,
        ),
        'K' => (
            r#"<path d="M46 9h8v6h6v8h-6v9h-8v-9h-6v-8h6z"/><path d="M50 44c4-8 11-12 18-12c10 0 17 7 17 16c0 11-8 18-13 26h-44c-5-8-13-15-13-26c0-9 7-16 17-16c7 0 14 4 18 12z"/><path d="M27 76h46l3 10h-52z"/>"#,
            r#"<path d="M50 46v20M31 66c12-4 26-4 38 0"/>"#,
        ),
        'C' => (
            r#"<path d="M18 40C12 45 13 54 19 58C21 60 26 60 30 58L78 39L82 42L88 39L79 17L73 20L74 24L26 37C23 37 20 38 18 40Z"/><circle cx="13" cy="47" r="5"/><path d="M44 60L14 80L18 87H26L52 74Z"/><circle cx="54" cy="68" r="19"/>"#,
            r#"<circle cx="54" cy="68" r="11"/><path d="M54 49V63M54 73V87M35 68H49M59 68H73"/><circle cx="54" cy="68" r="3"/>"#,
        ),
        'V' => (
            r#"<g transform="rotate(45 50 50)"><path d="M10 58C14 30 32 24 50 24S86 30 90 58L82 59C78 40 66 33 50 33S22 40 18 59Z"/><path d="M14 58H86"/><path d="M50 2L62 24H54.5V74L62 82V96L50 86L38 96V82L45.5 74V24H38Z"/></g>"#,
            "",
        ),
        _ => return None,
    };
    let (fill, stroke, line) = match letter.is_ascii_uppercase() {
        true => ("#fffaf0", "#2b2118", "#2b2118"),
        false => ("#413b38", "#14100e", "#efe6d6"),
    };
    Some(format!(
        r##"<g stroke-linejoin="round" stroke-linecap="round" stroke-width="3.5" stroke="{stroke}" fill="{fill}">{body}<g fill="none" stroke="{line}" stroke-width="3">{lines}</g></g>"##
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_game_has_a_drawing_and_no_other() {
        for (set, letters) in
            [(PieceSet::Stones, "Pp"), (PieceSet::Discs, "KABRNCPkabrncp"), (PieceSet::Figures, "KRNBVCPkrnbvcp")]
        {
            let drawn: Vec<char> = (' '..='~').filter(|&c| set.draw(c).is_some()).collect();
            let mut wanted: Vec<char> = letters.chars().collect();
            wanted.sort_unstable();
            assert_eq!(drawn, wanted, "{set:?}");
        }
    }

    #[test]
    fn no_two_drawings_are_alike() {
        let set = PieceSet::Discs;
        let mut drawings: Vec<String> = "KABRNCPkabrncp".chars().filter_map(|c| set.draw(c)).collect();
        drawings.sort();
        drawings.dedup();
        assert_eq!(drawings.len(), 14);
    }
}
