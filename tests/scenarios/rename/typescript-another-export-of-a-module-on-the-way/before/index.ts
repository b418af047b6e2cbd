export * from "./load";
export const get = 1;
