//! What HTML says of its tags: which have no content, which hold text alone, whose end tag may be left out, and what
//! closes them. After <https://html.spec.whatwg.org/multipage/parsing.html>, of which this keeps what shows in a file:
//! elements stand where their tags stand, and none is invented (no `tbody` that nobody wrote).

/// Elements without content, which have no end tag.
const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
];

/// Elements whose content is text, whatever it looks like.
const RAW: [&str; 9] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"];

/// Elements whose end tag may be left out.
const OPTIONAL_END: [&str; 21] = [
    "html", "head", "body", "p", "li", "dd", "dt", "option", "optgroup", "rb", "rt", "rp", "rtc", "tbody", "thead",
    "tfoot", "tr", "td", "th", "caption", "colgroup",
];

/// Elements that an end tag of an ordinary element does not reach over.
const SPECIAL: [&str; 76] = [
    "address",
    "applet",
    "article",
    "aside",
    "base",
    "basefont",
    "bgsound",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "iframe",
    "img",
    "input",
    "keygen",
    "li",
    "link",
    "listing",
    "main",
    "marquee",
    "menu",
    "meta",
    "nav",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "p",
    "param",
    "plaintext",
    "pre",
    "script",
    "search",
    "section",
    "select",
    "source",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
];

/// The rest of the special ones.
const SPECIAL_TOO: [&str; 5] = ["title", "tr", "track", "ul", "wbr"];

/// Elements that keep what is inside of them from closing what is outside.
const SCOPE: [&str; 9] = ["applet", "caption", "html", "table", "td", "th", "marquee", "object", "template"];

/// Elements whose start closes a `p`.
const CLOSES_P: [&str; 45] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "header",
    "hgroup",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "search",
    "section",
    "summary",
    "ul",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "listing",
    "form",
    "table",
    "hr",
    "xmp",
    "plaintext",
    "li",
    "dd",
    "dt",
    "frameset",
    "tbody",
    "thead",
    "tfoot",
];

/// What may stand in a `head`.
const OF_HEAD: [&str; 11] =
    ["base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"];

/// HTML elements that end the SVG or MathML that they stand in.
const BREAKS_OUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

/// Elements whose white space at the edges nobody sees, so that their content may move to lines of its own.
const BLOCK: [&str; 58] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "canvas",
    "caption",
    "center",
    "colgroup",
    "datalist",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "html",
    "li",
    "main",
    "menu",
    "nav",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "p",
    "script",
    "search",
    "section",
    "select",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// Says whether elements of this name have no content.
pub fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// Says whether elements of this name hold text alone.
pub fn is_raw(name: &str) -> bool {
    RAW.contains(&name)
}

/// Says whether every blank inside an element of this name counts.
pub fn keeps_blanks(name: &str) -> bool {
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
pub fn closes_p(name: &str) -> bool {
    CLOSES_P.contains(&name)
}

/// Says whether a `head` ends where such an element begins.
pub fn ends_head(name: &str) -> bool {
    !OF_HEAD.contains(&name)
}

/// Says whether such an element does not stand in SVG or MathML.
pub fn breaks_out(name: &str) -> bool {
    BREAKS_OUT.contains(&name)
}

/// Says whether HTML goes on inside of such an element of SVG or MathML.
pub fn is_integration_point(name: &str) -> bool {
    matches!(name, "foreignobject" | "desc" | "title" | "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml")
}

/// Says whether the end tag of `name` stops looking for its start at an open `around`.
pub fn shields(around: &str, name: &str) -> bool {
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
pub fn ends(name: &str, open: &str) -> bool {
    match name {
        "li" => open == "li",
        "dd" | "dt" => matches!(open, "dd" | "dt"),
        "option" => open == "option",
        "optgroup" => matches!(open, "option" | "optgroup"),
        "tr" => matches!(open, "tr" | "caption" | "colgroup"),
        "td" | "th" => matches!(open, "td" | "th"),
        "tbody" | "thead" | "tfoot" => matches!(open, "tbody" | "thead" | "tfoot" | "caption" | "colgroup"),
        "caption" | "colgroup" => matches!(open, "caption" | "colgroup"),
        "rb" | "rt" | "rtc" | "rp" => matches!(open, "rb" | "rt" | "rp" | "rtc"),
        _ => false,
    }
}

/// Says whether the start of `name` ends nothing that is outside of an open `around`.
pub fn bounds(around: &str, name: &str) -> bool {
    match name {
        "li" | "dd" | "dt" => is_special(around) && !matches!(around, "address" | "div" | "p" | "li" | "dd" | "dt"),
        "option" | "optgroup" => !matches!(around, "option" | "optgroup"),
        "tr" => matches!(around, "table" | "tbody" | "thead" | "tfoot" | "template"),
        "td" | "th" => matches!(around, "table" | "tr" | "template"),
        "tbody" | "thead" | "tfoot" | "caption" | "colgroup" => matches!(around, "table" | "template"),
        _ => !matches!(around, "rb" | "rt" | "rp" | "rtc"),
    }
}

/// Says whether no `p` outside of an open `around` ends where something begins inside of it.
pub fn shields_p(around: &str) -> bool {
    around == "button" || SCOPE.contains(&around)
}
