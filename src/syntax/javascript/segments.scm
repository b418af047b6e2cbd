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
