//! The chess server with scripted clients.
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::{Outcome, Position, RankBase};
use sanqi_adapter::pgn::read_games;
use sanqi_adapter::replay::values::{Moment, Seat};
use sanqi_adapter::replay::{Replay, bpgn, check};
use sanqi_tests::binary::mock_engine;
use sanqi_tests::ics::{Client, Server, play_dialogues};
use sanqi_tests::random::Random;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Files of a folder with an extension.
fn files(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    found
}

/// Waits for the server to have written something; writing is a matter of moments.
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..1200 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never: {what}");
}

/// The dialogues of the documentation are as printed.
#[test]
fn the_documentation_is_right() {
    assert!(play_dialogues("ics.md") > 3);
}

/// A game against the engine to its end by the rules; the PGN that is saved agrees.
#[test]
fn the_engine_plays_to_the_end() {
    let server = Server::start(&["--nodes", "50", "--rate", "10000"]);
    let mut client = Client::login(&server, "alice");
    client.ask("match engine 0 0 fangqi", "<12> …");
    let mut random = Random::new(6);
    let mut game = sanqi::games::Game::new(sanqi::games::Variant::Fangqi);
    while game.result().outcome == Outcome::Ongoing {
        let moves = game.legal_moves();
        let mv = moves[random.below(moves.len())];
        client.send(&game.move_text(mv, RankBase::One));
        game.push(mv);
        client.expect("<12> … B -1 …");
        if game.result().outcome != Outcome::Ongoing {
            break;
        }
        let line = client.expect("<12> … W -1 …");
        let word = line.split(' ').rev().nth(3).expect("the move").to_owned();
        game.push_text(&word, RankBase::One).expect("a legal move");
    }
    client.expect(&format!("{{Game 1 (alice vs. engine) …}} {}", game.result().outcome));
    let pgn = server.folder().join("games.pgn");
    eventually("the game is saved", || pgn.exists());
    let text = std::fs::read_to_string(&pgn).expect("the game");
    let games = read_games(&text, None);
    let (_, saved) = &games[0];
    let saved = saved.as_ref().expect("a good game");
    saved.check_result().expect("the result of the rules");
    assert_eq!(saved.game.fen(), game.fen());
}

/// What people can do to each other's games.
#[test]
fn people_agree_and_decline() {
    let server = Server::start(&[]);
    let mut alice = Client::login(&server, "alice");
    let mut bob = Client::login(&server, "bob");
    let mut carl = Client::login(&server, "carl");
    // As XBoard's graph of seeks asks for it, and reads it.
    carl.ask("iset seekremove 1", "seekremove set.");
    alice.ask("seek 5 2 yangqi black", "Your seek has been posted with index 1.");
    bob.expect("alice (++++) seeking 5 2 unrated yangqi [black] (\"play 1\" to respond)");
    alice.ask("seek 0 0 fangqi", "Your seek has been posted with index 2.");
    carl.ask("sought", "  1 ++++ alice               5   2 unrated yangqi [black]");
    carl.expect("  2 ++++ alice               0   0 unrated fangqi");
    carl.expect("2 ads displayed.");
    alice.ask("unseek x", "x is no index of a seek.");
    alice.ask("unseek\t2", "1 seek removed.");
    carl.expect("Ads removed: 2");
    bob.ask("play 1", "{Game 1 (bob vs. alice) Creating unrated yangqi/asean match.}");
    alice.expect("<12> … W … 1 bob alice -1 5 2 …");
    carl.expect("Ads removed: 1");
    carl.ask("observe bob", "<12> … W … 1 bob alice 0 5 2 …");
    bob.ask("e2e4", "<12> … B … P/e2-e4 …");
    carl.expect("<12> … B … 1 bob alice 0 …");
    bob.ask("e4e5", "It is not your move.");
    carl.ask("e7e5", "You are not playing a game.");
    alice.ask("e9f9", "<12> rnbvvkbnr …");
    // The swap is a move of the king; the partner changes places.
    bob.expect("<12> … K/e9-f9 …");
    alice.ask("takeback 5", "There are 2 half-moves to take back.");
    alice.ask("takeback 1", "Takeback request sent to bob.");
    bob.expect("alice would like to take back 1 half move(s).");
    bob.ask("decline", "You decline the takeback request.");
    alice.expect("bob declines the takeback request.");
    alice.ask("takeback 2", "Takeback request sent to bob.");
    bob.expect("alice would like to take back 2 half move(s).");
    bob.ask("accept", "<12> rnbvkvbnr … W … none …");
    alice.expect("<12> rnbvkvbnr … W … none …");
    bob.ask("draw", "Draw request sent to alice.");
    alice.expect("bob offers you a draw.");
    alice.ask("tell bob no {<12>", "(told bob)");
    bob.expect("alice tells you: no ((12)");
    bob.ask("e2e4", "<12> … B …");
    alice.ask("decline", "You decline the draw request.");
    bob.expect("alice declines the draw request.");
    alice.ask("draw", "Draw request sent to bob.");
    bob.expect("alice offers you a draw.");
    bob.ask("draw", "{Game 1 (bob vs. alice) Game drawn by mutual agreement} 1/2-1/2");
    alice.expect("{Game 1 (bob vs. alice) Game drawn by mutual agreement} 1/2-1/2");
    carl.expect("{Game 1 (bob vs. alice) Game drawn by mutual agreement} 1/2-1/2");
    // Colours change.
    alice.ask("rematch", "Issuing: …");
    bob.expect("Challenge: alice (++++) [white] bob (++++) unrated yangqi/asean 5 2.");
    bob.ask("accept alice", "{Game 1 (alice vs. bob) Creating …");
    alice.expect("<12> …");
    alice.ask("abort", "Abort request sent to bob.");
    bob.expect("alice would like to abort …");
    bob.ask("abort", "{Game 1 (alice vs. bob) Game aborted by mutual agreement} *");
    // Whoever is challenged and challenges back on the same terms has agreed.
    alice.expect("{Game 1 (alice vs. bob) Game aborted by mutual agreement} *");
    alice.ask("match bob 3 0 xiangqi", "Issuing: …");
    bob.expect("Challenge: …");
    bob.ask("match alice 3 0 xiangqi", "{Game 1 (alice vs. bob) Creating unrated xiangqi match.}");
    bob.ask("resign", "{Game 1 (alice vs. bob) bob resigns} 1-0");
    alice.ask("say good game", "(told bob)");
    bob.expect("alice says: good game");
}

