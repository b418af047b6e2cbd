; From the particular to the general: the first pattern that speaks of a node wins.

(function_def (function_command (argument_list . (argument (unquoted_argument) @name)))) @function
(macro_def (macro_command (argument_list . (argument (unquoted_argument) @name)))) @function
(source_file
  (normal_command (identifier) @_command
    (argument_list . (argument (unquoted_argument) @name))) @variable
  (#any-of? @_command "set" "SET" "option" "OPTION"))
(source_file
  (normal_command (identifier) @_command
    (argument_list . (argument (unquoted_argument) @name))) @struct
  (#any-of? @_command
    "add_library" "ADD_LIBRARY" "add_executable" "ADD_EXECUTABLE" "add_custom_target" "ADD_CUSTOM_TARGET"))
