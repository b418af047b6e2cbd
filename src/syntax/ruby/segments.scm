; From the particular to the general: the first pattern that speaks of a node wins.

; What a line goes on with is no definition beside it: `x = 1 unless` above `def f`.
(if_modifier condition: (_) @unnamed)
(unless_modifier condition: (_) @unnamed)
(while_modifier condition: (_) @unnamed)
(until_modifier condition: (_) @unnamed)
(binary right: (_) @unnamed)
(range end: (_) @unnamed)

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
