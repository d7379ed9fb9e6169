/** The npm packages of the typed client and of the CLI, which visitors can download. @module */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import cli from "../../shared/generated/cli_package.json" with { type: "json" };
import client from "../../shared/generated/client_package.json" with { type: "json" };

/** An npm package. */
interface Package {
  bytes: Uint8Array<ArrayBuffer>;
  /** The digest by which a user can check a download, in hexadecimal. */
  sha256: string;
}

function readPackage({ tarball }: { tarball: string }): Package {
  const bytes = new Uint8Array(Buffer.from(tarball, "base64"));
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** The packages by their names in URLs and placeholders. */
export const PACKAGES = { client: readPackage(client), cli: readPackage(cli) };
