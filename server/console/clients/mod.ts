/**
 * The pages of OAuth clients.
 *
 * @module
 */
export { clientPage } from "./client.ts";
export { clientsPage } from "./list.ts";
export { clientPath } from "./paths.ts";
