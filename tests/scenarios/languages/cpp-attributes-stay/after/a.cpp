[[nodiscard]] int attr() { return 2; }

[[noreturn]]
void stop() { throw 2; }
