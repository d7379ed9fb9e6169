/** What tests of backups stand on: a store that is worth one, and the calls that make it and restore it. @module */
import { type OperatedService, readNdjson, startOperatedService } from "./operator.ts";
import { storeSignUp } from "./records.ts";
import { createTestClient, ndjson } from "./service.ts";

/** When the older sign-ups of {@linkcode fill} were made. */
export const AT = "2026-11-20T08:00:00.000Z";

/** The moment of a test, a date-time. */
export const NOW = "2026-11-21T12:00:20.000Z";

/** The lines of a backup. */
export type Lines = Record<string, unknown>[];

/** A store with three sign-ups, a client and an erased address. */
export async function fill(service: OperatedService) {
  await storeSignUp(service.kv, { email: "a@example.com", lang: "de", source: "hero" }, AT);
  await storeSignUp(service.kv, { email: "b@example.com" }, AT);
  await storeSignUp(service.kv, { email: "c@example.com", source: "cta" }, NOW);
  await storeSignUp(service.kv, { email: "gone@example.com" }, NOW);
  await service.operate("/signups/erase", { email: "gone@example.com" });
  return await createTestClient(service);
}

/** Makes a backup. */
export async function backup(service: OperatedService): Promise<Lines> {
  return await readNdjson(await service.operate("/backup", {}));
}

/** The backup of a filled store. */
export async function backupOfAnother(): Promise<Lines> {
  await using old = await startOperatedService();
  await fill(old);
  return await backup(old);
}

/** The last line. */
export const endOf = (lines: Lines) => lines.at(-1) as { counts: unknown; sha256: string };

/** Begins to restore a backup. */
export function begin(service: OperatedService, lines: Lines, further = {}) {
  const { counts, sha256 } = endOf(lines);
  return service.operate("/restores", { checksum: sha256, counts, ...further });
}

/** Sends lines of a backup, by default to its own restore. */
export function send(service: OperatedService, lines: Lines, checksum = endOf(lines).sha256) {
  return service.operate(`/restores/${checksum}/lines`, undefined, ndjson(lines));
}

/** Finishes a restore; gives the last line. */
export async function finish(service: OperatedService, lines: Lines) {
  const response = await service.operate(`/restores/${endOf(lines).sha256}/finish`, {});
  return (await readNdjson(response)).at(-1);
}

/** Restores a whole backup in one call for its lines; gives the last line. */
export async function restore(service: OperatedService, lines: Lines) {
  await begin(service, lines);
  await send(service, lines);
  return await finish(service, lines);
}
