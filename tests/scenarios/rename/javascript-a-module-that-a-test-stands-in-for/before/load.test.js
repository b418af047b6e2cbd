import { load } from "./load";

jest.mock("./load", () => ({ load: jest.fn() }));
load();
