let a, state = load;
(async () => { go() })()
