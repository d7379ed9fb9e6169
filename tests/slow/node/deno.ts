/**
 * As much of the global `Deno` as the tests that also run on Node use, made from what Node has. Load it first
 * (`node --import`); on Deno there is nothing to do. The service itself never sees it. @module
 */
import { once } from "node:events";
import * as fs from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { inspect } from "node:util";

type TestBody = (context: Pick<Deno.TestContext, "step">) => unknown;

export interface RegisteredTest {
  name: string;
  ignore?: boolean;
  fn: TestBody;
}

/** The tests that modules have registered. */
export const registered: RegisteredTest[] = [];

/** Work that follows each test. */
export const afterEach: (() => unknown)[] = [];

/** Takes a name, options and a function, the options alone, or any part of this that names and does something. */
function test(...given: (string | Partial<RegisteredTest> | TestBody)[]): void {
  const parts = given.map((part) =>
    typeof part === "string" ? { name: part } : typeof part === "function" ? { fn: part } : part
  );
  registered.push(Object.assign({}, ...parts));
}

/** A request whose body may be a stream, without Node's option for that. */
class TestRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, { ...init, ...init?.body && { duplex: "half" } });
  }
}

/** A connection as `Deno.connect` gives it. */
async function openConnection({ hostname: host, port }: { hostname: string; port: number }) {
  const socket = connect({ host, port, allowHalfOpen: true });
  await once(socket, "connect");
  return new Connection(socket);
}

class Connection implements Disposable {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Uint8Array<ArrayBuffer>>;
  #rest = new Uint8Array();

  constructor(socket: Socket) {
    this.#socket = socket.on("error", () => {});
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  async read(into: Uint8Array): Promise<number | null> {
    if (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return null;
      this.#rest = value;
    }
    const bytes = this.#rest.subarray(0, into.length);
    into.set(bytes);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes.length;
  }

  async write(bytes: Uint8Array): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(bytes, (error) => error ? reject(error) : resolve());
    });
    return bytes.length;
  }

  async closeWrite(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(resolve));
  }

  get readable(): ReadableStream<Uint8Array> {
    return ReadableStream.from({ [Symbol.asyncIterator]: () => this.#chunks });
  }

  close(): void {
    this.#socket.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

if (!("deno" in process.versions)) {
  const forTests = {
    test: Object.assign(test, {
      afterEach: (work: () => unknown) => afterEach.push(work),
      // For tests whose program is not installed.
      ignore: (name: string, fn: TestBody) => test({ name, fn, ignore: true }),
    }),
    args: process.argv.slice(2),
    connect: openConnection,
    inspect,
    makeTempDir: ({ prefix = "test-" } = {}) => mkdtemp(join(tmpdir(), prefix)),
    memoryUsage: process.memoryUsage,
    readTextFile: (path: string | URL) => readFile(path, "utf8"),
    readTextFileSync: (path: string | URL) => fs.readFileSync(path, "utf8"),
    remove: (path: string, options?: { recursive: boolean }) => rm(path, options),
    // Node refuses the same request targets as this version does.
    version: { deno: "2.5.0" },
    get exitCode() {
      return Number(process.exitCode ?? 0);
    },
    set exitCode(code: number) {
      process.exitCode = code;
    },
  };
  Object.defineProperty(globalThis, "Deno", { value: forTests });
  globalThis.Request = TestRequest;
}
