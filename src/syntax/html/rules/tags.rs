//! What HTML says of each tag, by the tables of `names`.

use super::names::{
    BLOCK, BREAKS_OUT, CLOSES_P, OF_HEAD, OPTIONAL_END, RAW, SCOPE, SPECIAL, SPECIAL_TOO, VOID,
};

/// Says whether elements of this name have no content.
pub fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// Says whether elements of this name hold text alone.
pub(crate) fn is_raw(name: &str) -> bool {
    RAW.contains(&name)
}

/// Says whether every blank inside an element of this name counts.
pub(crate) fn keeps_blanks(name: &str) -> bool {
    matches!(name, "pre" | "textarea" | "listing" | "xmp" | "plaintext")
}

/// Says whether white space at the edges of such an element's content is not seen.
pub fn is_block(name: &str) -> bool {
    BLOCK.contains(&name)
}

/// Says whether the end tag may be left out.
pub fn end_is_optional(name: &str) -> bool {
    OPTIONAL_END.contains(&name)
}

/// Says whether a `p` ends where such an element begins.
pub(crate) fn closes_p(name: &str) -> bool {
    CLOSES_P.contains(&name)
}

/// Says whether a `head` ends where such an element begins.
pub(crate) fn ends_head(name: &str) -> bool {
    !OF_HEAD.contains(&name)
}

/// Says whether such an element is not in SVG or MathML.
pub(crate) fn breaks_out(name: &str) -> bool {
    BREAKS_OUT.contains(&name)
}

/// Says whether HTML goes on inside of such an element of SVG or MathML.
pub(crate) fn is_integration_point(name: &str) -> bool {
    matches!(
        name,
        "foreignobject" | "desc" | "title" | "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml"
    )
}

/// Says whether the end tag of `name` stops looking for its start at an open `around`.
pub(crate) fn stops_end_tag(around: &str, name: &str) -> bool {
    match name {
        "html" | "body" | "head" => false,
        "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "caption" | "colgroup" => {
            matches!(around, "table" | "template")
        }
        "p" => around == "button" || SCOPE.contains(&around),
        "li" => matches!(around, "ol" | "ul") || SCOPE.contains(&around),
        _ if is_special(name) => SCOPE.contains(&around),
        _ => is_special(around),
    }
}

fn is_special(name: &str) -> bool {
    SPECIAL.contains(&name) || SPECIAL_TOO.contains(&name)
}

/// Says whether the start of `name` ends an open `open`, when nothing that `bounds` it is between them.
pub(crate) fn ends_open(name: &str, open: &str) -> bool {
    match name {
        "li" => open == "li",
        "dd" | "dt" => matches!(open, "dd" | "dt"),
        "option" => open == "option",
        "optgroup" => matches!(open, "option" | "optgroup"),
        "tr" => matches!(open, "tr" | "caption" | "colgroup"),
        "td" | "th" => matches!(open, "td" | "th"),
        "tbody" | "thead" | "tfoot" => {
            matches!(open, "tbody" | "thead" | "tfoot" | "caption" | "colgroup")
        }
        "caption" | "colgroup" => matches!(open, "caption" | "colgroup"),
        "rb" | "rt" | "rtc" | "rp" => matches!(open, "rb" | "rt" | "rp" | "rtc"),
        _ => false,
    }
}

/// Says whether the start of `name` ends nothing that is outside of an open `around`.
pub(crate) fn stops_ending(around: &str, name: &str) -> bool {
    match name {
        "li" | "dd" | "dt" => {
            is_special(around) && !matches!(around, "address" | "div" | "p" | "li" | "dd" | "dt")
        }
        "option" | "optgroup" => !matches!(around, "option" | "optgroup"),
        "tr" => matches!(around, "table" | "tbody" | "thead" | "tfoot" | "template"),
        "td" | "th" => matches!(around, "table" | "tr" | "template"),
        "tbody" | "thead" | "tfoot" | "caption" | "colgroup" => {
            matches!(around, "table" | "template")
        }
        _ => !matches!(around, "rb" | "rt" | "rp" | "rtc"),
    }
}

/// Says whether no `p` outside of an open `around` ends where something begins inside of it.
pub(crate) fn shields_p(around: &str) -> bool {
    around == "button" || SCOPE.contains(&around)
}
