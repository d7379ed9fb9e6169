/** The pages of OAuth clients. */
export { clientPage } from "./client.ts";
export { clientPath, clientsPage } from "./list.ts";
