//! Positions as XBoard writes and reads them.
use sanqi::games::{FenError, Game, Variant};

/// A FEN of the project as peers want it. Plain xiangqi is in XBoard's own form, with E and H for Elephant and Horse and without the
/// two dashes, which HoiXiangqi insists on; the other games have no other form than ours.
pub fn write_fen(variant: Variant, fen: &str) -> String {
    if variant != Variant::Xiangqi {
        return fen.to_owned();
    }
    let mut words = fen.split_whitespace();
    let board = words.next().unwrap_or_default().chars().map(|letter| match letter {
        'N' => 'H',
        'n' => 'h',
        'B' => 'E',
        'b' => 'e',
        other => other,
    });
    let rest = words.filter(|word| *word != "-").map(|word| format!(" {word}"));
    board.collect::<String>() + &rest.collect::<String>()
}

/// Sets up what a peer sent: four to six fields, `[-]` for empty holdings, `~` behind a piece that has promoted. XBoard counts
/// half-moves in every game, also in Fangqi, which has no such counter; there it is passed over.
///
/// # Errors
/// As [`Game::from_fen`].
pub fn read_fen(variant: Variant, fen: &str) -> Result<Game, FenError> {
    let fen = fen.replace('~', "");
    let words: Vec<&str> = fen.split_whitespace().collect();
    match *words.as_slice() {
        [board, side, .., half, full] if variant == Variant::Fangqi && half.parse::<u32>().is_ok() => {
            Game::from_fen(variant, &format!("{board} {side} - - 0 {full}"))
        }
        _ => Game::from_fen(variant, &fen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xiangqi_in_the_form_of_xboard() {
        let fen = Game::new(Variant::Xiangqi).fen();
        let written = write_fen(Variant::Xiangqi, &fen);
        assert_eq!(written, "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1");
        assert_eq!(read_fen(Variant::Xiangqi, &written).unwrap().fen(), fen);
        let black = write_fen(Variant::Xiangqi, &fen.replace(" w ", " b "));
        assert!(black.ends_with("EHR b 0 1"), "{black}");
    }

    /// What XBoard 4.9.1 sends with the parents that the set-up lines name.
    #[test]
    fn forms_of_xboard() {
        let swapped = read_fen(
            Variant::Yangqi,
            "rnbvvbnrk/1c2c4/p1p1p1p1p/1p1p1p1p1/9/9/1P1P1P1P1/P1P1P1P1P/4C2C1/KRNBVVBNR w 10 6",
        );
        assert!(swapped.unwrap().fen().ends_with(" w - - 10 6"));
        let bare = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[-] w - - 0 1";
        assert_eq!(read_fen(Variant::Supply, bare).unwrap().fen(), Game::new(Variant::Supply).fen());
        let promoted = read_fen(Variant::Yangqi, "b1b1kc1nr/R~8/9/9/9/9/9/9/9/RN1K3Nv w 0 1");
        assert!(promoted.unwrap().fen().starts_with("b1b1kc1nr/R8/"));
        let counted = read_fen(Variant::Fangqi, "7/7/7/3P3/7/7/7[PPPpppp] b - - 3 9");
        assert!(counted.unwrap().fen().ends_with(" b - - 0 9"));
        assert!(read_fen(Variant::Fangqi, "8/8 w").is_err());
    }
}
