; From the particular to the general: the first pattern that speaks of a node wins.

; An `impl` has no name of its own; what is in it is called after its type. Type parameters, references and the path
; ahead of the type are not part of the name.
(impl_item type: (_) @owner) @scope

(impl_item
  body: (declaration_list
    [
      (function_item name: (_) @name)
      (function_signature_item name: (_) @name)
    ] @method))
(trait_item
  body: (declaration_list
    [
      (function_item name: (_) @name)
      (function_signature_item name: (_) @name)
    ] @method))

(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @function @body

(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @trait
(mod_item name: (_) @name) @module

(const_item name: (_) @name value: (_)? @value) @constant
(static_item name: (_) @name value: (_)? @value) @variable

(type_item name: (_) @name type: (_) @value) @type
(associated_type name: (_) @name) @type
