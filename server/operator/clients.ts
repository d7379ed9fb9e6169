/** The operations on OAuth clients of production and on the keys that sign access tokens. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { type Call, jsonAnswer } from "../http/mod.ts";
import { ANNOUNCE_MS, type Client, MAX_SECRETS, newClient, rotateSecret } from "../oauth/mod.ts";
import { setDisabled, STATS_SCOPE, validSecrets } from "../oauth/mod.ts";
import { quote } from "../runtime/mod.ts";
import { auditEntry } from "./audit.ts";
import { type OperatorFailure, orUnknownOutcome } from "./failure.ts";
import { onCall, onJson, type OperatorDependencies } from "./operation.ts";

const MAX_NAME_LENGTH = 100;

const name = `give it 1 to ${MAX_NAME_LENGTH} characters, not only spaces`;

const nameInBody = z.string(name).max(MAX_NAME_LENGTH, name).regex(/\S/, name);

const newNameSchema: z.ZodType<Schemas.ClientName> = z.strictObject({ name: nameInBody });

const newClientSchema: z.ZodType<Schemas.NewClient> = z.strictObject({
  name: nameInBody,
  scopes: z.array(
    z.literal(STATS_SCOPE, `the only scope is ${STATS_SCOPE}`),
    "give a list of scopes, which may be empty",
  ),
});

/** The longest overlap, in seconds: 90 days. */
const MAX_OVERLAP = 90 * 24 * 60 * 60;

const overlap = `give a whole number of seconds from 0 to ${MAX_OVERLAP}`;

const overlapInBody = z.int(overlap).min(0, overlap).max(MAX_OVERLAP, overlap);

const rotationSchema: z.ZodType<Schemas.SecretRotation> = z.strictObject({
  overlapSeconds: overlapInBody,
});

const linkRotationSchema: z.ZodType<Schemas.LinkKeyRotationRequest> = z.strictObject({
  overlapSeconds: overlapInBody.exactOptional(),
});

/** What may have happened where KV did not say whether a change was made, and how to go on. */
const UNKNOWN = {
  create:
    "KV did not say whether the client was stored, and may still store it; list the clients once it " +
    "answers, disable the one that nobody has the secret of, and create another.",
  rotate:
    "KV did not say whether the secret was replaced, and may still replace it; try again once it " +
    "answers, which settles that. The secret of this try is lost.",
  rotateKeys:
    "KV did not say whether the key was stored, and may still store it; try again once it answers: " +
    "a key that does not sign by then is given again. No token is refused in either case.",
  rotateLinkKey:
    "KV did not say whether the key was stored, and may still store it; try again once it answers.",
};

