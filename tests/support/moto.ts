/** A throw-away server that speaks S3, where it is installed (`.ci/install_moto` does it). @module */
import { AwsClient } from "aws4fetch";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import { startProcess } from "./process.ts";

const CACHE = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");

const PROGRAM = join(CACHE, "waitlist", "moto", "bin", "moto_server");

if (!existsSync(PROGRAM)) {
  console.log("Tests of buckets are skipped, as moto is not here: run .ci/install_moto");
}

/** Whether there is a server. */
export const hasMoto = existsSync(PROGRAM);

/** Makes a test that is skipped where there is none. The server, whose output is read all the time, serves many tests. */
export const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, fn, ignore: !hasMoto, sanitizeOps: false, sanitizeResources: false });

/** The key that the server is called with; it takes any. */
export const KEY = { accessKeyId: "test", secretAccessKey: "a-secret-of-tests" };

/** A running server. */
export type Moto = Awaited<ReturnType<typeof startMoto>>;

/** Starts a server with an empty bucket, whose lists have pages of five. */
export async function startMoto() {
  const port = freePort();
  const server = startProcess([PROGRAM, "-H", "127.0.0.1", "-p", String(port)], {
    env: { MOTO_S3_DEFAULT_MAX_KEYS: "5" },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  if (!await server.stderr.find(/Running on/)) throw new Error(server.stderr.text);
  const bucket = "waitlist-backups";
  const signer = new AwsClient({ ...KEY, service: "s3", region: "eu-central-1" });
  const call = async (path: string, init: RequestInit = {}) =>
    await (await fetch(await signer.sign(`${endpoint}/${bucket}${path}`, init))).text();
  const body = "<CreateBucketConfiguration><LocationConstraint>eu-central-1</LocationConstraint>" +
    "</CreateBucketConfiguration>";
  await call("", { method: "PUT", body });
  return {
    /** Where the objects under a prefix are. */
    at: (prefix: string) =>
      ({ kind: "s3", endpoint, region: "eu-central-1", bucket, prefix: `${prefix}/` }) as const,
    /** The same as `BACKUP_URL`. */
    urlOf: (prefix: string) =>
      `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
    /** Calls the bucket, and gives the text of the answer. */
    call,
    [Symbol.asyncDispose]: async () => void await server.end("SIGTERM"),
  };
}
