; From the particular to the general: the first pattern that speaks of a node wins.

; What a function has inside has no name outside.
(function_definition body: (compound_statement) @unnamed)
(lambda_expression) @unnamed

(namespace_definition name: (nested_namespace_specifier (namespace_identifier) @owner . (namespace_identifier) @name .)) @module
(namespace_definition name: (namespace_identifier) @name) @module

; A type and its other name are one thing.
(type_definition type: (struct_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier body: (_) @body) @claimed declarator: (type_identifier) @name) @enum
(type_definition declarator: (_) @name) @type
(alias_declaration name: (_) @name type: (_) @value) @type
(concept_definition name: (_) @name) @type

; As are a type and the variable that is declared with it.
(declaration type: (class_specifier name: (_) @name body: (_) @body) @claimed) @class
(declaration type: (struct_specifier name: (_) @name body: (_) @body) @claimed) @struct
(declaration type: (union_specifier name: (_) @name body: (_) @body) @claimed) @struct
(declaration type: (enum_specifier name: (_) @name body: (_) @body) @claimed) @enum
(field_declaration type: (class_specifier name: (_) @name body: (_) @body) @claimed) @class
(field_declaration type: (struct_specifier name: (_) @name body: (_) @body) @claimed) @struct
(field_declaration type: (union_specifier name: (_) @name body: (_) @body) @claimed) @struct
(field_declaration type: (enum_specifier name: (_) @name body: (_) @body) @claimed) @enum

(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum

(field_declaration_list (function_definition declarator: (_) @name) @method)
(field_declaration_list (template_declaration (function_definition declarator: (_) @name) @method))
(function_definition declarator: (function_declarator declarator: (qualified_identifier)) @name) @method
(function_definition declarator: (pointer_declarator (function_declarator declarator: (qualified_identifier))) @name) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier))) @name) @method
(function_definition declarator: (_) @name) @function

(field_declaration declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)]) @name) @method
(field_declaration declarator: (pointer_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)])) @name) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)])) @name) @method
(field_declaration declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)]))) @name) @method
(field_declaration_list (declaration declarator: (function_declarator) @name) @method)
(field_declaration_list (template_declaration (declaration declarator: (_) @name) @method))
(declaration declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)]) @name) @function @announced
(declaration declarator: (pointer_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)])) @name) @function @announced
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)])) @name) @function @announced
(declaration declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (template_function)]))) @name) @function @announced

(declaration declarator: (init_declarator value: (_) @value) @name) @variable
(declaration declarator: (_) @name) @variable
(field_declaration declarator: (_) @name default_value: (_) @value) @variable
(field_declaration declarator: (_) @name) @variable

(preproc_def name: (_) @name value: (_)? @value) @constant
(preproc_function_def name: (_) @name value: (_)? @value) @function
