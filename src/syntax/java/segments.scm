; From the particular to the general: the first pattern that speaks of a node wins.

; What an anonymous class defines has no name from outside.
(object_creation_expression (class_body) @unnamed)

(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @enum
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface

(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(static_initializer "static" @name) @method
(compact_constructor_declaration name: (_) @name) @method
(annotation_type_element_declaration name: (_) @name) @method

(enum_constant name: (_) @name body: (_)? @body) @constant

(field_declaration declarator: (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
(constant_declaration declarator: (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
