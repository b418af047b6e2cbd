//! All segments of a file, or those that names fit.

use super::called;
use super::reading::Reading;
use super::segment::Segment;

/// Returns every segment of a document, blocks and regions too, described, in file order.
pub fn segments(reading: &Reading<'_>) -> Vec<Segment> {
    called::segments(reading)
}

/// Returns the segments that `name` names, blocks and regions too, described, in file order. The name is qualified or not, a
/// heading with its markers or without.
pub fn segments_called(reading: &Reading<'_>, name: &str) -> Vec<Segment> {
    called::matching(reading, |names| names.answer_to(name))
        .into_iter()
        .map(|called| called.segment)
        .collect()
}
