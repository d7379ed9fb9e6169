export { clientPage } from "./client.ts";
export { clientsPage } from "./list.ts";
export { clientPath } from "./paths.ts";
