; From the particular to the general: the first pattern that speaks of a node wins.

; What a function has inside has no name outside.
(function_definition body: (compound_statement) @unnamed)

; A type and its other name are one thing.
(type_definition type: (struct_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @enum
(type_definition declarator: (_) @name) @type

; As are a type and the variable that is declared with it.
(declaration type: (struct_specifier name: (_) @name body: (_) @body) @claimed) @struct
(declaration type: (union_specifier name: (_) @name body: (_) @body) @claimed) @struct
(declaration type: (enum_specifier name: (_) @name body: (_) @body) @claimed) @enum

(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum

(function_definition declarator: (_) @name) @function

(declaration declarator: (function_declarator declarator: (identifier)) @name) @function @announced
(declaration declarator: (pointer_declarator (function_declarator declarator: (identifier))) @name) @function @announced
(declaration declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier)))) @name) @function @announced

(declaration declarator: (init_declarator value: (_) @value) @name) @variable
(declaration declarator: (_) @name) @variable
(field_declaration declarator: (_) @name) @variable

(preproc_def name: (_) @name value: (_)? @value) @constant
(preproc_function_def name: (_) @name value: (_)? @value) @function
