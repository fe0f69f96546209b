//! The command line that shows a game in XBoard as the client of the own server.
use crate::engine::Board;
use sanqi::games::Variant;
use std::net::SocketAddr;
use std::path::Path;

/// Size, reserve and letters of a game's board, as XBoard is told them: servers of chess never say it.
struct Shape {
    size: [&'static str; 2],
    holdings: &'static str,
    letters: &'static str,
    colors: [&'static str; 2],
    /// What XBoard is told as size of a point. When a game begins it turns that into another one, by way of boards of eight files.
    point: &'static str,
}

const WOOD: [&str; 2] = ["#e7c48c", "#e7c48c"];
const CHECKERS: [&str; 2] = ["#efdfc0", "#b08558"];

fn shape(board: Board) -> Shape {
    let large = ["9", "10"];
    let xiangqi = "PN.R.AB..K.C..........pn.r.ab..k.c..........";
    let yangqi = "PNBR...V...C.........Kpnbr...v...c.........k";
    match board {
        Board::One(Variant::Fangqi) => {
            let letters = "P.................p.................";
            Shape { size: ["7", "7"], holdings: "1", letters, colors: WOOD, point: "87" }
        }
        Board::One(Variant::Yangqi | Variant::YangqiNoSwap) => {
            Shape { size: large, holdings: "0", letters: yangqi, colors: CHECKERS, point: "58" }
        }
        Board::One(Variant::Xiangqi) => {
            Shape { size: large, holdings: "0", letters: xiangqi, colors: WOOD, point: "58" }
        }
        Board::One(Variant::Supply) => {
            Shape { size: large, holdings: "7", letters: xiangqi, colors: WOOD, point: "54" }
        }
        // Both boards stand side by side on 1366 pixels, which then are all used.
        Board::Two => Shape { size: large, holdings: "7", letters: xiangqi, colors: WOOD, point: "49" },
    }
}

/// Arguments of XBoard for a game on the server at `address`; `logon` is what it sends when it is asked for a name, `pieces` holds its
/// piece images. With two boards `window` is 0 for the player's and 1 for his partner's, which goes beside it.
pub(super) fn arguments(board: Board, window: usize, address: SocketAddr, logon: &Path, pieces: &Path) -> Vec<String> {
    let Shape { size: [files, ranks], holdings, letters, colors: [light, dark], point } = shape(board);
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let (logon, pieces) = (logon.display().to_string(), pieces.display().to_string());
    let mut words: Vec<&str> = vec!["-ics", "-icshost", &host, "-icsport", &port, "-icslogon", &logon];
    words.extend([
        "-boardWidth",
        files,
        "-boardHeight",
        ranks,
        "-holdingsSize",
        holdings,
        "-pieceToCharTable",
        letters,
    ]);
    words.extend(["-size", point, "-pid", &pieces, "-trueColors", "true", "-useBoardTexture", "false"]);
    words.extend(["-lightSquareColor", light, "-darkSquareColor", dark]);
    // It knows none of the rules, and its own memory of settings must not matter.
    words.extend(["-testLegality", "false", "-getMoveList", "false", "-zippyPlay", "false", "-autoFlipView", "true"]);
    words.extend(["-sweepPromotions", "true", "-showCoords", "true", "-saveSettingsOnExit", "false"]);
    words.extend(["-startupMessage", "", "-soundProgram", "true"]);
    if board == Board::Two {
        words.extend(["-y", "30", "-x", if window == 0 { "5" } else { "685" }]);
    }
    words.into_iter().map(str::to_owned).collect()
}

/// A command for a shell.
pub(super) fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+".contains(c);
    let quoted = words.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_fit_the_images_and_the_board() {
        let boards = Variant::ALL.map(Board::One).into_iter().chain([Board::Two]);
        for board in boards {
            let address = "127.0.0.1:5000".parse().unwrap();
            let words = arguments(board, 0, address, Path::new("l"), Path::new("p"));
            let at = words.iter().position(|word| word == "-pieceToCharTable").unwrap();
            let letters = &words[at + 1];
            assert!(letters.len() >= 12 && letters.len().is_multiple_of(2), "{letters}");
            let (white, black) = letters.split_at(letters.len() / 2);
            assert_eq!(white.to_lowercase(), black);
        }
    }

    #[test]
    fn shells_read_what_was_meant() {
        let words = ["a", "", "it's", "#e0b060", "PN.R", "$x"].map(str::to_owned);
        assert_eq!(shell(&words), r#"a '' 'it'\''s' '#e0b060' PN.R '$x'"#);
    }
}
