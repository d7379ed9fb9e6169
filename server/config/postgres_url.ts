/** Reads `KV_URL`. Errors never quote the URL, because it may have a password. @module */
import { LOOPBACK } from "../../shared/loopback.ts";
import { fromProject } from "./paths.ts";
import { decodePercent } from "./values.ts";

/** A PostgreSQL database that holds the store. */
export interface PostgresLocation {
  kind: "postgres";
  /** The hosts of the database. The service uses the host that accepts writes (the primary). */
  hosts: { host: string; port: number }[];
  user: string;
  password: string;
  database: string;
  /**
   * The TLS options; absent if the connection does not use TLS. `ca` is the path of a file with the trusted
   * certificates.
   */
  tls?: { ca?: string };
}

const DEFAULT_PORT = "5432";

/** The parts of `KV_URL`, which are not decoded. */
const POSTGRES_URL =
  /^postgres(?:ql)?:\/\/(?<user>[^:@/?#]+)(?::(?<password>[^@/?#]*))?@(?<hostList>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/;

/** A host with a port or without; an IPv6 address stands in brackets. */
const HOST = /^(?:\[(?<address>[0-9A-Fa-f:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/;

/**
 * Reads `postgres://user:password@host:port,host2:port/database?sslmode=…&sslrootcert=…`. `new URL()` is not used,
 * because it cannot read several hosts.
 */
export function parsePostgresUrl(url: string): PostgresLocation {
  const { user = "", password = "", hostList = "", database = "", query = "" } =
    POSTGRES_URL.exec(url)?.groups ?? {};
  const decodedUser = decodePercent(user);
  const decodedPassword = decodePercent(password);
  const decodedDatabase = decodePercent(database);
  const isPasswordMalformed = password !== "" && decodedPassword === "";
  if (!decodedUser || !decodedDatabase || isPasswordMalformed) {
    throw new Error(
      "must be postgres://user:password@host/database; in user, password and database write each of " +
        "% : @ / ? # as its code, such as %25 for a %",
    );
  }
  const hosts = parseHosts(hostList);
  const tls = parseTls(query, hosts);
  return {
    kind: "postgres",
    hosts,
    user: decodedUser,
    password: decodedPassword,
    database: decodedDatabase,
    ...tls && { tls },
  };
}

function parseHosts(hostList: string): PostgresLocation["hosts"] {
  return hostList.split(",").map((hostText) => {
    const { address, name, port = DEFAULT_PORT } = HOST.exec(hostText)?.groups ?? {};
    const host = address ?? name;
    if (host && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
    throw new Error("has a host that is neither host nor host:port; separate several by commas");
  });
}

/** Reads the options of TLS from the query; gives `undefined` for a connection without TLS. */
function parseTls(query: string, hosts: PostgresLocation["hosts"]): PostgresLocation["tls"] {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) {
    if (name === "sslmode" || name === "sslrootcert") continue;
    // The error message shows only a text that looks like the name of a parameter. Other text after a `?` may be the
    // rest of a password whose `?` is not percent-encoded.
    const shownName = value && /^[a-z_]+$/.test(name)
      ? `the parameter '${name}'`
      : "another parameter";
    throw new Error(`has ${shownName}; it takes sslmode and sslrootcert`);
  }
  const isLocal = hosts.every(({ host }) => LOOPBACK.test(host));
  const mode = parameters.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (mode !== "disable" && mode !== "verify-full") {
    const shownMode = /^[a-z-]{1,20}$/.test(mode) ? `the sslmode '${mode}'` : "another sslmode";
    throw new Error(`has ${shownMode}; it must be verify-full or disable`);
  }
  const ca = parameters.get("sslrootcert");
  if (ca?.includes(",")) {
    throw new Error("has an sslrootcert with a comma, which the start task cannot allow to read");
  }
  if (mode === "verify-full") return ca ? { ca: fromProject(ca) } : {};
  if (ca) {
    throw new Error(
      "has an sslrootcert, but no TLS; add sslmode=verify-full, or leave sslrootcert out",
    );
  }
  return undefined;
}
