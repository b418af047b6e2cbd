//! Differences between two versions of one text. Home of `similar` (emphasis inside a line, similarity).
