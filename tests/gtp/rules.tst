# Rules of Fangqi and replies of the GTP front, for gogui-regress:
#   gogui-regress "sanqi-adapter gtp --nodes 1000" rules.tst

1 protocol_version
#? [2]
2 gogui-rules_game_id
#? [Fangqi]
3 gogui-rules_board_size
#? [7]
4 boardsize 7
#? []
5 gogui-rules_side_to_move
#? [black]
6 gogui-rules_final_result
#? [the game goes on, black to play]

# FQ-3: E5 completes a square; the white stones C4, F5 and D6 beside it leave the board.
clear_board
gogui-play_sequence b d4 w c4 b e4 w f5 b d5 w d6
10 fangqi-captures b
#? [(?s).*LABEL E5 3.*MARK C4 F5 D6.*]
11 fangqi-preview b e5
#? [(?s).*MARK C4 F5 D6.*]
play b e5
12 gogui-rules_captured_count
#? [3 0]
13 gogui-rules_side_to_move
#? [white]
14 gogui-rules_board
#? [(?s)\. \. \. \. \. \. \.\n\. \. \. \. \. \. \.\n\. \. \. X X \. \.\n\. \. \. X X \. \.\n.*]
15 fangqi-hands
#? [In hand: Black 16, White 17]
undo
16 gogui-rules_captured_count
#? [0 0]
gg-undo 6
17 gogui-rules_captured_count
#? [0 0]

# FQ-3: the diagonal neighbours of a square are safe.
clear_board
gogui-play_sequence b d4 w c3 b e4 w f6 b d5 w c6 b e5
20 gogui-rules_captured_count
#? [0 0]

# FQ-4: a square that stands captures nothing.
play w c4
play b a1
21 gogui-rules_captured_count
#? [0 0]

# The captures of a file are found by playing it.
loadsgf capture.sgf
30 gogui-rules_captured_count
#? [3 0]
loadsgf capture.sgf 7
31 gogui-rules_captured_count
#? [0 0]
32 gogui-rules_side_to_move
#? [black]

# FQ-7: the stones are counted when they are all placed, and programs end the game by passing.
loadsgf finished.sgf
40 gogui-rules_legal_moves
#? []
41 final_score
#? [B\+15]
42 gogui-rules_final_result
#? [Black wins: 20 to 5 stones]
43 reg_genmove b
#? [pass]
44 genmove b
#? [pass]
45 genmove w
#? [pass]
46 final_score
#? [B\+15]

# Nineteen black stones against twenty: the last stone draws on every point but one, which takes two and wins.
clear_board
gogui-setup b a3 b a5 b a7 b b5 b b6 b c1 b c3 b c5 b d5 b e1 b e2 b e3 b e7 b f1 b f2 b g3 b g4 b g6 b g7 w a1 w b1 w b2 w b3 w b7 w c4 w c6 w c7 w d1 w d2 w d3 w d4 w d6 w d7 w e5 w e6 w f3 w f5 w g1 w g2
50 fangqi-hands
#? [In hand: Black 1, White 0]
51 reg_genmove b
#? [A6]
52 fangqi-variation
#? [A6 .*]
53 genmove b
#? [A6]
54 final_score
#? [B\+2]