/// A word that a command cannot use is named, and nothing else happens. Before, it was passed over, or taken for another one.
#[test]
fn words_that_mean_nothing_are_named() {
    let server = Server::start(&["--nodes", "50"]);
    let mut alice = Client::login(&server, "alice");
    let mut bob = Client::login(&server, "bob");
    alice.ask("resume x", "You have no adjourned matches.");
    alice.ask("match engine 5 0 fangqi", "<12> …");
    alice.ask("d4", "<12> … W …");
    alice.ask("adjourn", "{Game 1 (alice vs. engine) Game adjourned by mutual agreement} *");
    let refused = [
        ("match bob fangqi yangqi", "yangqi: that has been said already; one game, one colour."),
        ("match bob white 5 black", "black: that has been said already; one game, one colour."),
        ("match bob 5 0 7 yangqi", "7: a third number, behind minutes and seconds."),
        ("match engine 601", "601: expected a whole number from 0 to 600."),
        ("seek 5 2 3", "3: a third number, behind minutes and seconds."),
        ("resume x", "x is no number of an adjourned match."),
        ("resume 1 2", "2: `resume` takes one word."),
        ("resume 2", "You have no adjourned match 2."),
        ("rematch foo", "foo: `rematch` stands alone."),
        ("follow bob carl", "carl: `follow` takes one word."),
        ("follow 12", "12: a name has three to seventeen letters from A to Z."),
        ("pfollow engine", "engine: that is nobody's name."),
        ("partner bob carl", "carl: `partner` takes one word."),
        ("accept carl", "You have no offers of carl to accept."),
        ("accept carl now", "now: `accept` takes one word."),
        ("decline carl", "You have no offers of carl to decline."),
        ("withdraw carl", "carl: `withdraw` stands alone."),
        ("play engine", "The engine seeks nobody; `match engine` plays against it."),
        ("play 7", "There is no seek 7."),
        ("play bob", "There is no seek of bob."),
        ("play 1 2", "2: `play` takes one word."),
        ("play", "Which seek? `sought` lists them."),
        ("sought bob", "bob: `sought` takes no word but `all`."),
        ("observe 1 2", "2: `observe` takes one word."),
        ("observe engine", "engine may play on many boards; say the number of one, `games` lists them."),
        ("observe 99999999999", "There is no game 99999999999."),
        ("unobserve x", "x is not logged in."),
        ("pobserve 7", "There is no game 7."),
        ("style 1", "1: boards always have style 12."),
        ("set open maybe", "maybe: open is 0 or 1."),
        ("set seek 0 x", "x: seek takes one word."),
        ("iset ms x", "x: ms is 0 or 1."),
        ("who o", "o: `who` stands alone."),
        ("quit it", "it: `quit` stands alone."),
    ];
    for (line, answer) in refused {
        // The very next line: whatever else it did would be told before.
        alice.send(line);
        assert_eq!(alice.line(), answer, "{line}");
    }
    alice.ask("pending", "There are no offers from you or to you.");
    // What XBoard and others send, and other servers know.
    for (line, answer) in [
        ("$alias $ @", "Done."),
        ("$set interface xboard 4.9.1", "interface taken without effect."),
        ("$set width 80", "width taken without effect."),
        ("$iset startpos 1", "startpos set."),
        ("$iset lock 1", "lock set."),
        ("$style 12", "Done."),
        ("sought all", "0 ads displayed."),
        ("set open off", "You take no challenges."),
        ("set open 1", "You take challenges."),
        ("xtell bob good day", "(told bob)"),
        ("follow carl", "You will watch the games of carl."),
    ] {
        alice.send(line);
        assert_eq!(alice.line(), answer, "{line}");
    }
    bob.expect("alice tells you: good day");
    bob.ask("match alice rated 3 0 xiangqi white", "Issuing: …");
    alice.expect("Challenge: …");
    alice.ask("accept bob", "<12> …");
    bob.expect("<12> …");
    for (line, answer) in [
        ("h2e2 now", "now: a move stands alone; h2e2 is not played."),
        ("takeback x", "x is no number of half-moves."),
        ("takeback 1 x", "x: `takeback` takes one word."),
        ("resign nonsense", "nonsense: `resign` stands alone."),
        ("abort it", "it: `abort` stands alone."),
        ("draw nonsense", "nonsense is no move; a draw is not offered."),
        ("draw h2e2 now", "now: `draw` takes one word."),
        ("pobserve bob", "bob: there is one board only."),
        ("refresh engine", "engine may play on many boards; say the number of one, `games` lists them."),
    ] {
        bob.send(line);
        assert_eq!(bob.line(), answer, "{line}");
    }
    // As XBoard offers a draw with a move: both on one line, and the move by itself. With one that is not legal no draw is offered.
    bob.ask("$draw h2h2", "Illegal move (h2h2): …");
    bob.ask("h2h2", "Illegal move (h2h2): …");
    bob.ask("$draw h2e2", "Draw request sent to alice.");
    bob.ask("h2e2", "It is not your move.");
    // She has heard of nothing but that.
    assert!(alice.line().starts_with("<12> rnbakabnr ") && alice.line() == "bob offers you a draw.");
    alice.ask("draw", "{Game 1 (bob vs. alice) Game drawn by mutual agreement} 1/2-1/2");
}

