; From the particular to the general: the first pattern that speaks of a node wins.

(model_declaration . (identifier) @name (statement_block) @body) @class
(view_declaration . (identifier) @name (statement_block) @body) @class
(type_declaration . (identifier) @name (statement_block) @body) @class
(datasource_declaration . (identifier) @name (statement_block) @body) @struct
(generator_declaration . (identifier) @name (statement_block) @body) @struct
(enum_declaration . (identifier) @name (enum_block) @body) @enum
(column_declaration . (identifier) @name) @variable
(assignment_expression . (variable) @name . (_) @value .) @variable
