/**
 * Drives `wrk`, a load generator from Debian's package of that name, against a server on loopback.
 *
 * @module
 */

/** A request as `wrk` repeats it. `{n}` in the body counts up; `{run}` differs from run to run. */
export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whether each request claims a source address of its own, by `X-Forwarded-For`. */
  varyAddress: boolean;
}

/** What a run of `wrk` measured. */
export interface Measurement {
  requestsPerSecond: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  requests: number;
  /** Answers that were no 2xx or 3xx, and requests without an answer. */
  refused: number;
  failed: number;
}

let run = 0;

/** The connections of a load. */
export const CONNECTIONS = 64;

/** How `wrk` sends requests. */
export interface LoadOptions {
  /** The connections, each of which waits for an answer before its next request; 64 by default. */
  connections?: number;
  /** How long a connection pauses before each request, in milliseconds. */
  pauseMs?: number;
}

/** Runs `wrk` for some seconds, with one request or several in turn; throws where it is not installed. */
export async function measure(
  port: number,
  request: LoadRequest | LoadRequest[],
  seconds: number,
  { connections = CONNECTIONS, pauseMs }: LoadOptions = {},
): Promise<Measurement> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, luaScript([request].flat(), `${Deno.pid}r${++run}`, pauseMs));
    const command = new Deno.Command("wrk", {
      args: ["-t1", `-c${connections}`, `-d${seconds}`, "-s", script, `http://127.0.0.1:${port}`],
    });
    const { stdout } = await command.output().catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new Error("The benchmarks need wrk: apt-get install -y wrk");
    });
    const line = new TextDecoder().decode(stdout).split("\n").find((line) => line.startsWith("{"));
    if (!line) throw new Error(`wrk measured nothing: ${new TextDecoder().decode(stdout)}`);
    return JSON.parse(line);
  } finally {
    await Deno.remove(script);
  }
}

function luaScript(requests: LoadRequest[], runId: string, pauseMs: number | undefined): string {
  return `
local n = 0
local requests = {
${requests.map((request) => requestFunction(request, runId)).join(",\n")}
}
function request()
  n = n + 1
  return requests[n % #requests + 1]()
end
${pauseMs === undefined ? "" : `function delay() return ${pauseMs} end`}
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requestsPerSecond":%f,"p50":%f,"p99":%f,"requests":%d,"refused":%d,"failed":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

/** An expression of Lua: a function that makes a request. */
function requestFunction(request: LoadRequest, runId: string): string {
  const headers = Object.entries(request.headers ?? {})
    .map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  const body = request.body?.replaceAll("{run}", runId).split("{n}").map(lua).join(" .. n .. ");
  // 250 × 250 × 250 addresses: more than a minute has requests.
  return `(function()
  local headers = {${headers.join(", ")}}
  return function()
    ${
    request.varyAddress
      ? `headers["X-Forwarded-For"] = "10." .. n % 250 .. "." ..
         math.floor(n / 250) % 250 .. "." .. math.floor(n / 62500) % 250`
      : ""
  }
    return wrk.format(${lua(request.method)}, ${lua(request.path)}, headers, ${body ?? "nil"})
  end
end)()`;
}

/** A Lua string; JSON's escapes are Lua's too for the ASCII text that the benchmarks send. */
function lua(text: string): string {
  return JSON.stringify(text);
}
