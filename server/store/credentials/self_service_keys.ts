/**
 * Stores the keys of the links to people's pages, as base64url texts in one entry. The first key is the store's own,
 * which makes links and never changes; the others came with restored backups, so that older links stay good.
 *
 * @module
 */
import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { SELF_SERVICE_KEY_BYTES } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { changeEntry, SELF_SERVICE_KEYS, withKvDeadline } from "../kv/mod.ts";

/** Makes the first key where there is none; processes that start together get the same. */
export async function openSelfServiceKeys(kv: Deno.Kv, random: RandomBytes): Promise<Uint8Array[]> {
  const made = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  const keys = await changeEntry<string[], string[]>(kv, SELF_SERVICE_KEYS, (known) => {
    return known ? { result: known } : { to: [made], result: [made] };
  });
  return keys.map((key) => base64url.decode(key));
}

export async function readSelfServiceKeys(kv: Deno.Kv): Promise<string[]> {
  const { value } = await withKvDeadline(kv, () => kv.get<string[]>(SELF_SERVICE_KEYS));
  return value ?? [];
}

/** False where the key is known. */
export async function addSelfServiceKey(
  kv: Deno.Kv,
  key: string,
  { random, audit }: { random: RandomBytes; audit?: AuditEntry | undefined },
): Promise<boolean> {
  // A key of a backup never comes first, as processes that run already make links with another one.
  await openSelfServiceKeys(kv, random);
  return await changeEntry<string[], boolean>(
    kv,
    SELF_SERVICE_KEYS,
    (keys = []) => keys.includes(key) ? { result: false } : { to: [...keys, key], result: true },
    (commit) => setAuditEntry(commit, audit),
  );
}
