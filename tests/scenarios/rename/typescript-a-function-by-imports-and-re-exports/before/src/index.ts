export * from "./load";
export { load as fetchOrder } from "./load";
