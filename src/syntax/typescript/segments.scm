; From the particular to the general: the first pattern that speaks of a node wins.

; A class expression is called what its variable or field is called; its own name is seen only inside.
(variable_declarator
  name: (identifier) @name
  value: (class body: (class_body) @body) @claimed) @class

(object (pair
  key: [(property_identifier) (string) (number) (computed_property_name)] @name
  value: (class body: (class_body) @body) @claimed) @class)

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

(export_statement
  "default" @name
  value: (object) @value) @variable

; A function in a variable, at any depth: `const calc = () => …`.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function

; Other variables only at the top or in a namespace: those inside functions are no one's business.
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (export_statement
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
    (export_statement (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
  ])
(internal_module body: (statement_block
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (export_statement
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
    (export_statement (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
  ]))
(module body: (statement_block
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (export_statement
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
    (export_statement (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
  ]))
(ambient_declaration "global" (statement_block
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
    (export_statement
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable))
    (export_statement (ambient_declaration
      (lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
    (export_statement (ambient_declaration
      (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)))
  ]))

; What is put into a member at the top: `app.use = function …`, `exports.x = …`, `Foo.prototype.bar = …`.
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (class !name body: (class_body) @body) @claimed)) @class)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (class) @value)) @variable @apart)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])) @function)
; Of `req.get = req.header = …` both are names, and of `exports = module.exports = …` the second.
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (assignment_expression
    left: (member_expression)
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]))) @function @apart)
(program (expression_statement (assignment_expression
  left: (member_expression)
  right: (assignment_expression
    left: (member_expression) @name
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) @function)))
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (assignment_expression left: (member_expression)) @value)) @variable @apart)
(program (expression_statement (assignment_expression
  left: (member_expression)
  right: (assignment_expression
    left: (member_expression) @name
    right: (_) @value) @variable)))
(program (expression_statement (assignment_expression
  left: (identifier)
  right: (assignment_expression
    left: (member_expression) @name
    right: (_) @value))) @variable)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (_) @value)) @variable)

; Tests and groups of them are called by what they say.
(expression_statement (call_expression
  function: [(identifier) (member_expression)] @_function
  arguments: (arguments . [(string) (template_string . (string_fragment) .)] @name . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]))
  (#any-of? @_function
    "describe" "describe.only" "describe.skip" "context" "suite" "it" "it.only" "it.skip" "it.todo" "specify"
    "test" "test.only" "test.skip" "test.describe" "test.step")) @function

(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function

(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(class !name) @unnamed

; Members of an object that is the whole value of something that has a name.
(object (pair
  key: [(property_identifier) (string) (number) (computed_property_name)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method)
(object (pair
  key: [(property_identifier) (string) (number) (computed_property_name)] @name
  value: (_) @value) @variable)
(object (shorthand_property_identifier) @name @variable)

(class_static_block "static" @name) @method

(method_definition name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method

(public_field_definition
  name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method

(public_field_definition
  name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name
  value: (_)? @value) @variable

; Overloads and `declare function`: each is a definition of its own.
(function_signature name: (_) @name) @function

(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name value: (_) @value) @type
(enum_declaration name: (_) @name) @enum

(internal_module name: [(identifier) (string)] @name) @module
(internal_module name: (nested_identifier object: (_) @owner property: (_) @name)) @module
(module name: [(identifier) (string)] @name) @module
(module name: (nested_identifier object: (_) @owner property: (_) @name)) @module

(enum_body (enum_assignment name: (_) @name value: (_) @value) @constant)
(enum_body name: (_) @name @constant)

; Members of classes, of interfaces, and of a type that is all that a name stands for.
(object_type
  (method_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method)
(object_type
  (property_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @variable)
(class_body
  (method_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method)
(class_body
  (abstract_method_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method)
(interface_body
  (method_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @method)
(interface_body
  (property_signature name: [(property_identifier) (private_property_identifier) (string) (number) (computed_property_name)] @name) @variable)
