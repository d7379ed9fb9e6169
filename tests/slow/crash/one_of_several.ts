/** Kills of one at a time, while people sign up: of processes that share a PostgreSQL, and of that server. @module */
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "../../support/postgres.ts";
import { sendSignUp } from "../../support/process_requests.ts";
import { Acknowledged, findingsIn, startServer } from "../../support/victim.ts";

const PROCESSES = 2, CONNECTIONS = 32;

/** The longest time between two kills, and how long PostgreSQL is away at the most, in milliseconds. */
const PAUSE_MS = 1_000;

/** How long a client waits after a failure, in milliseconds. */
const TRY_AGAIN_MS = 50;

/** Kills processes and servers in a random order; each is back before the next kill. */
export async function crashOneOfSeveral(kills: { processes: number; servers: number }) {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres());
  const variables = { ...postgres.variables, TRUSTED_PROXY_HOPS: "1" };
  const services: Awaited<ReturnType<typeof startServer>>[] = [];
  for (let n = 0; n < PROCESSES; n++) {
    services.push(resources.use(await startServer(variables)));
  }

  const acknowledged = new Acknowledged();
  let sent = 0, refused = 0, isOver = false;
  async function signUpInTurn(): Promise<void> {
    while (!isOver) {
      const n = sent++;
      // Every fourth is for an address that may be there already.
      const of = n % 4 === 0 ? Math.floor(Math.random() * n) : n;
      const [email, sentAt] = [`visitor${of}@example.com`, Date.now()];
      try {
        const response = await sendSignUp(services[n % PROCESSES]!, { email });
        await response.body?.cancel();
        if (response.status === 200) acknowledged.add(email, sentAt);
        else refused++;
      } catch {
        refused++;
        await delay(TRY_AGAIN_MS);
      }
    }
  }
  const load = Promise.all(Array.from({ length: CONNECTIONS }, signUpInTurn));

  const left = { ...kills };
  while (left.processes + left.servers > 0) {
    await delay(Math.random() * PAUSE_MS);
    if (Math.random() * (left.processes + left.servers) < left.servers) {
      left.servers--;
      await postgres.kill();
      await delay(Math.random() * PAUSE_MS);
      await postgres.start();
    } else {
      left.processes--;
      const service = services[Math.floor(Math.random() * PROCESSES)]!;
      await service.kill();
      await service.start();
    }
  }
  isOver = true;
  await load;
  await Promise.all(services.map((service) => service.stop()));
  using store = await postgres.open();
  const findings = await findingsIn(store.kv, acknowledged);
  return { addresses: acknowledged.size, refused, findings };
}
