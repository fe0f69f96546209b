use super::*;
use crate::engine::DialectChoice;

fn read(line: &str) -> Result<Request, ArgumentError> {
    parse(&value::split_quoted(line))
}

const TWO: &str = "-engine cmd=a name=A -engine cmd=b name=B -variant supply ";

fn good(rest: &str) -> Settings {
    read(&format!("{TWO} -each tc=1+0.01 {rest}")).unwrap().settings
}

fn bad(rest: &str) -> String {
    read(&format!("{TWO} -each tc=1+0.01 {rest}")).unwrap_err().to_string()
}

#[test]
fn what_openbench_sends() {
    let line = "-recover -variant standard -testEnv -concurrency 1 -rounds 8 -games 2 -resign movecount=3 score=400 \
        -draw movenumber=40 movecount=8 score=10 -engine dir=Engines/ cmd=./X proto=uci tc=8.00+0.08 timemargin=250 \
        option.Threads=1 option.Hash=8 option.UCI_Variant=supply name=E-dev -engine dir=Engines/ cmd=./Y proto=uci tc=8.00+0.08 \
        timemargin=250 option.Threads=1 option.Hash=8 option.UCI_Variant=supply name=E-base \
        -openings file=Books/b.epd format=epd order=random start=3 -srand 7 -pgnout file=PGNs/t.pgn seldepth=true nodes=true \
        match_line='^info string pgncomment .*'";
    let request = read(line).unwrap();
    let settings = request.settings;
    assert_eq!(settings.variant, Some(Board::One(sanqi::games::Variant::Supply)));
    assert!(settings.recover && settings.test_env && request.seeded);
    assert_eq!((settings.rounds, settings.games, settings.concurrency, settings.seed), (8, 2, 1, 7));
    assert_eq!(settings.resign, ResignRule { enabled: true, move_count: 3, score: 400, twosided: false });
    assert_eq!(settings.draw, DrawRule { enabled: true, move_number: 40, move_count: 8, score: 10 });
    assert_eq!((settings.opening.order, settings.opening.start), (Order::Random, 3));
    assert!(settings.pgn.track_nodes && settings.pgn.track_seldepth && !settings.pgn.track_nps);
    let [first, second] = settings.engines.as_slice() else { panic!("two engines") };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("E-dev", "E-base"));
    assert_eq!((first.limit.tc.time, first.limit.tc.increment, first.limit.tc.timemargin), (8000, 80, 250));
    assert_eq!(first.option("hash"), Some("8"));
    assert!(request.notes.is_empty(), "{:?}", request.notes);
}

#[test]
fn time_controls() {
    let tc = |text: &str| read(&format!("{TWO} -each tc={text}")).map(|r| r.settings.engines[0].limit.tc);
    let is = |text: &str, moves, time, increment| {
        let tc = tc(text).unwrap();
        assert_eq!((tc.moves, tc.time, tc.increment), (moves, time, increment), "{text}");
    };
    is("0.3", 0, 300, 0);
    is("10+0.1", 0, 10_000, 100);
    is("40/1:30+0.5", 40, 90_000, 500);
    is("0+1", 0, 0, 1000);
    is("0.2+0.002", 0, 200, 2);
    is("40/1:30s+0.5s", 40, 90_000, 500);
    is("inf/10", 0, 10_000, 0);
    for text in ["", "x", "-1", "1+", "1+-1", "a/1", "0/1", "hg2", "0", "1e30", "nan", "s"] {
        assert!(tc(text).is_err(), "{text}");
    }
    // Without any limit an engine would think for ever.
    assert!(tc("inf").is_err());
    assert!(read(&format!("{TWO} -each tc=inf nodes=100")).is_ok());
}

#[test]
fn limits_per_engine() {
    let settings =
        read("-engine cmd=a name=A st=0.3 -engine cmd=b name=B nodes=5000 depth=7 -variant yangqi").unwrap().settings;
    assert_eq!(settings.engines[0].limit.tc.fixed_time, 300);
    assert_eq!((settings.engines[1].limit.nodes, settings.engines[1].limit.plies), (5000, 7));
    assert!(bad("-each st=1").contains("tc and st"));
}