export function clientOperations(dependencies: OperatorDependencies) {
  const { store, now, random } = dependencies;

  /** Answers with the client after a change; after its removal, as it was. */
  async function answerChange(
    call: Call,
    change: (client: Client) => Client | null | undefined,
    details?: Schemas.AuditEntry["details"],
  ) {
    const { client_id: clientId = "" } = call.parameters;
    const lastUsed = await store.readClientUse(clientId);
    const entry = { ...auditEntry(call, dependencies, details), client_id: clientId };
    const client = await store.changeClient(clientId, change, entry);
    if (!client) return unknownClient(clientId);
    return jsonAnswer<Schemas.ListedClient>(describeClient(client, { now: now(), lastUsed }));
  }

  return {
    listClients: onCall(async () => {
      const [clients, uses] = await Promise.all([store.readClients(), store.readClientUses()]);
      const moment = now();
      return jsonAnswer<Schemas.ClientList>({
        clients: clients.map((client) =>
          describeClient(client, { now: moment, lastUsed: uses.get(client.clientId) })
        ),
      });
    }),

    /** Issues a client. Only this answer shows its secret. */
    createClient: onJson(newClientSchema, async ({ name, scopes }, call) => {
      const unique = [...new Set(scopes)];
      const { client, clientSecret } = newClient({ name, scopes: unique }, { now: now(), random });
      const entry = { ...auditEntry(call, dependencies), client_id: client.clientId };
      const outcome = await orUnknownOutcome(store.createClient(client, entry), UNKNOWN.create);
      if (outcome) return outcome;
      const { clientId: client_id, createdAt } = client;
      const issued = { client_id, client_secret: clientSecret, name, scopes: unique, createdAt };
      return jsonAnswer<Schemas.IssuedClient>(issued, 201);
    }),

    /** Gives a client a new secret; the old one stays valid during the overlap. */
    rotateClient: onJson(rotationSchema, async ({ overlapSeconds }, call) => {
      const { client_id: clientId = "" } = call.parameters;
      const moment = now();
      let clientSecret: string | undefined;
      const change = store.changeClient(clientId, (client) => {
        const options = { overlapMs: overlapSeconds * 1000, now: moment, random };
        const rotated = rotateSecret(client, options);
        clientSecret = rotated?.clientSecret;
        return rotated?.client;
      }, { ...auditEntry(call, dependencies, { overlapSeconds }), client_id: clientId });
      const client = await orUnknownOutcome(change, UNKNOWN.rotate);
      if (client && "failure" in client) return client;
      if (!client) return unknownClient(clientId);
      if (clientSecret === undefined) {
        const message =
          `The client has ${MAX_SECRETS} valid secrets; wait until one of them ends, ` +
          "or end them all with an overlap of 0.";
        return { failure: "conflict", message };
      }
      const [, before] = validSecrets(client, moment);
      const oldSecretUntil = before?.expiresAt && new Date(before.expiresAt).toISOString();
      return jsonAnswer<Schemas.RotatedClient>({
        client_id: clientId,
        client_secret: clientSecret,
        ...(oldSecretUntil && { oldSecretUntil }),
      });
    }),

    /** A disabled client gets no more tokens, at once here and within a second in other processes. */
    disableClient: onCall((call) => answerChange(call, (client) => setDisabled(client, true))),
    enableClient: onCall((call) => answerChange(call, (client) => setDisabled(client, false))),
    renameClient: onJson(newNameSchema, ({ name }, call) => {
      const rename = (client: Client) => client.name === name ? undefined : { ...client, name };
      return answerChange(call, rename, { name });
    }),
    /** Removes a client for good. The audit log keeps its name, as nothing else does. */
    deleteClient: onCall((call) => {
      const details: Schemas.AuditEntry["details"] = {};
      return answerChange(call, ({ name }) => {
        details.name = name;
        return null;
      }, details);
    }),

    /** Announces a new root key, which begins to sign when every process knows it. */
    rotateKeys: onCall(async (call) => {
      const at = now();
      const entry = auditEntry(call, dependencies);
      const rotated = await orUnknownOutcome(store.rotateRootKey(at, entry), UNKNOWN.rotateKeys);
      if ("failure" in rotated) return rotated;
      const { keyId, signsFrom } = rotated;
      return jsonAnswer<Schemas.KeyRotation>({
        outcome: signsFrom === at + ANNOUNCE_MS ? "begun" : "under_way",
        keyId,
        signsFrom: new Date(signsFrom).toISOString(),
      });
    }),

    /** Lets a new key make the links to people's pages; older links open for 90 days unless told otherwise. */
    rotateLinkKey: onJson(linkRotationSchema, async ({ overlapSeconds = MAX_OVERLAP }, call) => {
      const oldLinksUntil = new Date(now() + 1_000 * overlapSeconds).toISOString();
      const entry = auditEntry(call, dependencies, { overlapSeconds });
      const rotated = store.rotateSelfServiceKey(oldLinksUntil, entry);
      const outcome = await orUnknownOutcome(rotated, UNKNOWN.rotateLinkKey);
      return outcome ?? jsonAnswer<Schemas.LinkKeyRotation>({ oldLinksUntil });
    }),
  };
}

function unknownClient(clientId: string): OperatorFailure {
  return { failure: "unknown", message: `There is no client ${quote(clientId)}.` };
}

/** Of a secret it shows only when it ends. */
function describeClient(
  client: Client,
  { now, lastUsed }: { now: number; lastUsed: string | undefined },
): Schemas.ListedClient {
  const { clientId, name, scopes, createdAt, disabled = false } = client;
  return {
    client_id: clientId,
    name,
    // No client gets a scope that the document does not have.
    scopes: scopes as Schemas.ListedClient["scopes"],
    createdAt,
    disabled,
    secrets: validSecrets(client, now).map(({ expiresAt }) => ({
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    })),
    ...(lastUsed && { lastUsed }),
  };
}
