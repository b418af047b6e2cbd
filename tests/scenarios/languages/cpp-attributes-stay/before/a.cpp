[[nodiscard]] int attr() { return 1; }

[[noreturn]]
void stop() { throw 1; }