#[test]
fn each_comes_last_and_keeps_what_it_does_not_name() {
    let settings = read(
        "-each option.Hash=4 tc=1 -engine cmd=x/a.exe option.Hash=8 option.Threads=2 \
         -engine cmd=b args=\"one 'two three'\" arg=four dialect=uci0 -variant xiangqi",
    )
    .unwrap()
    .settings;
    let [first, second] = settings.engines.as_slice() else { panic!("two engines") };
    assert_eq!(first.name, "a");
    assert_eq!(first.options, [("Hash".to_owned(), "4".to_owned()), ("Threads".to_owned(), "2".to_owned())]);
    assert_eq!(second.args, ["one", "two three", "four"]);
    assert_eq!(second.dialect, DialectChoice::Uci0);
}

#[test]
fn rounds_games_and_tests() {
    assert_eq!((good("").games, good("").rounds), (2, 2));
    assert_eq!(good("-games 1").games, 1);
    assert_eq!((good("-games 10 -rounds 2").games, good("-games 10 -rounds 2").rounds), (2, 10));
    assert!(bad("-games 10 -rounds 10").contains("-games"));
    let settings = good("-sprt elo0=0 elo1=5");
    assert_eq!((settings.rounds, settings.sprt.alpha, settings.sprt.model), (500_000, 0.05, SprtModel::Normalized));
    assert_eq!(good("-sprt elo0=-3 elo1=1 model=logistic -rounds 10").sprt.elo0, -3.0);
    assert!(bad("-sprt elo0=5 elo1=0").contains("elo0"));
    assert!(bad("-sprt elo0=0 elo1=5 alpha=2").contains("alpha"));
    assert!(bad("-sprt elo0=nan elo1=5").contains("-sprt elo0"));
    assert!(bad("-sprt elo0=0 elo1=5 model=bayesian").contains("not supported"));
}

#[test]
fn openings() {
    let opening = good("-openings random plies=6").opening;
    assert_eq!((opening.format, opening.plies, opening.start), (BookFormat::Random, 6, 1));
    let opening = good("-openings file=b.epd format=epd order=random start=5").opening;
    assert_eq!(
        (opening.file.as_str(), opening.format, opening.order, opening.start),
        ("b.epd", BookFormat::Epd, Order::Random, 5)
    );
    assert!(bad("-openings file=b.bin format=polyglot").contains("format"));
    assert!(bad("-openings file=b.epd start=0").contains("start"));
    // The form follows the name of the file where it is not given.
    for (file, format) in [("b.pgn", BookFormat::Pgn), ("b.pgn.gz", BookFormat::Pgn), ("b.epd.gz", BookFormat::Epd)] {
        assert_eq!(good(&format!("-openings file={file}")).opening.format, format);
    }
    assert_eq!(good("-openings format=epd file=b.pgn").opening.format, BookFormat::Epd);
}

#[test]
fn refusals_name_what_is_wrong() {
    assert!(bad("-frobnicate").contains("-frobnicate"));
    assert!(bad("-tb /tables").contains("-tb"));
    assert!(bad("-draw movenumber=x").contains("movenumber"));
    assert!(bad("-draw score=-5").contains("-draw score"));
    assert!(bad("-resign score=-5").contains("-resign score"));
    assert!(bad("-draw").contains("-draw"));
    assert!(bad("-recover yes").contains("\"yes\""));
    assert!(bad("-event= x").contains("-event="));
    assert!(bad("-each name=").contains("name="));
    assert!(bad("-log file=x level=loud").contains("-log level"));
    assert!(bad("-debug").contains("-log"));
    assert!(bad("-each colour=red").contains("colour"));
    assert!(bad("-each proto=usi").contains("usi"));
    assert!(bad("-each proto=xboard nodes=5").contains("nodes= for engine A"));
    assert_eq!(good("-each proto=ucci").engines.first().map(|e| e.proto), Some(crate::engine::Protocol::Ucci));
    assert!(bad("-rounds").contains("-rounds"));
    assert!(bad("-variant chess").contains("chess"));
    let other = bad("-variant fangqi -each option.UCI_Variant=yangqi");
    assert_eq!(other, "Error: option.UCI_Variant=yangqi of engine A is not the game of the match, fangqi");
    assert!(bad("-variant supply2 -partner cmd=c nodes=1 option.UCI_Variant=supply").contains("engine c is not"));
    assert_eq!(good("-variant fangqi -each option.UCI_Variant=Fangqi").engines.len(), 2);
    for seeds in [0, 2, 5] {
        let refused = bad(&format!("-tournament gauntlet -seeds {seeds}"));
        assert_eq!(refused, format!("Error: -seeds {seeds} leaves no game; of 2 engines give 1 to 1"));
    }
    for option in ["-event", "-site", "-each name"] {
        let (option, equals) = if option.contains(' ') { (option, "=") } else { (option, " ") };
        assert!(bad(&format!("{option}{equals}'a\nb'")).contains("expected one line of text"), "{option}");
    }
    assert!(read("word").is_err());
    assert!(read("-engine cmd=a tc=1 -variant supply").unwrap_err().to_string().contains("two engines"));
    assert!(read("-engine cmd=a tc=1 -engine cmd=b tc=1").unwrap_err().to_string().contains("no game"));
}

