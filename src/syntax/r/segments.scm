; From the particular to the general: the first pattern that speaks of a node wins.

(program
  (binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="]
    rhs: (function_definition body: (_) @body)) @function)
(program
  (binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="] rhs: (_) @value) @variable)
