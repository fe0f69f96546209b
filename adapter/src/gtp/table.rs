//! The commands by name.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Action {
    AnalyzeCommands,
    BoardSize,
    Captures,
    ClearBoard,
    CpuTime,
    Evaluation,
    FinalScore,
    FinalStatusList,
    Genmove,
    Hands,
    Interrupt,
    Known,
    Komi,
    List,
    LoadSgf,
    Name,
    ParamSeed,
    ParamStrength,
    ParamTime,
    Play,
    PlaySequence,
    Preview,
    PrintSgf,
    ProtocolVersion,
    Quit,
    RegGenmove,
    RulesBoard,
    RulesBoardGfx,
    RulesBoardSize,
    RulesCapturedCount,
    RulesFinalResult,
    RulesGameId,
    RulesLegalMoves,
    RulesSideToMove,
    SetUp,
    SetUpPlayer,
    ShowBoard,
    TimeLeft,
    TimeSettings,
    Title,
    Undo,
    UndoSeveral,
    Variation,
    Version,
}

/// Every command, in the order of `list_commands`.
pub(super) const COMMANDS: &[(&str, Action)] = &[
    ("protocol_version", Action::ProtocolVersion),
    ("name", Action::Name),
    ("version", Action::Version),
    ("known_command", Action::Known),
    ("list_commands", Action::List),
    ("quit", Action::Quit),
    ("boardsize", Action::BoardSize),
    ("clear_board", Action::ClearBoard),
    ("komi", Action::Komi),
    ("play", Action::Play),
    ("genmove", Action::Genmove),
    ("reg_genmove", Action::RegGenmove),
    ("undo", Action::Undo),
    ("gg-undo", Action::UndoSeveral),
    ("showboard", Action::ShowBoard),
    ("time_settings", Action::TimeSettings),
    ("time_left", Action::TimeLeft),
    ("final_score", Action::FinalScore),
    ("final_status_list", Action::FinalStatusList),
    ("loadsgf", Action::LoadSgf),
    ("printsgf", Action::PrintSgf),
    ("cputime", Action::CpuTime),
    ("gogui-analyze_commands", Action::AnalyzeCommands),
    ("gogui-interrupt", Action::Interrupt),
    ("gogui-param_seed", Action::ParamSeed),
    ("gogui-param_strength", Action::ParamStrength),
    ("gogui-param_time", Action::ParamTime),
    ("gogui-play_sequence", Action::PlaySequence),
    ("gogui-rules_board", Action::RulesBoard),
    ("gogui-rules_board_gfx", Action::RulesBoardGfx),
    ("gogui-rules_board_size", Action::RulesBoardSize),
    ("gogui-rules_captured_count", Action::RulesCapturedCount),
    ("gogui-rules_final_result", Action::RulesFinalResult),
    ("gogui-rules_game_id", Action::RulesGameId),
    ("gogui-rules_legal_moves", Action::RulesLegalMoves),
    ("gogui-rules_side_to_move", Action::RulesSideToMove),
    ("gogui-setup", Action::SetUp),
    ("gogui-setup_player", Action::SetUpPlayer),
    ("gogui-title", Action::Title),
    ("fangqi-captures", Action::Captures),
    ("fangqi-evaluation", Action::Evaluation),
    ("fangqi-hands", Action::Hands),
    ("fangqi-preview", Action::Preview),
    ("fangqi-variation", Action::Variation),
];

/// The command of a name; names are case-sensitive.
pub(super) fn find(name: &str) -> Option<Action> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|&(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_analyze_command_exists() {
        for line in super::super::analysis::COMMANDS {
            let command = line.split('/').nth(2).and_then(|c| c.split(' ').next()).unwrap();
            assert!(find(command).is_some(), "{line}");
        }
        assert_eq!(find("Play"), None);
    }
}
