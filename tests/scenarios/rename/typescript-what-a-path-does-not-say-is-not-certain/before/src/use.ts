import { load } from "@/load";
load();
