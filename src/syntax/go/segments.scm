; From the particular to the general: the first pattern that speaks of a node wins.

(function_declaration name: (_) @name) @function

; The receiver's type goes ahead of a method's name.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (_) @name) @method
(method_declaration name: (_) @name) @method

(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_spec name: (_) @name type: (interface_type) @body) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name type: (_) @value) @type

; Fields and methods of a type that has a name. Of several names in one field none is a segment, for they share a type; what is
; embedded is called by its type.
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (_) @name) @variable)))
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: (_) @name) @variable)))
(type_spec type: (interface_type (method_elem name: (_) @name) @method))

; Constants and variables of the package. Several names in one specification are none; each pattern begins at the first child,
; for one that could begin at any of a thousand names is tried with each of the others.
(const_spec . (identifier) . "," . (identifier)) @claimed
(var_spec . (identifier) . "," . (identifier)) @claimed
(source_file (const_declaration (const_spec . name: (identifier) @name value: (_)? @value) @constant))
(source_file (var_declaration (var_spec . name: (identifier) @name value: (_)? @value) @variable))
(source_file (var_declaration (var_spec_list (var_spec . name: (identifier) @name value: (_)? @value) @variable)))
