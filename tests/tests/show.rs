//! `sanqi-adapter show`: the pictures and the text of `protocol-docs/show.md` are what it draws, and bad input leaves nothing behind.
use sanqi_tests::binary::adapter;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-docs")
}

/// Splits a command as a shell does that knows only single quotes.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    quoted
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

fn show(arguments: &[String], input: &str) -> Output {
    let mut child = Command::new(adapter())
        .arg("show")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the adapter runs");
    // It may have refused its arguments without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn shown(command: &str) -> Vec<u8> {
    let output = show(&words(command), "");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// `SANQI_WRITE_PICTURES=1` writes the pictures anew instead.
#[test]
fn the_document_shows_what_is_drawn() {
    let text = std::fs::read_to_string(docs().join("show.md")).expect("the document");
    let (mut pictures, mut texts) = (0, 0);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ sanqi-adapter show ") else { continue };
        if let Some((arguments, name)) = command.split_once(" -o ") {
            let path = docs().join("images").join(name);
            let drawn = shown(arguments);
            if std::env::var_os("SANQI_WRITE_PICTURES").is_some() {
                std::fs::write(&path, &drawn).expect("a picture");
            }
            assert_eq!(std::fs::read(&path).expect("a picture"), drawn, "{name} is not what `{arguments}` draws");
            pictures += 1;
            continue;
        }
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
            expected.push_str(&line[4..]);
            expected.push('\n');
        }
        assert_eq!(String::from_utf8(shown(command)).expect("text"), expected, "{command}");
        texts += 1;
    }
    assert!(pictures >= 6 && texts >= 1, "{pictures} pictures, {texts} texts");
}

#[test]
fn png_has_the_size_of_the_svg() {
    for variant in ["xiangqi", "supply", "supply2", "yangqi", "fangqi"] {
        let command = format!("startpos --variant {variant} --size 20");
        let svg = String::from_utf8(shown(&format!("{command} --svg"))).expect("text");
        let png = shown(&format!("{command} --png"));
        assert_eq!(png.get(..8), Some(b"\x89PNG\r\n\x1a\n".as_slice()));
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        let asked = format!("width=\"{}\" height=\"{}\"", number(16), number(20));
        assert!(svg.contains(&asked), "{variant}: {asked}");
        assert_eq!(svg.matches("href=").count(), svg.matches("href=\"#").count(), "{variant}");
        // What looks for nothing elsewhere looks the same everywhere.
        assert!(!svg.contains("<text") && !svg.contains("font"), "{variant}");
    }
}

#[test]
fn the_game_is_found_by_the_fen() {
    for (fen, sign) in [
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "10  r  n  b  a  k"),
        ("4k4/9/9/9/9/9/9/9/9/3K5[Rr] w", "Black in hand: 1 r"),
        ("4k4/9/9/9/9/9/9/9/9/V3K4 w", " 1  V  .  .  .  K"),
        ("7/7/7/3P3/7/7/7 b", "White in hand: 19 P"),
        ("4k4/9/9/9/9/9/9/9/9/3K5[] w | 4k4/9/9/9/9/9/9/9/9/3K5[] b", "Board 2"),
    ] {
        let output = show(&["-".to_owned()], &format!("{fen}\n"));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(sign), "{fen}\n{text}");
    }
}

#[test]
fn bad_input_is_named_and_writes_nothing() {
    let file = std::env::temp_dir().join(format!("sanqi-show-{}.svg", std::process::id()));
    let start = "startpos --variant fangqi";
    for (command, fault) in [
        ("'7/7/7/7/7/7 w'", "FEN"),
        ("'7/7/7/x6/7/7/7 w'", "`x`"),
        ("'' ", "no side to move"),
        ("startpos --variant chess", "chess"),
        (&format!("{start} --moves P@d4 P@d4"), "P@d4"),
        (&format!("{start} --arrows d4"), "d4"),
        (&format!("{start} --preview P@h4"), "P@h4"),
        ("startpos --variant supply2 --moves h3e3", "h3e3"),
        ("startpos --variant supply2 --arrows h3e3", "h3e3"),
        ("startpos --size 7", "7"),
        (&format!("{start} --png --text"), "--text"),
    ] {
        let mut arguments = words(command);
        arguments.extend(["--output".to_owned(), file.display().to_string()]);
        if !command.contains("--png") {
            arguments.push("--svg".to_owned());
        }
        let output = show(&arguments, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(fault), "{command}: {errors}");
        assert!(!file.exists(), "{command}");
    }
}

#[test]
fn the_ending_of_the_file_is_its_form() {
    let folder = std::env::temp_dir();
    for (name, form, begin) in [
        ("SVG", "", &b"<svg "[..]),
        ("png", "", &b"\x89PNG"[..]),
        ("png", "--svg", &b"<svg "[..]),
        ("svg", "--text", &b"White to move"[..]),
        ("txt", "", &b"White to move"[..]),
    ] {
        let file = folder.join(format!("sanqi-show-form-{}.{name}", std::process::id()));
        let mut arguments = words(&format!("startpos --variant fangqi {form}"));
        arguments.extend(["--output".to_owned(), file.display().to_string()]);
        assert!(show(&arguments, "").status.success());
        let written = std::fs::read(&file).unwrap();
        assert!(written.starts_with(begin), "{name} {form}");
        std::fs::remove_file(file).unwrap();
    }
}
