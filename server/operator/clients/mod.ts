/**
 * The operator's operations on OAuth clients and signing keys.
 *
 * @module
 */
export { createClientOperation } from "./create_client.ts";
export { listClientsOperation } from "./list_clients.ts";
export { rotateClientOperation } from "./rotate_client.ts";
export { rotateKeysOperation } from "./rotate_keys.ts";
export { disableClientOperation, enableClientOperation } from "./switch_client.ts";
