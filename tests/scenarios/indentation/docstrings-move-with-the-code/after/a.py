class A:
    class B:
        def run(self):
            """Runs.

            Example:
                >>> run()
            """
            return 2
