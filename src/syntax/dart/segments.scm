; From the particular to the general: the first pattern that speaks of a node wins.

(class_declaration name: (_) @name) @class
(mixin_declaration name: (_) @name) @class
(mixin_application_class (identifier) @name) @class
(extension_declaration name: (_) @name) @class
(extension_type_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @enum
(type_alias . (type_identifier) @name) @type

(member_declaration (method_declaration signature: (method_signature (function_signature name: (_) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (function_signature name: (_) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (function_signature name: (_) @name)))) @method
(member_declaration (declaration (function_signature name: (_) @name))) @method
(member_declaration (method_declaration signature: (method_signature (getter_signature name: (_) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (getter_signature name: (_) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (getter_signature name: (_) @name)))) @method
(member_declaration (declaration (getter_signature name: (_) @name))) @method
(member_declaration (method_declaration signature: (method_signature (setter_signature name: (_) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (setter_signature name: (_) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (setter_signature name: (_) @name)))) @method
(member_declaration (declaration (setter_signature name: (_) @name))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) . "." . name: (identifier) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) . "." . name: (identifier) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) . "." . name: (identifier) @name)))) @method
(member_declaration (declaration (constructor_signature name: (identifier) . "." . name: (identifier) @name))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (constructor_signature name: (identifier) @name)))) @method
(member_declaration (declaration (constructor_signature name: (identifier) @name))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)))) @method
(member_declaration (declaration (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) @name)) body: (function_body (block) @body))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) @name)) body: (function_body "=>" . (_) @value))) @method
(member_declaration (method_declaration signature: (method_signature (factory_constructor_signature name: (identifier) @name)))) @method
(member_declaration (declaration (factory_constructor_signature name: (identifier) @name))) @method
(member_declaration (declaration (constant_constructor_signature name: (identifier) . "." . name: (identifier) @name))) @method
(member_declaration (declaration (constant_constructor_signature name: (identifier) @name))) @method
(member_declaration (declaration (redirecting_factory_constructor_signature name: (identifier) . "." . name: (identifier) @name))) @method
(member_declaration (declaration (redirecting_factory_constructor_signature name: (identifier) @name))) @method

(member_declaration (declaration (static_final_declaration_list . (static_final_declaration name: (_) @name value: (_) @value) .))) @variable
(member_declaration (declaration (initialized_identifier_list . (initialized_identifier name: (_) @name value: (_)? @value) .))) @variable

(function_declaration signature: (function_signature name: (_) @name) body: (function_body (block) @body)) @function
(function_declaration signature: (function_signature name: (_) @name) body: (function_body "=>" . (_) @value)) @function
(getter_declaration signature: (getter_signature name: (_) @name) body: (function_body (block) @body)) @function
(getter_declaration signature: (getter_signature name: (_) @name) body: (function_body "=>" . (_) @value)) @function
(setter_declaration signature: (setter_signature name: (_) @name) body: (function_body (block) @body)) @function
(setter_declaration signature: (setter_signature name: (_) @name) body: (function_body "=>" . (_) @value)) @function
(local_function_declaration (function_signature name: (_) @name)) @function

(top_level_variable_declaration (static_final_declaration_list . (static_final_declaration name: (_) @name value: (_) @value) .)) @variable
(top_level_variable_declaration (initialized_identifier_list . (initialized_identifier name: (_) @name value: (_)? @value) .)) @variable
