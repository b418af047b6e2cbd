; From the particular to the general: the first pattern that speaks of a node wins.

(function_definition name: (_) @name) @function
(program (variable_assignment name: (variable_name) @name value: (_) @value) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name value: (_) @value)) @variable)
