/** Drives `wrk`, a load generator from Debian's package of that name, against a server on loopback. @module */
import { run } from "../../support/process.ts";
import type { RunningServer } from "./server_process.ts";

/**
 * A request as `wrk` repeats it. `{n}` in the body counts up; `{run}` differs from run to run. `{nn}` in the path counts
 * from 00 to 49, again and again.
 */
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

let runs = 0;

/** The connections of a load. */
const CONNECTIONS = 64;

/** An answer that takes longer than these seconds counts as failed. wrk's own bound is 2, which a busy machine exceeds. */
const TIMEOUT_SECONDS = 10;

/** How `wrk` sends requests. */
export interface LoadOptions {
  /** The connections, each of which waits for an answer before its next request; 64 by default. */
  connections?: number;
  /**
   * The time between two requests of all connections together, in milliseconds, however long the answers take while a
   * connection is free. Without it, each request follows the last answer.
   */
  everyMs?: number;
}

/** Runs `wrk` for some seconds, with one request or several in turn; throws where it is not installed. */
export async function measure(
  port: number,
  request: LoadRequest | LoadRequest[],
  seconds: number,
  { connections = CONNECTIONS, everyMs }: LoadOptions = {},
): Promise<Measurement> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, luaScript([request].flat(), `${Deno.pid}r${++runs}`, everyMs));
    const load = ["-t1", `-c${connections}`, `-d${seconds}`];
    const how = [...load, "--timeout", `${TIMEOUT_SECONDS}s`, "-s", script];
    const { stdout } = await run(["wrk", ...how, `http://127.0.0.1:${port}`]).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new Error("The benchmarks need wrk: apt-get install -y wrk");
    });
    const line = stdout.split("\n").find((line) => line.startsWith("{"));
    if (!line) throw new Error(`wrk measured nothing: ${stdout}`);
    return JSON.parse(line);
  } finally {
    await Deno.remove(script);
  }
}

/** What a load did, and what it cost. */
export interface ServerMeasurement extends Measurement {
  /** CPU time of the service's processes for each request, in microseconds. */
  cpuMicros: number;
  /** The same with the processes of what it needs besides. */
  allCpuMicros: number;
}

/** Measures a server for some seconds; its processes share the connections. */
export async function measureServer(
  { ports, pids, beside }: RunningServer,
  request: LoadRequest,
  seconds: number,
  connections = CONNECTIONS,
): Promise<ServerMeasurement> {
  const others = await beside?.() ?? [];
  const [before, besideBefore] = [cpuMillis(pids), cpuMillis(others)];
  const load = { connections: connections / ports.length };
  const parts = await Promise.all(ports.map((port) => measure(port, request, seconds, load)));
  const cpu = cpuMillis(pids) - before;
  const allCpu = cpu + cpuMillis(others) - besideBefore;
  const sumOf = (key: keyof Measurement) => parts.reduce((sum, part) => sum + part[key], 0);
  const worstOf = (key: keyof Measurement) => Math.max(...parts.map((part) => part[key]));
  return {
    requestsPerSecond: sumOf("requestsPerSecond"),
    p50: worstOf("p50"),
    p99: worstOf("p99"),
    requests: sumOf("requests"),
    refused: sumOf("refused"),
    failed: sumOf("failed"),
    cpuMicros: cpu * 1000 / sumOf("requests"),
    allCpuMicros: allCpu * 1000 / sumOf("requests"),
  };
}

/** The unit of CPU time in `/proc`, in milliseconds. */
const TICK_MS = 10;

/** CPU time that processes have used, in milliseconds (Linux, proc_pid_stat(5): utime and stime). */
export function cpuMillis(pids: number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    let stat = "";
    try {
      stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    } catch {
      // A worker of a database server has ended.
    }
    const fields = stat.split(") ")[1]?.split(" ") ?? [];
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks * TICK_MS;
}

function luaScript(requests: LoadRequest[], runId: string, everyMs: number | undefined): string {
  return `
local n = 0
local requests = {
${requests.map((request) => requestFunction(request, runId)).join(",\n")}
}
function request()
  n = n + 1
  return requests[n % #requests + 1]()
end
${everyMs === undefined ? "" : delayFunction(everyMs)}
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

/**
 * A function of Lua that says how long a connection pauses before its next request, in milliseconds. Each call takes the
 * next moment at which a request is due. Lua has no clock of that precision, so the function asks the C library.
 */
function delayFunction(everyMs: number): string {
  return `
local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long us; } moment; int gettimeofday(moment *, void *);")
local moment = ffi.new("moment")
local due
function delay()
  ffi.C.gettimeofday(moment, nil)
  local now = tonumber(moment.s) * 1e3 + tonumber(moment.us) / 1e3
  due = due and due + ${everyMs} or now
  return math.max(0, due - now)
end
`;
}

/** An expression of Lua: a function that makes a request. */
function requestFunction(request: LoadRequest, runId: string): string {
  const headers = Object.entries(request.headers ?? {})
    .map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  const path = request.path.split("{nn}").map(lua).join(' .. string.format("%02d", n % 50) .. ');
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
    return wrk.format(${lua(request.method)}, ${path}, headers, ${body ?? "nil"})
  end
end)()`;
}

/** A Lua string; JSON's escapes are Lua's too for the ASCII text that the benchmarks send. */
function lua(text: string): string {
  return JSON.stringify(text);
}
