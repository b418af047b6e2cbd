import { load } from "lodash";
load();
