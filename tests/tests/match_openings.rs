//! The openings that are kept in the repository.
use sanqi::games::{Game, Variant};
use sanqi_adapter::runner::book::read_epd;
use std::collections::HashSet;

#[test]
fn every_set_has_500_different_openings_that_can_be_played_on() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapter/openings");
    for (file, variant) in [
        ("xiangqi", Variant::Xiangqi),
        ("supply", Variant::Supply),
        ("supply-reserves", Variant::Supply),
        ("yangqi", Variant::Yangqi),
        ("fangqi", Variant::Fangqi),
    ] {
        let text = std::fs::read_to_string(folder.join(file).with_extension("epd")).expect("the file");
        let fens = read_epd(variant, &text).unwrap_or_else(|e| panic!("{file}: {e}"));
        let boards: HashSet<String> = fens.iter().map(|f| f.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect();
        assert!(boards.len() >= 500 && boards.len() == fens.len(), "{file}: {} of {}", boards.len(), fens.len());
        let drops = |fen: &String| {
            let game = Game::from_fen(variant, fen).expect("checked above");
            let texts = game.legal_moves().into_iter().map(|mv| game.move_text(mv, Default::default()));
            texts.filter(|text| text.contains('@')).count()
        };
        let has_drops = fens.iter().any(|fen| drops(fen) > 0);
        assert_eq!(has_drops, matches!(file, "supply-reserves" | "fangqi"), "{file}");
    }
}
