//! Templates of YAML: Helm charts, Jinja, Go templates. Their keys are not known before they are rendered.

use crate::text::{Lines, Span};

/// Says whether the text holds template tags outside of comments: `{{ … }}` or `{% … %}`, but not the `${{ … }}` of
/// workflows, which is ordinary text to YAML.
pub fn is_template(source: &[u8]) -> bool {
    tags(source).next().is_some()
}

/// Returns the text with its tags taken out, as long as it was: a line of tags alone becomes a comment, a tag among other
/// words a word. `None` when there are none.
pub fn masked(source: &[u8]) -> Option<Vec<u8>> {
    let tags: Vec<Span> = tags(source).collect();
    if tags.is_empty() {
        return None;
    }
    let mut masked = source.to_vec();
    for tag in &tags {
        masked[tag.start..tag.end].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b'x');
    }
    let lines = Lines::of(source);
    for line in 1..=lines.count() {
        let content = lines.content(source, line);
        let outside = (content.start..content.end).filter(|&at| !source[at].is_ascii_whitespace());
        let mut words = outside.peekable();
        let Some(&first) = words.peek() else { continue };
        if words.all(|at| is_inside(&tags, at)) {
            masked[first] = b'#';
        }
    }
    Some(masked)
}

fn is_inside(tags: &[Span], at: usize) -> bool {
    let behind = tags.partition_point(|tag| tag.end <= at);
    tags.get(behind).is_some_and(|tag| tag.start <= at)
}

/// Returns the tags in file order.
fn tags(source: &[u8]) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + source.get(at..)?.windows(2).position(|pair| matches!(pair, b"{{" | b"{%" | b"{#"))?;
            let close: &[u8] = match source[open + 1] {
                b'{' => b"}}",
                b'%' => b"%}",
                _ => b"#}",
            };
            at = open + 2;
            if open > 0 && source[open - 1] == b'$' || in_comment(source, open) {
                continue;
            }
            let rest = source.get(at..)?;
            let Some(length) = rest.windows(2).position(|pair| pair == close) else { continue };
            at += length + 2;
            return Some(Span::new(open, at));
        }
    })
}

fn in_comment(source: &[u8], offset: usize) -> bool {
    let ahead = &source[..offset];
    let line = ahead.iter().rposition(|&byte| byte == b'\n').map_or(ahead, |at| &ahead[at + 1..]);
    line.trim_ascii_start().starts_with(b"#")
}
