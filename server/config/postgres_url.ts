/** Reads `KV_URL`. Errors never quote the URL, because it may have a password. @module */
import { LOOPBACK } from "../../shared/loopback.ts";
import { fromProject } from "./paths.ts";
import { decodePercent } from "./values.ts";

export interface PostgresLocation {
  kind: "postgres";
  /** The hosts of the database. The service uses the host that accepts writes. */
  hosts: { host: string; port: number }[];
  user: string;
  password: string;
  database: string;
  /** The options of TLS. Absent for a connection without TLS. `ca` is the path of the trusted certificates. */
  tls?: { ca?: string };
}

const DEFAULT_PORT = "5432";

/**
 * Reads `postgres://user:password@host:port,host2:port/database?sslmode=…&sslrootcert=…`. `new URL()` cannot read
 * several hosts.
 */
export function parsePostgresUrl(text: string): PostgresLocation {
  const [, user = "", password = "", list = "", database = "", query = ""] =
    /^postgres(?:ql)?:\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/
      .exec(text) ?? [];
  const decodedUser = decodePercent(user);
  const decodedPassword = decodePercent(password);
  const decodedDatabase = decodePercent(database);
  if (!decodedUser || !decodedDatabase || Boolean(password) !== Boolean(decodedPassword)) {
    throw new Error(
      "must be postgres://user:password@host/database; in user, password and database write each of " +
        "% : @ / ? # as its code, such as %25 for a %",
    );
  }
  const hosts = list.split(",").map((each) => {
    const [, bracketed, name, port = DEFAULT_PORT] =
      /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(each) ?? [];
    const host = bracketed ?? name;
    if (host && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
    throw new Error("has a host that is neither host nor host:port; separate several by commas");
  });
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) {
    if (["sslmode", "sslrootcert"].includes(name)) continue;
    // The error message shows only a text that looks like the name of a parameter. The text behind an unescaped `?` may be
    // the rest of a password.
    const what = value && /^[a-z_]+$/.test(name) ? `the parameter '${name}'` : "another parameter";
    throw new Error(`has ${what}; it takes sslmode and sslrootcert`);
  }
  const isLocal = hosts.every(({ host }) => LOOPBACK.test(host));
  const mode = parameters.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (mode !== "disable" && mode !== "verify-full") {
    const shown = /^[a-z-]{1,20}$/.test(mode) ? `the sslmode '${mode}'` : "another sslmode";
    throw new Error(`has ${shown}; it must be verify-full or disable`);
  }
  const ca = parameters.get("sslrootcert");
  if (ca?.includes(",")) {
    throw new Error("has an sslrootcert with a comma, which the start task cannot allow to read");
  }
  return {
    kind: "postgres",
    hosts,
    user: decodedUser,
    password: decodedPassword,
    database: decodedDatabase,
    ...mode === "verify-full" && { tls: ca ? { ca: fromProject(ca) } : {} },
  };
}
