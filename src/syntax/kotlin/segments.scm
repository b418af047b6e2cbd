; From the particular to the general: the first pattern that speaks of a node wins.

; An object that a function makes has no name.
(object_literal) @unnamed
(enum_entry) @unnamed

(class_declaration "interface" name: (_) @name [(class_body) (enum_class_body)]? @body) @interface
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name (enum_class_body) @body) @enum
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @class
(companion_object name: (_) @name (class_body)? @body) @class
(type_alias type: (_) @name) @type
(type_alias (identifier) @name) @type

; A function of another type belongs to that, as it is called.
(source_file (function_declaration . (modifiers)? "fun" (type_parameters)? . [(user_type) (nullable_type)] @owner "." name: (_) @name (function_body (block) @body)) @method)
(source_file (function_declaration . (modifiers)? "fun" (type_parameters)? . [(user_type) (nullable_type)] @owner "." name: (_) @name (function_body "=" . (_) @value)) @method)
(class_body (function_declaration name: (_) @name (function_body (block) @body)) @method)
(class_body (function_declaration name: (_) @name (function_body "=" . (_) @value)) @method)
(class_body (function_declaration name: (_) @name) @method)
(enum_class_body (function_declaration name: (_) @name (function_body (block) @body)) @method)
(enum_class_body (function_declaration name: (_) @name (function_body "=" . (_) @value)) @method)
(enum_class_body (function_declaration name: (_) @name) @method)
(function_declaration name: (_) @name (function_body (block) @body)) @function
(function_declaration name: (_) @name (function_body "=" . (_) @value)) @function
(function_declaration name: (_) @name) @function
(secondary_constructor "constructor" @name (block)? @body) @method

(source_file (property_declaration [(user_type) (nullable_type)] @owner "." (variable_declaration . (identifier) @name)) @variable)
(source_file (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @value) @variable)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)
(class_body (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @value) @variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @variable)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name) "=" . (_) @value) @variable)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @variable)
