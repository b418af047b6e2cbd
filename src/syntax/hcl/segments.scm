; From the particular to the general: the first pattern that speaks of a node wins.

; Named as it is referred to: `aws_vpc.main`, `variable.region`, `terraform`.
(block . (identifier) . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)) @struct @body
(block . (identifier) @owner . (string_lit (template_literal) @name)) @struct @body
(block . (identifier) @name) @struct @body
(attribute (identifier) @name (expression) @value) @variable
