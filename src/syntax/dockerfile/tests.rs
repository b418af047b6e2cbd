//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

const SOURCE: &str = "# syntax=docker/dockerfile:1\n# What to build with.\nARG VERSION=1.2\nFROM --platform=$BUILDPLATFORM rust:${VERSION} AS build\n# Where.\nENV HOME=/shop\nENV PATH /shop/bin:$PATH\nENV A=1 B=2\nARG TARGET\nRUN apt-get install \\\n    # what for\n\n    curl \\\n    git\n# Last.\n\n# What is sold.\nfrom build as v1.2\nRUN <<EOF cat <<-'TILL' && echo \"<<NONE\"\nENV INSIDE=1\nEOF\n\tENV INSIDE=2\n\tTILL\nENV SHOP=\"a b\"\n\nFROM scratch\nENV PORT=\"1 \\\n\n2\"\nCOPY --from=build /a /b\n";

#[test]
fn stages_and_what_they_set() {
    for file in [
        "Dockerfile",
        "dockerfile",
        "Dockerfile.dev",
        "shop.dockerfile",
        "Containerfile",
        "Containerfile.arm64",
    ] {
        check_names(
            file,
            SOURCE,
            "variable VERSION\nstruct build\n  variable HOME\n  variable PATH\n  variable TARGET\nstruct \"v1.2\"\n  variable SHOP\nvariable PORT",
        );
    }
    check_comments(
        "Dockerfile",
        SOURCE,
        &[
            "# syntax=docker/dockerfile:1",
            "# What to build with.",
            "# Where.",
            "# what for",
            "# Last.",
            "# What is sold.",
        ],
    );
    check_roles(
        "Dockerfile",
        SOURCE,
        None,
        "c c c c c c c c c c F F F F c _ c c c F F F F c _ c c F F c",
    );
}

#[test]
fn parts_of_stages_and_variables() {
    let parts = |path: &str, expected: &[(&str, &str)]| {
        check_parts("Dockerfile", SOURCE, path, expected);
    };
    parts(
        "VERSION",
        &[
            ("comment", "# What to build with."),
            ("definition", "ARG VERSION=1.2"),
            ("signature", "ARG VERSION"),
            ("body", "1.2"),
        ],
    );
    parts(
        "build.HOME",
        &[
            ("comment", "# Where."),
            ("definition", "ENV HOME=/shop"),
            ("signature", "ENV HOME"),
            ("body", "/shop"),
        ],
    );
    parts(
        "build.PATH",
        &[
            ("definition", "ENV PATH /shop/bin:$PATH"),
            ("signature", "ENV PATH"),
            ("body", "/shop/bin:$PATH"),
        ],
    );
    let source = "FROM a AS b\nRUN <<EOF\nc\nEOF\n# D.\n\n# E.\nFROM f AS g\n";
    check_parts(
        "Dockerfile",
        source,
        "b",
        &[
            ("definition", "FROM a AS b\nRUN <<EOF\nc\nEOF\n# D."),
            ("signature", "FROM a AS b"),
            ("body", "RUN <<EOF\nc\nEOF\n# D."),
        ],
    );
    check_parts(
        "Dockerfile",
        source,
        "g",
        &[
            ("comment", "# E."),
            ("definition", "FROM f AS g"),
            ("signature", "FROM f AS g"),
        ],
    );
}

#[test]
fn the_escape_is_what_the_file_says() {
    let source = "# escape=`\nFROM a AS b\nRUN dir C:\\\nENV C=\"1 `\n\n  `\n2\"\n";
    check_parts(
        "Dockerfile",
        source,
        "b.C",
        &[
            ("definition", "ENV C=\"1 `\n\n  `\n2\""),
            ("signature", "ENV C"),
            ("body", "\"1 `\n\n  `\n2\""),
        ],
    );
}

#[test]
fn what_docker_does_not_read_is_an_error() {
    let errors = |source: &str, expected: &[&str]| check_errors("Dockerfile", source, expected);
    errors(
        "FROM a\nINSTALL curl\n",
        &["7: Docker knows no instruction `INSTALL`"],
    );
    errors(
        "FROM a\nRUN <<EOF\nb\n",
        &["7: a here-document does not end"],
    );
    errors("FROM a\nRUN b \\\n", &[]);
    errors(
        "FROM a\nRUN echo \"<<EOF\" <<<b $((1<<2)) $((1 << 2))\n",
        &[],
    );
    errors("# syntax=shop/own:1\nFROM a\nINSTALL curl\n", &[]);
    errors(
        "ARG A=1\nRUN b\nFROM a\nINSTALL curl\n",
        &[
            "8: `RUN` above the first `FROM`",
            "21: Docker knows no instruction `INSTALL`",
        ],
    );
    errors("# A piece of another.\nRUN b\n", &[]);
}
