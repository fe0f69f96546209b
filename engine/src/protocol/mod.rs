//! Sessions: uci, ucci and cyclone; the only place where text becomes a game.
