const steps = ["lint", "build", "test"];
