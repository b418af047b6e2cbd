; From the particular to the general: the first pattern that speaks of a node wins.

(function_declaration name: (method_index_expression) @name) @method
(function_declaration name: (_) @name) @function

(chunk (assignment_statement (variable_list . name: (_) @name .) (expression_list . value: (function_definition) @value .)) @function)
(chunk (assignment_statement (variable_list . name: (_) @name .) (expression_list . value: (_) @value .)) @variable)
(chunk (variable_declaration (assignment_statement (variable_list . name: (_) @name .) (expression_list . value: (function_definition) @value .))) @function)
(chunk (variable_declaration (assignment_statement (variable_list . name: (_) @name .) (expression_list . value: (_) @value .))) @variable)
(chunk (variable_declaration (variable_list . name: (_) @name .)) @variable)
