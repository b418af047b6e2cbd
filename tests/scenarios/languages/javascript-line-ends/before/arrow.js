let a, state
(async () => { go() })()
