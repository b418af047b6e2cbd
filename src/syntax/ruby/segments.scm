; From the particular to the general: the first pattern that speaks of a node wins.

(class name: (_) @name) @class
(module name: (_) @name) @module

; `private def f`: one with its modifier.
(class body: (body_statement (call !receiver !block arguments: (argument_list . [
  (method name: [(identifier) (constant) (setter)] @name body: (_)? @body)
  (singleton_method name: [(identifier) (constant) (setter)] @name body: (_)? @body)
] @claimed .)) @method))

(method name: [(identifier) (constant) (setter)] @name "=" . (_) @value) @method
(singleton_method name: [(identifier) (constant) (setter)] @name "=" . (_) @value) @method
(program (method name: [(identifier) (constant) (setter)] @name) @function)
(method name: [(identifier) (constant) (setter)] @name) @method
(singleton_method name: [(identifier) (constant) (setter)] @name) @method

(assignment left: (constant) @name right: (_) @value) @constant
