/** The person's page with letters on, as the service puts it together: a real KV, the real pages and routes. @module */
import { findInvitationUrl } from "../../server/store/invitations/mod.ts";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { Hono } from "@hono/hono";
import { OUTBOX, random } from "./records.ts";
import type { ConnectionInfo } from "../../server/http/client_address.ts";
import { createLog } from "../../server/runtime/mod.ts";
import { createSite, type Site } from "../../server/site/mod.ts";
import { createSelfServiceRoutes } from "../../server/site/self_service.ts";
import { createSelfService } from "../../server/store/people/self_service.ts";
import {
  openSelfServiceKey,
  readSelfServiceKeys,
} from "../../server/store/credentials/self_service_keys.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";
import { SITE_OPTIONS } from "./content.ts";
import { putPerson, type TestPerson, tokenOf } from "./self_service.ts";
import { BASE_URL, START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { readOne } from "../../server/store/kv/calls.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** The pages under test. */
type SelfServiceFixture = Awaited<ReturnType<typeof startSelfServicePages>>;

const INFO: ConnectionInfo = { remoteAddr: { hostname: "" } };

const sites = new Map<boolean, Promise<Site>>();

/** Makes the pages once for all tests. */
function siteWith(referrals: boolean): Promise<Site> {
  const site = sites.get(referrals) ?? createSite({
    ...SITE_OPTIONS,
    siteName: "Acme & Sons",
    contact: "mailto:hello@waitlist.test",
    sendsLetters: true,
    givesReferralCodes: referrals,
  });
  sites.set(referrals, site);
  return site;
}

/**
 * Starts the pages.
 * @param store the store behind the pages, if it is not the KV itself
 * @param settings the values of `REFERRALS` and `PLACE_IN_LINE`, which are the default ones unless they are given
 */
export async function startSelfServicePages(
  store: (kv: Kv) => Kv = (kv) => kv,
  { referrals = false, placeInLine = true } = {},
) {
  const kv = await openMemoryKv();
  await openSelfServiceKey(kv, random);
  const now = () => START;
  const log = createLog({ level: "error", now, write: () => {} });
  const seen = store(kv);
  const selfService = createSelfService({
    kv: seen,
    runtime: { now, monotonic: now, log },
    outbox: OUTBOX,
    givesReferralCodes: referrals,
    showsPlaceInLine: placeInLine,
    readKeys: (kv) => readSelfServiceKeys(kv, START),
    findInvitationUrl,
  });
  const pages = await siteWith(referrals);
  const routes = new Hono<{ Bindings: ConnectionInfo }>();
  routes.route(
    "/",
    createSelfServiceRoutes({
      pages: pages.selfService,
      headers: pages.security,
      inCall: selfService.inCall,
      askForLink: selfService.askForLink,
      trustedProxyHops: 0,
    }),
  );
  routes.route("/", pages.routes);
  return {
    kv,
    request: async (path: string, init?: RequestInit) =>
      await routes.request(`${BASE_URL}${path}`, init, INFO),
    /** Puts the letters that were asked for into the outbox. */
    settle: selfService.close,
    async [Symbol.asyncDispose]() {
      await selfService.close();
      // It closes the store beneath, too.
      seen.close();
      // The reading of the last body may have left a callback for the end of the event loop's turn.
      await endOfTurn();
    },
  };
}

/** The headers of an answer by which nothing keeps it, finds it or tells others of it. */
export function privateHeaders({ headers }: Response): Record<string, string | null> {
  const names = ["cache-control", "referrer-policy", "x-robots-tag", "x-content-type-options"];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

/** What {@linkcode privateHeaders} gives for an answer of the person's page. */
export const PRIVATE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

/** The address of a person who is put on the list. */
export const ADA = "ada@example.com";

/** Starts the pages with a person, by default Ada, and gives the id and the token of the person. */
export async function startWithPerson(
  { email = ADA, ...person }: Partial<TestPerson> & Pick<TestPerson, "state">,
) {
  const service = await startSelfServicePages();
  const { id } = await putPerson(service.kv, { email, ...person });
  return { ...service, id, token: await tokenOf(service.kv, email, id) };
}

/** The person's record; `undefined` where there is none. */
export async function findAda(
  { kv }: Pick<SelfServiceFixture, "kv">,
): Promise<SignUpRecord | undefined> {
  return (await readOne<SignUpRecord>(kv, ["sign_up", ADA])).value ?? undefined;
}
