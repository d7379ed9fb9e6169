/**
 * What the commands make sure of before they take an answer of the operator surface for data.
 *
 * @module
 */
import type { ClientList, IssuedClient } from "../../shared/operator_schemas.ts";
import type { Shape } from "../../shared/shapes.ts";

const isString = (value: unknown) => typeof value === "string";

/** A new client. */
export const ISSUED_CLIENT: Shape<IssuedClient> = {
  clientId: isString,
  clientSecret: isString,
  name: isString,
  scopes: Array.isArray,
  createdAt: isString,
};

/** All clients. */
export const CLIENT_LIST: Shape<ClientList> = { clients: Array.isArray };
