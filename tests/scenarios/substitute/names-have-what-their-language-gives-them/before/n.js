const user = load();
const user$ = watch(user);
const $user = $(el);
log(`${user}`);
