//! Weights of the evaluation of xiangqi, in the order of the features of [`super::xiangqi`]: opening, end, in centipawns.
use super::Weight;
use super::xiangqi::FEATURES;

#[rustfmt::skip]
pub(super) static WEIGHTS: [Weight; FEATURES] = [
    // Chariot by rank, edge file to centre
    Weight(910, 950), Weight(918, 954), Weight(918, 954), Weight(926, 958), Weight(924, 957),
    Weight(920, 955), Weight(928, 959), Weight(928, 959), Weight(936, 963), Weight(934, 962),
    Weight(922, 956), Weight(930, 960), Weight(930, 960), Weight(938, 964), Weight(936, 963),
    Weight(926, 958), Weight(934, 962), Weight(934, 962), Weight(942, 966), Weight(940, 965),
    Weight(932, 961), Weight(940, 965), Weight(940, 965), Weight(948, 969), Weight(946, 968),
    Weight(934, 962), Weight(942, 966), Weight(942, 966), Weight(950, 970), Weight(948, 969),
    Weight(944, 967), Weight(952, 971), Weight(952, 971), Weight(960, 975), Weight(958, 974),
    Weight(936, 963), Weight(944, 967), Weight(944, 967), Weight(952, 971), Weight(950, 970),
    Weight(944, 967), Weight(952, 971), Weight(952, 971), Weight(960, 975), Weight(958, 974),
    Weight(934, 962), Weight(942, 966), Weight(942, 966), Weight(950, 970), Weight(948, 969),
    // Horse by rank, edge file to centre
    Weight(354, 417), Weight(366, 423), Weight(374, 427), Weight(374, 427), Weight(372, 426),
    Weight(366, 423), Weight(378, 429), Weight(386, 433), Weight(386, 433), Weight(372, 426),
    Weight(384, 432), Weight(396, 438), Weight(410, 445), Weight(404, 442), Weight(402, 441),
    Weight(388, 434), Weight(400, 440), Weight(408, 444), Weight(408, 444), Weight(406, 443),
    Weight(398, 439), Weight(410, 445), Weight(418, 449), Weight(418, 449), Weight(416, 448),
    Weight(400, 440), Weight(412, 446), Weight(420, 450), Weight(420, 450), Weight(418, 449),
    Weight(410, 445), Weight(422, 451), Weight(430, 455), Weight(430, 455), Weight(428, 454),
    Weight(410, 445), Weight(422, 451), Weight(444, 462), Weight(430, 455), Weight(428, 454),
    Weight(396, 438), Weight(408, 444), Weight(432, 456), Weight(416, 448), Weight(414, 447),
    Weight(368, 424), Weight(380, 430), Weight(388, 434), Weight(388, 434), Weight(386, 433),
    // Elephant by rank, edge file to centre
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(165, 175), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(187, 197),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185), Weight(175, 185),
    // Advisor by rank, edge file to centre
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(186, 196),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(176, 186), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190), Weight(180, 190),
    // Cannon by rank, edge file to centre
    Weight(456, 418), Weight(460, 420), Weight(460, 420), Weight(462, 421), Weight(468, 424),
    Weight(458, 419), Weight(462, 421), Weight(462, 421), Weight(464, 422), Weight(470, 425),
    Weight(460, 420), Weight(464, 422), Weight(464, 422), Weight(466, 423), Weight(480, 426),
    Weight(456, 418), Weight(460, 420), Weight(460, 420), Weight(462, 421), Weight(468, 424),
    Weight(458, 419), Weight(462, 421), Weight(462, 421), Weight(464, 422), Weight(470, 425),
    Weight(458, 419), Weight(462, 421), Weight(462, 421), Weight(464, 422), Weight(470, 425),
    Weight(452, 416), Weight(456, 418), Weight(456, 418), Weight(458, 419), Weight(464, 422),
    Weight(456, 418), Weight(460, 420), Weight(460, 420), Weight(462, 421), Weight(468, 424),
    Weight(452, 416), Weight(456, 418), Weight(456, 418), Weight(458, 419), Weight(456, 422),
    Weight(474, 423), Weight(478, 425), Weight(476, 425), Weight(462, 426), Weight(462, 429),
    // Soldier by rank, edge file to centre
    Weight(84, 93), Weight(88, 95), Weight(96, 99), Weight(88, 95), Weight(106, 104),
    Weight(84, 93), Weight(88, 95), Weight(96, 99), Weight(88, 95), Weight(106, 104),
    Weight(84, 93), Weight(88, 95), Weight(96, 99), Weight(88, 95), Weight(106, 104),
    Weight(81, 93), Weight(85, 95), Weight(93, 99), Weight(85, 95), Weight(103, 104),
    Weight(84, 97), Weight(88, 99), Weight(96, 103), Weight(88, 99), Weight(106, 108),
    Weight(126, 146), Weight(138, 158), Weight(146, 166), Weight(158, 178), Weight(164, 184),
    Weight(154, 176), Weight(166, 188), Weight(174, 196), Weight(186, 208), Weight(192, 214),
    Weight(164, 186), Weight(176, 198), Weight(184, 206), Weight(196, 218), Weight(202, 224),
    Weight(150, 168), Weight(162, 180), Weight(170, 188), Weight(182, 200), Weight(188, 206),
    Weight(72, 46), Weight(84, 58), Weight(92, 66), Weight(104, 78), Weight(110, 84),
    // General by rank, edge file to centre
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(-28, -6), Weight(-28, -6), Weight(-28, -6), Weight(-42, -10), Weight(-28, 0),
    Weight(-50, -10), Weight(-50, -10), Weight(-50, -10), Weight(-64, -14), Weight(-50, -4),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(-14, -4), Weight(0, 6),
    // reserves: each, the first, beyond the second
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0),
    Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0),
    // Chariot mobility
    Weight(-34, -30), Weight(-29, -26), Weight(-24, -22), Weight(-19, -18), Weight(-14, -14), Weight(-9, -10), Weight(-4, -6), Weight(1, -2), Weight(6, 2), Weight(11, 6), Weight(16, 10), Weight(21, 14), Weight(26, 18), Weight(28, 22), Weight(30, 26), Weight(32, 30), Weight(34, 34), Weight(36, 38),
    // Horse mobility
    Weight(-44, -40), Weight(-24, -22), Weight(-8, -8), Weight(2, 2), Weight(10, 10), Weight(16, 16), Weight(22, 20), Weight(26, 24), Weight(30, 26),
    // Cannon mobility
    Weight(-14, -14), Weight(-12, -12), Weight(-10, -10), Weight(-8, -8), Weight(-6, -6), Weight(-4, -4), Weight(-2, -2), Weight(0, 0), Weight(2, 2), Weight(4, 4), Weight(6, 6), Weight(8, 8), Weight(10, 10), Weight(11, 12), Weight(12, 14), Weight(13, 16), Weight(14, 18), Weight(15, 20),
    // palace squares attacked
    Weight(6, 4), Weight(8, 8), Weight(5, 3), Weight(8, 8),
    // attackers of the palace
    Weight(0, 0), Weight(4, 2), Weight(22, 12), Weight(54, 30), Weight(88, 50), Weight(116, 66), Weight(136, 78), Weight(148, 86),
    // missing guards
    Weight(16, 18), Weight(9, 7), Weight(9, 11),
    // lines to the General
    Weight(20, 16),
    Weight(70, 50), Weight(45, 30),
    Weight(22, 16),
    Weight(24, 12), Weight(26, 16),
    Weight(12, 12),
    // soldiers side by side
    Weight(14, 22),
    // hanging by type
    Weight(46, 46), Weight(30, 30), Weight(14, 14), Weight(14, 14), Weight(30, 30), Weight(9, 12),
    // attacked by lesser pieces
    Weight(38, 38), Weight(28, 26),
    // reserves times attackers, own and enemy
    Weight(0, 0), Weight(0, 0),
];
