; From the particular to the general: the first pattern that speaks of a node wins.

(namespace_declaration name: (_) @name) @module

(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(delegate_declaration name: (_) @name) @type

; What an interface asks for, and a class gives under its name.
(method_declaration (explicit_interface_specifier (_) @owner) name: (_) @name) @method
(property_declaration (explicit_interface_specifier (_) @owner) name: (_) @name) @variable

(method_declaration name: (_) @name body: (arrow_expression_clause (_) @value)) @method
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function

(property_declaration name: (_) @name value: (arrow_expression_clause (_) @value)) @variable
(property_declaration name: (_) @name accessors: (_) @body) @variable
(event_declaration name: (_) @name accessors: (_) @body) @variable
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name "=" . (_) @value))) @variable
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @variable
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @variable
