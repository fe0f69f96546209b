//! A session whose game breaks down.
use super::*;
use crate::games::Notation;
use crate::search::Control;
use std::io::Write;
use std::sync::Mutex;

#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Knows one move, and panics on everything else it is asked.
struct Broken;

impl Arena for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }
    fn variant(&self) -> Option<Variant> {
        None
    }
    fn set_up(&mut self, _: &PositionWords, _: RankBase) -> Result<(), String> {
        panic!("set-up")
    }
    fn ban(&mut self, _: &[String], _: RankBase) {
        panic!("ban")
    }
    fn forget(&mut self) {
        panic!("forget")
    }
    fn plies(&self) -> usize {
        0
    }
    fn search(&mut self, _: &Request<'_>) -> Answer {
        panic!("search with a\nline end")
    }
    fn any_move(&self, _: RankBase) -> Option<String> {
        Some("a1a2".to_owned())
    }
    fn perft(&self, _: u32, _: Option<&str>, _: &Control, _: Style, _: &Output) -> Result<u64, &'static str> {
        panic!("perft")
    }
    fn display(&self, _: RankBase) -> Vec<String> {
        panic!("display")
    }
    fn evaluation(&self) -> Vec<String> {
        panic!("evaluation")
    }
    fn legal(&self, _: RankBase) -> Vec<String> {
        panic!("legal")
    }
    fn result(&self) -> String {
        panic!("result")
    }
    fn preview(&self, _: &str, _: RankBase) -> Result<String, String> {
        panic!("preview")
    }
    fn san(&self, _: &str, _: RankBase, _: Notation) -> Result<String, String> {
        panic!("san")
    }
}

/// What is said when `input` is read to its end, with a game that breaks down.
fn broken_dialogue(input: &str) -> Vec<String> {
    let paper = Paper::default();
    let (desk, out) = (Arc::new(Desk::default()), Arc::new(Output::new(Box::new(paper.clone()))));
    let mut session = Session::new(Arc::clone(&desk), Arc::clone(&out));
    session.arena = Some(Box::new(Broken));
    reader::serve(input.as_bytes(), None, &desk, &out);
    desk.close(false);
    session.work();
    assert!(!desk.is_searching(), "a search was left unanswered");
    let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_panic_is_told_and_every_go_is_answered() {
    assert_eq!(
        broken_dialogue("go depth 3\ngo infinite\nisready\n"),
        [
            "readyok",
            "info string error internal error: search with a?line end",
            "bestmove a1a2",
            "info string error internal error: search with a?line end",
            "bestmove a1a2",
        ]
    );
    let said = broken_dialogue(
        "d\neval\nlegal\nresult\npreview P@d4\nsan P@d4\nucinewgame\nposition startpos\ngo perft 3\nisready\n",
    );
    assert_eq!(
        said.iter().filter(|line| line.starts_with("info string error internal error: ")).count(),
        9,
        "{said:?}"
    );
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "perft has no move: {said:?}");
}

#[test]
fn a_panic_in_ucci_is_told_in_its_words() {
    let said = broken_dialogue("ucci\ngo depth 3\n");
    assert_eq!(said.split_last(), Some((&"bestmove a1a2".to_owned(), &said[..said.len() - 1])));
    assert!(said[said.len() - 2].starts_with("info message error"), "{said:?}");
}
