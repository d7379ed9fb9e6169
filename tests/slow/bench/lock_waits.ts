/** What connections to PostgreSQL wait for while they work, by samples of `pg_stat_activity`. @module */
import pg from "pg";

const SAMPLE_MS = 20;

const QUERY = `select coalesce(wait_event_type, 'nothing'), count(*) from pg_stat_activity
  where application_name = 'waitlist' and state = 'active' group by 1`;

/** Begins to take samples; gives what ends that and prints the share of each kind. */
export async function sampleWaits(connectionString: string, name: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const samples = new Map<string, number>();
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(async () => {
      const { rows } = await client.query({ text: QUERY, rowMode: "array" });
      for (const [kind, count] of rows) {
        samples.set(kind, (samples.get(kind) ?? 0) + Number(count));
      }
    });
  }, SAMPLE_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sampling;
      await client.end();
      const all = samples.values().reduce((sum, count) => sum + count, 0);
      const shares = Array.from(
        samples,
        ([kind, count]) => `${kind} ${Math.round(count / all * 100)} %`,
      );
      console.error(`${name}: busy connections waited for ${shares.join(", ")} (${all} samples)`);
    },
  };
}
