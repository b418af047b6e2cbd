; From the particular to the general: the first pattern that speaks of a node wins.

(anonymous_class) @unnamed

(namespace_definition name: (_) @name body: (_)) @module

(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum

(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method

(property_declaration (property_element name: (variable_name) @name default_value: (_)? @value)) @variable
(const_declaration (const_element . (name) @name (_) @value)) @constant
(program (expression_statement (assignment_expression left: (variable_name) @name right: (_) @value)) @variable)
