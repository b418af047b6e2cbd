; From the particular to the general: the first pattern that speaks of a node wins.

(binding attrpath: (attrpath) @name expression: [(attrset_expression) (rec_attrset_expression)] @body) @struct
(binding attrpath: (attrpath) @name expression: (function_expression) @value) @function
(binding attrpath: (attrpath) @name expression: (_) @value) @variable
; Its name is computed, or no address could hold it.
(binding) @unnamed
