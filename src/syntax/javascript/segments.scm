; From the particular to the general: the first pattern that speaks of a node wins.

; A class expression is called what its variable or field is called; its own name is seen only inside.
(variable_declarator
  name: (identifier) @name
  value: (class body: (class_body) @body) @claimed) @class

; What a module exports by default and gives no name has the one by which others import it.
(export_statement
  "default" @name
  value: (class !name body: (class_body) @body) @claimed) @class
(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]) @function

; A function in a variable, at any depth: `const calc = () => …`.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function

; Other variables only at the top: those inside functions are no one's business.
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (export_statement
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
  ])

(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function

(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(class !name) @unnamed

; The methods of an object literal are not segments, though they look like those of a class.
(object (method_definition) @claimed)

(class_static_block "static" @name) @method

(method_definition name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method

(field_definition
  property: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method

(field_definition
  property: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name
  value: (_)? @value) @variable
