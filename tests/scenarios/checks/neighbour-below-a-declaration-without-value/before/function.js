var state
(function () { go() })()
