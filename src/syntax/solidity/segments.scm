; From the particular to the general: the first pattern that speaks of a node wins.

(contract_declaration name: (_) @name) @class
(library_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(struct_declaration name: (_) @name) @struct
(enum_declaration name: (_) @name) @enum
(event_definition name: (_) @name) @type
(error_declaration name: (_) @name) @type
(user_defined_type_definition name: (_) @name) @type
(modifier_definition name: (_) @name) @method
(constructor_definition "constructor" @name) @method
(contract_body (function_definition name: (_) @name) @method)
(function_definition name: (_) @name) @function
(fallback_receive_definition ["fallback" "receive"] @name) @method
(state_variable_declaration name: (_) @name value: (_)? @value) @variable
(constant_variable_declaration name: (_) @name value: (_)? @value) @constant
(struct_member name: (_) @name) @variable
