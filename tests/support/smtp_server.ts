/**
 * A real mail server for tests: `smtp-server` in a process of Node, which refuses, waits and cuts as it is told, and
 * gives the letters that it took. @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import PostalMime, { type Email } from "postal-mime";

/** The certificate of the authority that tests trust; the server's own is for `localhost` and `127.0.0.1`. */
export const TEST_AUTHORITY: string = await Deno.readTextFile(
  new URL("./tls/ca.pem", import.meta.url),
);

/** A step of a session. */
export type SmtpStage = "connection" | "login" | "sender" | "recipient" | "letter";

/** How the server behaves; a server that is told nothing takes every letter. */
export interface SmtpBehaviour {
  /** Refuses at a stage with a code and a text; only this sender or recipient, if one is named. */
  refuse?: { at: SmtpStage; code: number; text?: string; only?: string };
  /** Does not answer at this stage. */
  silentAt?: SmtpStage;
  /** Cuts the connection at this stage; `now` cuts all connections as soon as it is told. */
  cutAt?: SmtpStage | "starttls" | "now";
  /** How long it takes to take a letter, in milliseconds. */
  delayMs?: number;
}

/** The settings of a server. */
export interface SmtpServerOptions {
  tls?: "from_start" | "starttls" | "none";
  /** Asks for this user and password. */
  login?: { user: string; password: string };
  /** The port to listen on; a free one if absent. */
  port?: number;
}

/** A letter that the server took. */
export interface ReceivedLetter {
  /** The addresses of the envelope. */
  from: string;
  to: string[];
  /** Whether it came over TLS. */
  secure: boolean;
  /** The message as it came. */
  raw: Uint8Array<ArrayBuffer>;
  /** The message's headers and parts. */
  mail: Email;
}

/** A running mail server; disposing of it ends it. */
export interface SmtpServer extends AsyncDisposable {
  port: number;
  /** `smtp://127.0.0.1:` and the port. */
  url: string;
  /** The letters that it took, in their order; the newest ones may be missing for a moment. */
  letters: ReceivedLetter[];
  /** How often sessions have come to a stage. */
  reached: Record<SmtpStage, number>;
  /** Changes how it behaves, for sessions under way too. */
  behave: (behaviour: SmtpBehaviour) => Promise<void>;
  /** Waits until it has taken a number of letters in all, and gives them. */
  taken: (count: number) => Promise<ReceivedLetter[]>;
  /** Waits until a condition on the server holds; it is looked at after each event. */
  until: (condition: (server: SmtpServer) => boolean) => Promise<void>;
}

/** Starts a mail server on this machine. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const folder = await makeNodeFolder();
  const file = (name: string) => fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
  const settings = {
    tls: "none",
    ...options,
    certificate: file("cert.pem"),
    key: file("key.pem"),
  };
  const child = new Deno.Command("node", {
    // The packages are found beside the program's own path, and not beside what a link leads to.
    args: ["--preserve-symlinks", "--preserve-symlinks-main", PROGRAM, JSON.stringify(settings)],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const waiting = new Set<() => void>();
  let configured = 0;

  const server: SmtpServer = {
    port: 0,
    get url() {
      return `smtp://127.0.0.1:${this.port}`;
    },
    letters: [],
    reached: { connection: 0, login: 0, sender: 0, recipient: 0, letter: 0 },
    async behave(behaviour) {
      const awaited = configured + 1;
      await input.write(new TextEncoder().encode(`${JSON.stringify(behaviour)}\n`));
      await server.until(() => configured >= awaited);
    },
    async taken(count) {
      await server.until(({ letters }) => letters.length >= count);
      return server.letters;
    },
    until(condition) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (!condition(server)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      await input.close();
      await Promise.all([child.status, reading]);
      await Deno.remove(folder, { recursive: true });
    },
  };

  async function read(): Promise<void> {
    for await (const line of createInterface(Readable.fromWeb(child.stdout))) {
      const event = JSON.parse(line);
      if (event.event === "listening") server.port = event.port;
      if (event.event === "configured") configured++;
      if (event.event === "reached") server.reached[event.stage as SmtpStage]++;
      if (event.event === "letter") {
        const { from, to, secure } = event;
        const raw = Uint8Array.fromBase64(event.raw);
        server.letters.push({ from, to, secure, raw, mail: await PostalMime.parse(raw) });
      }
      for (const look of waiting) look();
    }
  }
  const reading = read();
  await server.until(({ port }) => port !== 0);
  return server;
}

const PROGRAM = "smtp_server_process.mjs";

/** The packages of the program, which Deno has downloaded as its lock file says. */
const PACKAGES = ["smtp-server", "nodemailer", "punycode.js"];

/** Makes a folder in which Node finds the program and its packages. */
async function makeNodeFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "smtp-server-" });
  await Deno.mkdir(join(folder, "node_modules"));
  const require = createRequire(import.meta.resolve("smtp-server"));
  for (const name of PACKAGES) {
    await Deno.symlink(folderOf(require.resolve(name), name), join(folder, "node_modules", name));
  }
  await Deno.symlink(fileURLToPath(new URL(PROGRAM, import.meta.url)), join(folder, PROGRAM));
  return folder;
}

/** The folder of a package, by a file in it: `…/name/version`. */
function folderOf(file: string, name: string): string {
  let folder = dirname(file);
  while (!folder.endsWith(name) && !dirname(folder).endsWith(`/${name}`)) folder = dirname(folder);
  return folder;
}
