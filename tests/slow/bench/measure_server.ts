import type { RunningServer } from "./server_process.ts";
import { CONNECTIONS, type LoadRequest, measure, type Measurement } from "./wrk.ts";

/** What a load did, and what it cost. */
export interface ServerMeasurement extends Measurement {
  /** CPU time of all processes of the server for each request, in microseconds. */
  cpuMicros: number;
}

/** Measures a server for some seconds; its processes share the connections. */
export async function measureServer(
  { ports, pids }: RunningServer,
  request: LoadRequest,
  seconds: number,
): Promise<ServerMeasurement> {
  const before = cpuMillis(pids);
  const parts = await Promise.all(
    ports.map((port) =>
      measure(port, request, seconds, { connections: CONNECTIONS / ports.length })
    ),
  );
  const cpu = cpuMillis(pids) - before;
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
  };
}

/** The unit of CPU time in `/proc`, in milliseconds. */
const TICK_MS = 10;

/** CPU time that processes have used, in milliseconds (Linux, proc_pid_stat(5): utime and stime). */
function cpuMillis(pids: number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}