/// Four persons, two boards: seats by partnership, supplies, partner talk, requests of all four, ends of one board.
#[test]
fn four_persons_on_two_boards() {
    let server = Server::start(&[]);
    let [mut ann, mut bob, mut cat, mut dan] = ["ann", "bob", "cat", "dan"].map(|name| Client::login(&server, name));
    ann.ask("partner cat", "Making a partnership offer to cat.");
    cat.expect("ann offers to be your bughouse partner; …");
    cat.ask("partner ann", "You agree to be ann's partner.");
    bob.ask("partner dan", "Making a partnership offer to dan.");
    dan.ask("accept", "You agree to be bob's partner.");
    ann.ask("match bob 5 0 supply2", "Issuing: …");
    bob.expect("Challenge: …");
    bob.ask("accept", "{Game 1 (ann vs. bob) Creating unrated supply2/xiangqi match.}");
    // WHW-SXQ-001: a team has different colours on the two boards.
    dan.expect("{Game 2 (dan vs. cat) Creating unrated supply2/xiangqi match.}");
    cat.expect("<12> … 2 dan cat -1 …");
    cat.ask("pobserve", "<12> … 1 ann bob 0 …");
    ann.ask("h2h9", "<12> rnbakabCr … B …");
    cat.expect("<b1> game 1 white [] black []");
    // WHW-SXQ-002
    cat.expect("<b1> game 2 white [] black [N] <- BN");
    dan.expect("<b1> game 2 white [] black [N] <- BN");
    dan.ask("h2h9", "<b1> game 2 white [] black [N]");
    bob.expect("<b1> game 1 white [] black [N] <- BN");
    cat.ask("ptell need {R", "(told ann, who is your partner)");
    ann.expect("cat (your partner) tells you: need (R");
    cat.ask("N@e9", "Illegal move (N@e9): …");
    // What was captured goes back from the reserves of the other board, so those who sit there are asked too.
    dan.ask("takeback", "Takeback request sent to ann, bob, cat.");
    cat.expect("dan would like to take back 1 half move(s).");
    ann.expect(
        "dan would like to take back 1 half move(s) on the other board, and what was captured out of the reserves …",
    );
    cat.ask("accept", "Takeback request: waiting for ann, bob.");
    bob.ask("accept", "Takeback request: waiting for ann.");
    ann.ask("decline", "You decline the takeback request.");
    dan.expect("ann declines the takeback request.");
    dan.ask("takeback", "Takeback request sent to ann, bob, cat.");
    ann.expect("dan would like to take back …");
    for client in [&mut bob, &mut cat] {
        client.ask("accept", "Takeback request: waiting for …");
    }
    ann.ask("accept", "<b1> game 1 white [] black []");
    dan.expect("<12> … W … 2 dan cat 1 …");
    dan.ask("h2h9", "<b1> game 2 white [] black [N]");
    bob.expect("<b1> game 1 white [] black [N] <- BN");
    // Once they have been used there it is too late.
    bob.ask("i9h9", "<12> … W …");
    cat.expect("<b1> game 2 white [C] black [N] <- WC");
    cat.ask("i9h9", "<12> … W …");
    ann.expect("<b1> game 1 white [C] black [N] <- WC");
    ann.ask("C@a1", "<12> … B …");
    cat.ask("takeback", "That cannot be taken back: what was captured has been used on the other board (C@a1).");
    ann.ask("takeback", "Takeback request sent to bob.");
    bob.expect("ann would like to take back 1 half move(s).");
    bob.ask("accept", "<12> … W …");
    cat.ask("takeback", "Takeback request sent to ann, bob, dan.");
    cat.ask("withdraw", "Your offers are withdrawn.");
    ann.ask("adjourn", "Adjourn request sent to bob, dan, cat.");
    for client in [&mut bob, &mut cat, &mut dan] {
        client.expect("ann would like to adjourn …");
        client.send("adjourn");
    }
    ann.expect("{Game 1 (ann vs. bob) Game adjourned by mutual agreement} *");
    dan.expect("{Game 2 (dan vs. cat) Game adjourned by mutual agreement} *");
    ann.ask("stored", "…supply2 5 0, ann vs. bob and dan vs. cat");
    for client in [&mut ann, &mut bob, &mut cat] {
        client.ask("resume", "Waiting for …");
    }
    dan.ask("resume", "{Game 2 (dan vs. cat) Continuing unrated supply2/xiangqi match.}");
    ann.expect("{Game 1 (ann vs. bob) Continuing …");
    ann.expect("<b1> game 1 white [C] black [N]");
    // SX-6: a resignation ends one board only.
    bob.ask("resign", "{Game 1 (ann vs. bob) bob resigns} 1-0");
    cat.expect("{Game 1 (ann vs. bob) bob resigns} 1-0");
    bob.ask("a9a8", "Your board has ended.");
    dan.ask("draw", "Draw request sent to cat.");
    cat.expect("dan offers you a draw.");
    cat.ask("accept", "{Game 2 (dan vs. cat) Game drawn by mutual agreement} 1/2-1/2");
    for client in [&mut ann, &mut bob, &mut cat, &mut dan] {
        client.expect("Match over: team 1 (ann and cat) 1, team 2 (bob and dan) 0: 1-0");
    }
    let folder = server.terminate();
    let [json] = &files(&folder, "json")[..] else { panic!("one replay") };
    let replay = Replay::load(json).expect("a replay");
    check(&replay).expect("a replay by the rules");
    assert_eq!(replay.events.len(), 4);
    assert_eq!(replay.seats.get(Seat::Black2).map(|player| player.name.as_str()), Some("cat"));
    let text = std::fs::read_to_string(json.with_extension("bpgn")).expect("the same as BPGN");
    assert_eq!(bpgn::read(&text, Moment::now()).expect("good BPGN").replay.result.outcome, replay.result.outcome);
    std::fs::remove_dir_all(folder).expect("the folder can go");
}

