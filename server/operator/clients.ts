/** The operations on OAuth clients of production. `keys.ts` has the operations on the keys of the service. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import {
  type Client,
  MAX_SECRETS,
  newClient,
  newSecret,
  rotateSecret,
  setDisabled,
  STATS_SCOPE,
  validSecretsOf,
} from "../oauth/mod.ts";
import { quote, type Runtime } from "../runtime/mod.ts";
import type { ClientStore } from "../store/credentials/mod.ts";
import { type OperatorFailure, orUnknownOutcome } from "./failure.ts";
import { overlapSchema } from "./fields.ts";
import type { Operations } from "./operation.ts";

const MAX_NAME_LENGTH = 100;

const NAME_RULE = `give it 1 to ${MAX_NAME_LENGTH} characters, not only spaces`;

const nameSchema = z.string(NAME_RULE).max(MAX_NAME_LENGTH, NAME_RULE).regex(/\S/, NAME_RULE);

const clientNameSchema: z.ZodType<Schemas.ClientName> = z.strictObject({ name: nameSchema });

const newClientSchema: z.ZodType<Schemas.RequestedClient> = z.strictObject({
  name: nameSchema,
  scopes: z.array(
    z.literal(STATS_SCOPE, `the only scope is ${STATS_SCOPE}`),
    "give a list of scopes, which may be empty",
  ),
});

const rotationSchema: z.ZodType<Schemas.SecretRotation> = z.strictObject({
  overlapSeconds: overlapSchema,
});

/**
 * The messages, by operation, for the case that KV does not tell whether the change was made. They say what may have
 * happened, and what the operator should do.
 */
const UNKNOWN_OUTCOMES = {
  createClient:
    "KV did not say whether the client was stored, and may still store it; list the clients once it " +
    "answers, disable the one that nobody has the secret of, and create another.",
  rotateClient:
    "KV did not say whether the secret was replaced, and may still replace it; try again once it " +
    "answers, which settles that. The secret of this try is lost.",
};

interface ClientNeeds
  extends
    Omit<ClientStore, "rotateRootKey" | "rotateSelfServiceKey">,
    Pick<Runtime, "now" | "random"> {}

type ClientOperations = Pick<
  Operations,
  | "listClients"
  | "createClient"
  | "rotateClient"
  | "disableClient"
  | "enableClient"
  | "renameClient"
  | "deleteClient"
>;

/** Makes the operations on OAuth clients. */
export function clientOperations(needs: ClientNeeds): ClientOperations {
  const { readClients, readClientUses, readClientUse, createClient, changeClient } = needs;
  const { now, random } = needs;

  /** Changes a client. Gives the changed client; for a removal, the client as it was before the removal. */
  async function applyChange(
    clientId: string,
    change: (client: Client) => Client | null | undefined,
    entry: Schemas.AuditEntry,
  ): Promise<Schemas.ListedClient | OperatorFailure> {
    const lastUsed = await readClientUse(clientId);
    const client = await changeClient(clientId, change, { ...entry, client_id: clientId });
    if (!client) return unknownClientFailure(clientId);
    return describeClient(client, { now: now(), lastUsed });
  }

  return {
    listClients: {
      async act() {
        const [clients, lastUses] = await Promise.all([readClients(), readClientUses()]);
        const moment = now();
        return {
          clients: clients.map((client) => {
            return describeClient(client, { now: moment, lastUsed: lastUses.get(client.clientId) });
          }),
        };
      },
    },

    /** Issues a client. Only this answer shows its secret. */
    createClient: {
      body: newClientSchema,
      async act({ name, scopes }, call) {
        const uniqueScopes = [...new Set(scopes)];
        const { client, clientSecret } = newClient(
          { name, scopes: uniqueScopes },
          { now: now(), random },
        );
        const entry = { ...call.auditEntry(), client_id: client.clientId };
        const failure = await orUnknownOutcome(
          createClient(client, entry),
          UNKNOWN_OUTCOMES.createClient,
        );
        if (failure) return failure;
        const { clientId: client_id, createdAt } = client;
        return { client_id, client_secret: clientSecret, name, scopes: uniqueScopes, createdAt };
      },
    },

    /** Gives a client a new secret. The old secret stays valid during the overlap. */
    rotateClient: {
      body: rotationSchema,
      async act({ client_id: clientId, overlapSeconds }, call) {
        const moment = now();
        const secret = newSecret(random);
        const rotation = { overlapMs: overlapSeconds * 1000, now: moment };
        const entry = { ...call.auditEntry({ overlapSeconds }), client_id: clientId };
        const outcome = await orUnknownOutcome(
          changeClient(clientId, (client) => rotateSecret(client, secret, rotation), entry),
          UNKNOWN_OUTCOMES.rotateClient,
        );
        if (!outcome) return unknownClientFailure(clientId);
        if ("failure" in outcome) return outcome;
        // `rotateSecret()` refuses another secret for a client that already has too many.
        if (outcome.secrets[0]?.digest !== secret.digest) {
          const message =
            `The client has ${MAX_SECRETS} valid secrets; wait until one of them ends, ` +
            "or end them all with an overlap of 0.";
          return { failure: "conflict", message };
        }
        const [, oldSecret] = validSecretsOf(outcome, moment);
        const oldSecretUntil = oldSecret?.expiresAt && new Date(oldSecret.expiresAt).toISOString();
        return {
          client_id: clientId,
          client_secret: secret.clientSecret,
          ...(oldSecretUntil && { oldSecretUntil }),
        };
      },
    },

    /**
     * Disables a client. From then on, this process issues no tokens to the client; other processes stop within a
     * second.
     */
    disableClient: {
      act: ({ client_id }, call) =>
        applyChange(client_id, (client) => setDisabled(client, true), call.auditEntry()),
    },
    enableClient: {
      act: ({ client_id }, call) =>
        applyChange(client_id, (client) => setDisabled(client, false), call.auditEntry()),
    },
    renameClient: {
      body: clientNameSchema,
      act({ client_id, name }, call) {
        const rename = (client: Client) => client.name === name ? undefined : { ...client, name };
        return applyChange(client_id, rename, call.auditEntry({ name }));
      },
    },
    /**
     * Removes a client for good. The audit entry has the name of the client, because the name is stored nowhere else
     * afterwards.
     */
    deleteClient: {
      act({ client_id }, call) {
        const details: Schemas.AuditEntry["details"] = {};
        return applyChange(client_id, ({ name }) => {
          details.name = name;
          return null;
        }, call.auditEntry(details));
      },
    },
  };
}

function unknownClientFailure(clientId: string): OperatorFailure {
  return { failure: "unknown", message: `There is no client ${quote(clientId)}.` };
}

/** Describes a client for operators. It shows only the expiry of a secret, never the secret. */
function describeClient(
  client: Client,
  { now, lastUsed }: { now: number; lastUsed: string | undefined },
): Schemas.ListedClient {
  const { clientId, name, scopes, createdAt, disabled = false } = client;
  return {
    client_id: clientId,
    name,
    // The cast is right, because a client gets only scopes that the OpenAPI document has.
    scopes: scopes as Schemas.ListedClient["scopes"],
    createdAt,
    disabled,
    secrets: validSecretsOf(client, now).map(({ expiresAt }) => ({
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    })),
    ...(lastUsed && { lastUsed }),
  };
}
