; From the particular to the general: the first pattern that speaks of a node wins.

(message (message_name (identifier) @name) (message_body) @body) @struct
(enum (enum_name (identifier) @name) (enum_body) @body) @enum
(service (service_name (identifier) @name)) @interface @body
(rpc (rpc_name (identifier) @name)) @method
(field (type) . (identifier) @name) @variable
(map_field (type) . (identifier) @name) @variable
(oneof_field (type) . (identifier) @name) @variable
