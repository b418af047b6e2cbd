import { load } from "./index";
load();
