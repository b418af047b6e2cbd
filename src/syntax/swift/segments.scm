; From the particular to the general: the first pattern that speaks of a node wins.

; An extension has no name of its own; what is in it is called after its type.
(class_declaration declaration_kind: "extension" name: (_) @owner) @scope
(class_declaration declaration_kind: "struct" name: (_) @name) @struct
(class_declaration declaration_kind: "enum" name: (_) @name) @enum
(class_declaration name: (_) @name) @class
(protocol_declaration name: (_) @name) @interface
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (_) @name) @type

(class_body (function_declaration name: (simple_identifier) @name) @method)
(enum_class_body (function_declaration name: (simple_identifier) @name) @method)
(protocol_function_declaration name: (simple_identifier) @name) @method
(function_declaration name: (simple_identifier) @name) @function
(init_declaration name: "init" @name) @method
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method

(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @variable)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (_)? @value) @variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (_)? @value) @variable)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @variable)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (_)? @value) @variable)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
