const account = load();
const user$ = watch(account);
const $user = $(el);
log(`${account}`);
