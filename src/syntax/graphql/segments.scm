; From the particular to the general: the first pattern that speaks of a node wins.

(object_type_definition (name) @name (fields_definition)? @body) @class
(object_type_extension (name) @name (fields_definition)? @body) @class
(interface_type_definition (name) @name (fields_definition)? @body) @interface
(interface_type_extension (name) @name (fields_definition)? @body) @interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @struct
(input_object_type_extension (name) @name (input_fields_definition)? @body) @struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @enum
(enum_type_extension (name) @name (enum_values_definition)? @body) @enum
(union_type_definition (name) @name) @type
(scalar_type_definition (name) @name) @type
(directive_definition (name) @name) @function
(field_definition (name) @name) @variable
(input_fields_definition (input_value_definition (name) @name) @variable)
(operation_definition (name) @name (selection_set) @body) @function
(fragment_definition (fragment_name) @name (selection_set) @body) @function
