; From the particular to the general: the first pattern that speaks of a node wins.

; What is in an `impl` is called after its type. Type parameters, references and the path ahead of the type are not part of that
; name. The block itself is called by its header; where that cannot be in an address, only what is in it has a name.
(impl_item type: (_) @owner body: (_) @body) @impl @name @apart
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

(field_declaration_list (field_declaration name: (_) @name) @variable)
(enum_variant_list (enum_variant name: (_) @name value: (_)? @value) @constant)

(const_item name: (_) @name value: (_)? @value) @constant
(static_item name: (_) @name value: (_)? @value) @variable

(type_item name: (_) @name type: (_) @value) @type
(associated_type name: (_) @name) @type
