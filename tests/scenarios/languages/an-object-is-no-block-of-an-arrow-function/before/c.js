const start = () => ({ count: 0 });

const go = () => start();

const stop = (count) => ({ count });
