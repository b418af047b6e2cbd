//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

#[test]
fn models_and_their_fields() {
    check_names(
        "a.prisma",
        "datasource db {\n  provider = \"x\"\n  url      = env(\"X\")\n}\n\ngenerator client {\n  provider = \"y\"\n}\n\nmodel User {\n  id    Int     @id @default(autoincrement())\n  posts Post[]\n\n  @@index([id])\n}\n\nenum Role {\n  ADMIN\n}\n\ntype Place {\n  street String\n}\n\nview Seen {\n  id Int\n}\n",
        "struct db\n  variable provider\n  variable url\nstruct client\n  variable provider\nclass User\n  variable id\n  variable posts\nenum Role\nclass Place\n  variable street\nclass Seen\n  variable id",
    );
}

#[test]
fn bodies_and_documents() {
    let source = "// note\n\n/// Says it.\nmodel User {\n  /// The key.\n  id Int @id // once\n  name String?\n}\n";
    check_parts(
        "a.prisma",
        source,
        "User",
        &[
            ("comment", "/// Says it."),
            (
                "definition",
                "model User {\n  /// The key.\n  id Int @id // once\n  name String?\n}",
            ),
            ("signature", "model User"),
            (
                "body",
                "  /// The key.\n  id Int @id // once\n  name String?",
            ),
            ("docstring", "/// Says it."),
        ],
    );
    check_parts(
        "a.prisma",
        source,
        "User.id",
        &[
            ("comment", "/// The key."),
            ("definition", "id Int @id"),
            ("signature", "id Int @id"),
            ("docstring", "/// The key."),
        ],
    );
}

#[test]
fn a_field_stands_in_a_model() {
    check_fragment(
        "a.prisma",
        "id Int @id\n",
        Some(crate::syntax::SegmentKind::Class),
        &[("variable id", "id Int @id")],
    );
}