#[test]
fn engines_of_one_name_are_numbered() {
    let line = "-engine cmd=a -engine cmd=x/a -engine cmd=b -engine cmd=a -each tc=1 -variant supply";
    let names: Vec<String> = read(line).unwrap().settings.engines.into_iter().map(|engine| engine.name).collect();
    assert_eq!(names, ["a", "a_2", "b", "a_3"]);
}

#[test]
fn files_without_a_name_are_dated() {
    let settings = good("-pgnout nodes=true -epdout");
    assert!(
        settings.pgn.file.starts_with("fastchess_20")
            && settings.pgn.file.ends_with(".pgn")
            && settings.pgn.track_nodes
    );
    assert!(settings.epd.file.starts_with("fastchess_20") && settings.epd.file.ends_with(".epd"));
    assert_eq!(good("").pgn.file, "");
}

#[test]
fn log_file() {
    let log = good("-log file=l level=trace append=false compress=true realtime=false engine=true").log;
    assert_eq!((log.file.as_str(), log.level), ("l", crate::runner::settings::LogLevel::Trace));
    assert!(!log.append_file && log.compress && !log.realtime && log.engine_coms);
}

#[test]
fn the_form_of_cutechess_has_no_pairs() {
    assert!(good("").by_pairs() && !good("-output format=cutechess").by_pairs());
}

#[test]
fn a_quick_match() {
    let settings = read("-quick cmd=x cmd=x book=b.epd -variant supply").unwrap().settings;
    assert_eq!((settings.rounds, settings.games, settings.engines[1].name.as_str()), (25_000, 2, "x_2"));
    assert_eq!((settings.output, settings.opening.order), (OutputFormat::Cutechess, Order::Random));
    assert!(read("-quick cmd=x book=b.epd -variant supply").unwrap_err().to_string().contains("two"));
    assert!(read("-quick cmd=x cmd=y -variant supply").unwrap_err().to_string().contains("book="));
}

#[test]
fn resume_needs_nothing_else() {
    let request = read("-config file=x.json stats=false").unwrap();
    assert_eq!(request.resume, Some(Resume { file: "x.json".into(), outname: None, stats: false }));
    assert_eq!(read("-config file=x.json outname=y.json").unwrap().resume.unwrap().outname, Some("y.json".into()));
    // The rest of the line holds then.
    assert_eq!(good("-config file=x.json discard=true outname=y.json").config_name, "y.json");
    let words = value::split_quoted("-config file=x -rounds 7 -wait 5 -strict");
    let settings = resumed(&words, good("-event E")).unwrap();
    assert_eq!((settings.rounds, settings.wait, settings.strict), (7, 5, true));
    assert_eq!((settings.pgn.event_name.as_str(), settings.engines.len()), ("E", 2));
    assert!(resumed(&value::split_quoted("-config file=x -concurrency 9999"), good("")).is_err());
    assert_eq!(good("-config outname=y.json").config_name, "y.json");
    assert_eq!(read("-config file=x.json -rounds 70 -concurrency 1").unwrap().settings.rounds, 70);
    assert!(read("-config file=x.json -variant supply").unwrap_err().to_string().contains("-variant"));
}

#[test]
fn settings_survive_json() {
    let settings = good("-sprt elo0=0 elo1=5 -openings random plies=4 -pgnout file=x.pgn notation=uci -srand 9");
    let text = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
}
