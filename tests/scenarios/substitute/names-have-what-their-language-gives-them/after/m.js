const account = load();
const account$ = watch(account);
const $account = $(el);
log(`${account}`);
