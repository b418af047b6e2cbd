(property (key) @name (value) @value) @variable
(property (key) @name) @variable
