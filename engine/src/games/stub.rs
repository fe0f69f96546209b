//! Placeholder until each game is written.
macro_rules! stub_position {
    ($name:ident, $variant:expr) => {
        /// Not yet written.
        #[derive(Debug, Clone)]
        pub struct $name;
        #[allow(unused_variables, clippy::unimplemented)]
        impl crate::games::position::Position for $name {
            const VARIANT: crate::games::Variant = $variant;
            const PIECES: usize = 1;
            const HISTORY: usize = 1;
            const PIECE_TO: usize = 1;
            const CAPTURED: usize = 1;
            const NULL_MOVE: bool = false;
            const REPETITION: crate::games::position::Repetition = crate::games::position::Repetition::Ignored;
            fn start() -> Self {
                $name
            }
            fn from_fen(fen: &str) -> Result<Self, crate::games::FenError> {
                Ok($name)
            }
            fn fen(&self) -> String {
                String::new()
            }
            fn side(&self) -> crate::board::Color {
                crate::board::Color::White
            }
            fn key(&self) -> u64 {
                0
            }
            fn verify(&self) -> Result<(), String> {
                Ok(())
            }
            fn halfmove(&self) -> u32 {
                0
            }
            fn in_check(&self) -> bool {
                false
            }
            fn checkers(&self) -> Vec<u8> {
                Vec::new()
            }
            fn generate<S: crate::games::moves::MoveSink>(&self, which: crate::games::Generate, sink: &mut S) {}
            fn is_legal(&self, mv: crate::games::Move) -> bool {
                false
            }
            fn make<O: crate::games::position::Observer>(&mut self, mv: crate::games::Move, observer: &mut O) {}
            fn make_null(&mut self) {}
            fn null_move_is_sound(&self) -> bool {
                false
            }
            fn no_moves(&self) -> crate::games::GameResult {
                crate::games::GameResult::ONGOING
            }
            fn rule_draw(&self) -> Option<crate::games::Reason> {
                None
            }
            fn is_noisy(&self, mv: crate::games::Move) -> bool {
                false
            }
            fn captured(&self, mv: crate::games::Move) -> usize {
                0
            }
            fn see(&self, mv: crate::games::Move, threshold: i32) -> bool {
                true
            }
            fn gain(&self, mv: crate::games::Move) -> i32 {
                0
            }
            fn history_index(&self, mv: crate::games::Move) -> usize {
                0
            }
            fn piece_to(&self, mv: crate::games::Move) -> usize {
                0
            }
            fn move_text(&self, mv: crate::games::Move, base: crate::games::RankBase) -> String {
                String::new()
            }
            fn parse_move(
                &self,
                text: &str,
                base: crate::games::RankBase,
            ) -> Result<crate::games::Move, crate::games::MoveError> {
                Err(crate::games::text::syntax(text))
            }
            fn san(&self, mv: crate::games::Move, notation: crate::games::Notation) -> String {
                String::new()
            }
            fn piece_letter(piece: usize) -> char {
                'P'
            }
            fn dimensions() -> (usize, usize) {
                (9, 10)
            }
            fn piece_at(&self, square: u8) -> Option<usize> {
                None
            }
            fn reserves(&self) -> String {
                String::new()
            }
        }
        #[allow(unused_variables)]
        impl crate::eval::Evaluate for $name {
            const WEIGHTS: &'static [crate::eval::Weight] = &[];
            const GROUPS: &'static [(&'static str, usize)] = &[];
            const TEMPO: i32 = 0;
            fn placement(piece: usize, square: u8) -> usize {
                0
            }
            fn reserve(piece: usize) -> Option<usize> {
                None
            }
            fn color_of(piece: usize) -> crate::board::Color {
                crate::board::Color::White
            }
            fn enumerate<O: crate::games::position::Observer>(&self, observer: &mut O) {}
            fn features<S: crate::eval::FeatureSink>(&self, sink: &mut S) {}
            fn phase(&self) -> i32 {
                0
            }
        }
    };
}
pub(crate) use stub_position;
