export * from "./load";
export { fetchIt as fetchOrder } from "./load";
