; From the particular to the general: the first pattern that speaks of a node wins.

(package_object name: (_) @name) @module
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name) @enum
(type_definition name: (_) @name) @type
(given_definition name: (_) @name) @variable

(template_body (function_definition name: [(identifier) (operator_identifier)] @name body: (block "{") @body) @method)
(template_body (function_definition name: [(identifier) (operator_identifier)] @name body: (_) @value) @method)
(template_body (function_declaration name: [(identifier) (operator_identifier)] @name) @method)
(template_body (val_definition pattern: (identifier) @name value: (_) @value) @variable)
(template_body (var_definition pattern: (identifier) @name value: (_) @value) @variable)
(template_body (val_declaration name: (identifier) @name) @variable)
(template_body (var_declaration name: (identifier) @name) @variable)
(enum_body (function_definition name: [(identifier) (operator_identifier)] @name body: (block "{") @body) @method)
(enum_body (function_definition name: [(identifier) (operator_identifier)] @name body: (_) @value) @method)
(enum_body (function_declaration name: [(identifier) (operator_identifier)] @name) @method)
(enum_body (val_definition pattern: (identifier) @name value: (_) @value) @variable)
(enum_body (var_definition pattern: (identifier) @name value: (_) @value) @variable)
(enum_body (val_declaration name: (identifier) @name) @variable)
(enum_body (var_declaration name: (identifier) @name) @variable)
(function_definition name: [(identifier) (operator_identifier)] @name body: (block "{") @body) @function
(function_definition name: [(identifier) (operator_identifier)] @name body: (_) @value) @function
(function_declaration name: [(identifier) (operator_identifier)] @name) @function
(compilation_unit (val_definition pattern: (identifier) @name value: (_) @value) @variable)
(compilation_unit (var_definition pattern: (identifier) @name value: (_) @value) @variable)
