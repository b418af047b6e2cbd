; From the particular to the general: the first pattern that speaks of a node wins.

; What a function has inside has no name outside, but for what it returns as a type.
(function_declaration body: (block) @unnamed)
(test_declaration) @unnamed

(variable_declaration (identifier) @name . [(struct_declaration) (union_declaration) (opaque_declaration)] @body) @struct
(variable_declaration (identifier) @name . (enum_declaration) @body) @enum
(struct_declaration (function_declaration name: (_) @name) @method)
(union_declaration (function_declaration name: (_) @name) @method)
(enum_declaration (function_declaration name: (_) @name) @method)
(opaque_declaration (function_declaration name: (_) @name) @method)
(function_declaration name: (_) @name) @function
(variable_declaration . "pub"? . ["const" "var"] . (identifier) @name) @variable
(struct_declaration (container_field name: (_) @name) @variable)