/// The engine takes the seats that nobody holds, also beside a person, and is told what he says. It never moves here: the other board
/// would have ended, on a fast machine, before anybody can watch it.
#[test]
fn engines_take_empty_seats() {
    let mock = mock_engine().display().to_string();
    let server = Server::start(&["--engine", &mock, "--engine-arg", "hang", "--engines", "3", "--rate", "10000"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("partner engine", "You need not ask: …");
    ann.ask("match engine 0 0 supply2 black", "{Game 1 (engine vs. ann) Creating …");
    ann.expect("<12> … W …");
    ann.ask("ptell need q", "The engine understands …");
    ann.ask("ptell need R", "(told engine, who is your partner)");
    ann.ask("ptell sit", "(told engine, who is your partner)");
    // By the first line XBoard knows the variant of what it is shown.
    ann.ask("observe 2", "{Game 2 (engine vs. engine) Continuing unrated supply2/xiangqi match.}");
    ann.expect("You are now observing game 2.");
    ann.ask("unobserve 2", "Removing game 2 from observation list.");
    let mut bob = Client::login(&server, "bob");
    // As XBoard asks for the other board when it begins to observe one.
    bob.ask("$pobserve ann", "You are now observing game 2.");
    bob.ask("match engine 0 0 fangqi", "No engine is free: 3 of 3 seats are taken.");
    // Killed, it would leave behind engines that heed nothing.
    std::fs::remove_dir_all(server.terminate()).expect("the folder can go");
}

/// Engines play the other board to its end, whether a person's own has ended by then or not, and are free for others then.
#[test]
fn engines_leave_their_seats() {
    let server = Server::start(&["--nodes", "100", "--engines", "3", "--rate", "10000"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("match engine 0 0 supply2 black", "{Game 1 (engine vs. ann) Creating …");
    ann.send("resign");
    // In either order: the other board takes some hundredths of a second.
    let mut ends = vec![ann.expect("{Game … (engine vs. …) …} …"), ann.expect("{Game … (engine vs. …) …} …")];
    ends.sort();
    assert_eq!(ends[0], "{Game 1 (engine vs. ann) ann resigns} 1-0");
    assert!(ends[1].starts_with("{Game 2 (engine vs. engine) "), "{ends:?}");
    ann.expect("Match over: team 1 (engine and engine) …, team 2 (ann and engine) …: …");
    ann.ask("match engine 0 0 fangqi", "<12> …");
}

/// An engine that dies loses its board, and nothing else happens.
#[test]
fn an_engine_that_fails_loses() {
    let mock = mock_engine().display().to_string();
    let server = Server::start(&["--engine", &mock, "--engine-arg", "hang"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("match engine 1 0 fangqi black", "<12> …");
    let server2 = Server::start(&["--engine", &mock, "--engine-arg", "exit=1"]);
    let mut bob = Client::login(&server2, "bob");
    bob.ask("match engine 1 0 fangqi black", "{Game 1 (engine vs. bob) engine forfeits by disconnection} 0-1");
    ann.ask("who", "2 players displayed.");
    // Killed, it would leave behind an engine that heeds nothing.
    std::fs::remove_dir_all(server.terminate()).expect("the folder can go");
}

/// A server that is not to begin; its complaint has to have these words.
fn does_not_begin(arguments: &[&str], said: &str) {
    let folder = std::env::temp_dir().join(format!("sanqi-ics-none-{}", std::process::id()));
    let mut command = Command::new(sanqi_tests::binary::adapter());
    command.args(["ics", "--port", "0", "--games"]).arg(&folder).args(arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the adapter runs");
    // One that begins after all says where it listens, and would go on for ever.
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("text");
    let has_begun = !line.is_empty() && child.kill().is_ok();
    let done = child.wait_with_output().expect("the adapter ends");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(!has_begun && !done.status.success() && errors.contains(said), "{arguments:?}: {line}{errors}");
}

/// It would lose the games of everyone who asks for it.
#[test]
fn a_server_whose_engine_is_none_does_not_begin() {
    does_not_begin(&["--engine", "/no/such/engine"], "cannot start `/no/such/engine`");
    does_not_begin(&["--engine", "/bin/false"], "--engines 0 serves without one");
    // Without engines nothing is tried, whatever they would have been told.
    let server = Server::start(&["--engine", "/no/such/engine", "--engines", "0", "--elo", "5", "--hash", "9999999"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("match engine 1 0 fangqi", "No engine is free: 0 of 0 seats are taken.");
}

/// It would play with another strength than the one that was asked for.
#[test]
fn a_server_whose_engine_takes_no_such_strength_does_not_begin() {
    let sanqi = sanqi_tests::binary::sanqi().display().to_string();
    let mock = mock_engine().display().to_string();
    let of = |engine, option, value| ["--engine", engine, option, value];
    does_not_begin(&of(&sanqi, "--elo", "5"), "--elo 5: the engine takes a whole number from 800 to 2600");
    does_not_begin(&of(&sanqi, "--hash", "9999999"), "--hash 9999999: the engine takes a whole number from 1 to ");
    does_not_begin(&of(&mock, "--hash", "1025"), "--hash 1025: the engine takes a whole number from 1 to 1024");
    does_not_begin(&of(&mock, "--elo", "1500"), "--elo 1500: the engine has no option UCI_Elo");
    let server = Server::start(&["--elo", "800", "--hash", "1"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("match engine 1 0 fangqi black", "<12> … B …");
}

/// A logon file that the server would answer with a complaint is not written.
#[test]
fn the_gui_asks_for_nothing_that_the_server_refuses() {
    let folder = std::env::temp_dir().join(format!("sanqi-gui-none-{}", std::process::id()));
    for (arguments, said) in [
        (["--name", "engine"], "nobody's name"),
        (["--minutes", "601"], "0 to 600"),
        (["--engines", "0"], "--engines 0: No engine is free"),
    ] {
        let mut command = Command::new(sanqi_tests::binary::adapter());
        let done =
            command.args(["gui", "fangqi", "--files"]).arg(&folder).args(arguments).output().expect("the adapter runs");
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && errors.contains(said) && !folder.exists(), "{arguments:?}: {errors}");
    }
}

/// A guest who comes back as one is another: his match waits for the name that he had.
#[test]
fn a_guest_finds_his_match_under_his_old_name() {
    let server = Server::start(&["--nodes", "50"]);
    let mut guest = Client::connect(&server);
    guest.ask("guest", "**** Starting FICS session as GuestAAAA ****");
    guest.ask("match engine 5 0 xiangqi", "<12> …");
    guest.ask("h2e2", "<12> … W … 2 …");
    guest.cut();
    let mut watcher = Client::login(&server, "watcher");
    eventually("the guest is gone", || {
        watcher.send("who");
        let lines = std::iter::repeat_with(|| watcher.line());
        // All of them: what is left would be taken for the next answer.
        let players: Vec<_> = lines.take_while(|line| !line.ends_with("players displayed.")).collect();
        !players.iter().any(|line| line.starts_with("GuestAAAA"))
    });
    let mut guest = Client::connect(&server);
    guest.ask("guest", "**** Starting FICS session as GuestBAAA ****");
    guest.ask("stored", "You have no adjourned matches.");
    let mut guest = Client::connect(&server);
    guest.ask("GuestAAAA", "You have 1 adjourned match.");
    guest.ask("resume", "{Game 1 (GuestAAAA vs. engine) Continuing unrated xiangqi match.}");
}

/// Time runs out without anybody doing anything; on one board only after both have moved.
#[test]
fn a_flag_falls() {
    let server = Server::start(&[]);
    let mut ann = Client::login(&server, "ann");
    let mut bob = Client::login(&server, "bob");
    // Ten seconds are the least that there is.
    ann.ask("match bob 0 1 xiangqi", "Issuing: …");
    bob.expect("Challenge: …");
    bob.ask("accept", "<12> … 0 1 16 16 10 10 1 none (0:00) none 1 0 0");
    ann.ask("h2e2", "<12> … 10 10 1 C/h2-e2 … 0 0 0");
    bob.ask("h9g7", "<12> … 1 1 0");
    bob.ask("flag", "Your opponent is not out of time!");
    bob.expect("{Game 1 (ann vs. bob) ann forfeits on time} 0-1");
    ann.expect("{Game 1 (ann vs. bob) ann forfeits on time} 0-1");
}

/// Killed without warning in mid-game, the server goes on where it was; a broken file among the stored ones does not keep it from starting.
#[test]
fn a_killed_server_goes_on() {
    let server = Server::start(&["--nodes", "50"]);
    let mut ann = Client::login(&server, "ann");
    ann.ask("match engine 5 3 yangqi", "<12> …");
    ann.ask("a2a4", "<12> … W …");
    let fen = ann.ask("fen", "FEN: …");
    let unfinished = server.folder().join("unfinished");
    let is_stored = || {
        files(&unfinished, "json")
            .first()
            .and_then(|path| std::fs::read_to_string(path).ok())
            .is_some_and(|text| text.matches("\"word\"").count() == 2)
    };
    eventually("two moves are stored", is_stored);
    let folder = server.kill();
    std::fs::write(unfinished.join("broken.json"), "{").expect("a writable folder");
    let server = Server::start_in(&folder, &["--nodes", "50"]);
    let mut ann = Client::login(&server, "ann");
    ann.expect("  1 yangqi 5 3, ann vs. engine");
    ann.ask("resume", "{Game 1 (ann vs. engine) Continuing unrated yangqi/asean match.}");
    assert_eq!(ann.ask("fen", "FEN: …"), fen);
    ann.ask("c2c4", "<12> … W …");
    ann.ask("resign", "{Game 1 (ann vs. engine) ann resigns} 0-1");
    let folder = server.terminate();
    assert_eq!(
        files(&folder.join("unfinished"), "json").len(),
        1,
        "the broken file is left alone, the other one is gone"
    );
    assert!(std::fs::read_to_string(folder.join("games.pgn")).expect("the game").contains("[Result \"0-1\"]"));
    std::fs::remove_dir_all(folder).expect("the folder can go");
}

/// One of the twenty matches: random moves of four persons until `plies`; then all agree to a draw of both boards.
fn play_four(server: &Server, number: usize, plies: usize) {
    let letter = char::from(b'a' + number as u8);
    let names = ["one", "two", "three", "four"].map(|name| format!("{name}{letter}"));
    let mut clients: Vec<Client> = names.iter().map(|name| Client::login(server, name)).collect();
    // Seats in the order red1, black1, red2, black2.
    let [red1, black1, red2, black2] = &names;
    clients[0].ask(&format!("partner {black2}"), "Making …");
    clients[3].ask(&format!("partner {red1}"), "You agree …");
    clients[1].ask(&format!("partner {red2}"), "Making …");
    clients[2].ask(&format!("partner {black1}"), "You agree …");
    clients[0].ask(&format!("match {black1} 10 0 supply2"), "Issuing: …");
    clients[1].ask(&format!("accept {red1}"), "<12> …");
    for client in &mut clients {
        client.ask("who", "… players displayed.");
    }
    let mut random = Random::new(number as u64);
    let mut game = TeamGame::new();
    for ply in 0..plies {
        let running: Vec<BoardId> = BoardId::ALL.into_iter().filter(|&board| !game.has_ended(board)).collect();
        if running.is_empty() {
            break;
        }
        let board = running[random.below(running.len())];
        let seat = Seat::of(board, game.position(board).side());
        let at = Seat::ALL.iter().position(|&s| s == seat).expect("a seat");
        // Two of them are cut off in mid-game and come back.
        if ply == plies / 2 && number < 2 {
            clients.remove(at).cut();
            for client in &mut clients {
                client.expect(&format!("{{Game … {} lost connection; game adjourned}} *", names[at]));
            }
            let mut back = Client::login(server, &names[at]);
            back.send("resume");
            clients.insert(at, back);
            for (index, client) in clients.iter_mut().enumerate() {
                if index != at {
                    client.expect(&format!("{} would like to resume …", names[at]));
                    client.send("resume");
                }
            }
            for client in &mut clients {
                client.expect("{Game … Continuing unrated supply2/xiangqi match.}");
                client.expect("<b1> …");
            }
        }
        let moves = game.legal_moves(board);
        let mv = moves[random.below(moves.len())];
        let text = game.position(board).move_text(mv, RankBase::Zero);
        let captured = game.push(sanqi::games::supply::team::TeamMove { board, mv }).expect("a legal move");
        clients[at].send(&text);
        let opponent = at ^ 1;
        for index in [at, opponent] {
            clients[index].expect("<12> …");
            clients[index].expect("<b1> …");
        }
        if captured.is_some() {
            for index in [(at + 2) % 4, ((at + 2) % 4) ^ 1] {
                clients[index].expect("<b1> … <- …");
            }
        }
    }
    assert_eq!(clients[0].ask("fen", "FEN: …"), format!("FEN: {}", game.fen()));
    for (index, board) in [(0, BoardId::One), (2, BoardId::Two)] {
        if !game.has_ended(board) {
            clients[index].ask("draw", "Draw request sent …");
            clients[index + 1].expect("… offers you a draw.");
            clients[index + 1].send("draw");
        }
    }
    for client in &mut clients {
        client.expect("Match over: …");
    }
}

/// Twenty matches of four persons at the same time; in two of them somebody is cut off in mid-game and comes back.
#[test]
fn eighty_clients_play_twenty_matches() {
    let server = Server::start(&["--rate", "10000"]);
    std::thread::scope(|scope| {
        for number in 0..20 {
            let server = &server;
            scope.spawn(move || play_four(server, number, 100));
        }
    });
    let folder = server.terminate();
    let replays = files(&folder, "json");
    assert_eq!(replays.len(), 20);
    for path in replays {
        let replay = Replay::load(&path).expect("a replay");
        check(&replay).expect("a replay by the rules");
        assert!(replay.events.len() > 40, "{} events", replay.events.len());
    }
    assert!(files(&folder.join("unfinished"), "json").is_empty());
    std::fs::remove_dir_all(folder).expect("the folder can go");
}

/// A line that no client should send.
fn hostile(random: &mut Random, number: usize) -> Vec<u8> {
    let commands =
        ["match", "tell", "seek", "observe", "moves", "takeback", "resume", "partner", "iset", "accept", "play", "say"];
    let pieces: [&[u8]; 12] = [
        b"\xff\xfb\x01",
        b"\xff\xfa\x18",
        b"\0",
        b"-1",
        b"99999999999999999999",
        b"P@",
        b"\xf0\x9f",
        b"{Game 1",
        b"<12>",
        b"%s%n",
        b"fics% ",
        b"\x1b[2J",
    ];
    let mut line = match number % 5 {
        0 => commands[random.below(commands.len())].as_bytes().to_vec(),
        1 => vec![b'x'; 1 << (number % 21)],
        2 => (0..random.below(200)).map(|_| random.below(256) as u8).collect(),
        3 => b"h2e2".to_vec(),
        _ => Vec::new(),
    };
    for _ in 0..random.below(4) {
        line.push(b' ');
        line.extend_from_slice(pieces[random.below(pieces.len())]);
    }
    if !number.is_multiple_of(7) {
        line.push(b'\n');
    }
    line
}

/// 500 hostile lines and a flood from one client while two others play: their game is not disturbed, memory stays flat.
#[test]
fn a_hostile_client_disturbs_nobody() {
    let server = Server::start(&["--rate", "500"]);
    let mut ann = Client::login(&server, "ann");
    let mut bob = Client::login(&server, "bob");
    // They are not the ones that it plays with.
    ann.ask("set open 0", "You take no challenges.");
    bob.ask("set open 0", "You take no challenges.");
    ann.ask("set open 1", "You take challenges.");
    bob.ask("match ann 10 0 fangqi", "Issuing: …");
    ann.expect("Challenge: …");
    ann.ask("accept", "<12> …");
    bob.expect("<12> …");
    let mut random = Random::new(500);
    let mut game = sanqi::games::Game::new(sanqi::games::Variant::Fangqi);
    let mut mallory = Client::login(&server, "mallory");
    let mut memory = None;
    for number in 0..500 {
        let line = hostile(&mut random, number);
        if !mallory.send_bytes(&line) {
            mallory = Client::login(&server, "mallory");
        }
        if number % 14 == 13 {
            let moves = game.legal_moves();
            let mv = moves[random.below(moves.len())];
            let (mover, other) =
                if game.side() == sanqi::board::Color::White { (&mut bob, &mut ann) } else { (&mut ann, &mut bob) };
            mover.ask(&game.move_text(mv, RankBase::One), "<12> …");
            other.expect("<12> …");
            game.push(mv);
        }
        if number == 100 {
            memory = Some(server.memory());
        }
    }
    // A flood that is never read, from somebody who does not listen: the system holds it up, or the server cuts it off.
    let mut deaf = Client::connect(&server);
    deaf.send("deaf");
    for _ in 0..2000 {
        if !deaf.send_bytes(b"help\nmoves 1\n") {
            break;
        }
    }
    assert_eq!(bob.ask("fen", "FEN: …"), format!("FEN: {}", game.fen()));
    assert_eq!(ann.ask("fen", "FEN: …"), format!("FEN: {}", game.fen()));
    let (before, after) = (memory.expect("measured"), server.memory());
    assert!(after < before + 16 * 1024, "from {before} to {after} kB");
}

/// Limits on who may connect, and under which name.
#[test]
fn names_and_places_are_limited() {
    let server = Server::start(&["--connections", "4"]);
    let mut nobody = Client::connect(&server);
    nobody.expect("Log in …");
    for name in ["x", "engine", "White", "a b", "name1"] {
        nobody.send(name);
    }
    let lines = nobody.rest();
    assert_eq!(lines.iter().filter(|line| line.contains("name")).count(), 5, "{lines:?}");
    let mut guests = [Client::connect(&server), Client::connect(&server)];
    for (guest, name) in guests.iter_mut().zip(["GuestAAAA", "GuestBAAA"]) {
        guest.ask("guest", &format!("**** Starting FICS session as {name} ****"));
    }
    // The same name again: the new connection takes over, the game goes on.
    let mut ann = Client::login(&server, "Ann");
    ann.ask("match GuestAAAA 5 0 fangqi", "Issuing: …");
    guests[0].ask("accept", "<12> …");
    let mut again = Client::connect(&server);
    again.expect("Log in …");
    again.send("ann");
    let _ = again.expect("{Game 1 (Ann vs. GuestAAAA) Continuing …");
    assert!(ann.rest().iter().any(|line| line.contains("logged in from elsewhere")));
    again.ask("d4", "<12> … B …");
    // Full: three are here, and one more comes.
    let mut last = Client::connect(&server);
    last.expect("Log in …");
    let mut refused = Client::connect(&server);
    assert_eq!(refused.rest(), ["The server is full. Come back later."]);
}

/// Whoever has seen the end of his connection can come back at once, also to a server that is full but for him.
#[test]
fn a_place_is_free_when_its_connection_ends() {
    let server = Server::start(&["--connections", "1", "--engines", "0"]);
    for _ in 0..300 {
        let mut client = Client::connect(&server);
        client.expect("Log in …");
        client.send("quit");
        client.rest();
    }
}
