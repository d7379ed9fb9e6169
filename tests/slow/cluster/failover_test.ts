import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { listItems } from "../../support/lists.ts";
import { mailVariables } from "../../support/mail.ts";
import { openUrl, type Postgres, startPostgres, test } from "../../support/postgres.ts";
import { startService } from "../../support/process.ts";
import {
  fromNewSource,
  sendSignUp,
  type Serving,
  statusOf,
} from "../../support/process_requests.ts";
import { readDocument } from "../../support/project_files.ts";
import { listenTo } from "../../support/receiver.ts";
import { storedSignUps } from "../../support/records.ts";
import { withEvents } from "../../support/service.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

/** Within which the service goes on by itself after a promotion, in milliseconds. */
const GOES_ON_MS = 15_000;

/** The parts of the example in server/docs/deploy.md, in which two machines have names. */
async function readExample() {
  const [, example = ""] = /^## PostgreSQL with a standby\n([^]*?)^## /m
    .exec(await readDocument("server/docs/deploy.md")) ?? [];
  const blocks = (language: string) =>
    Array.from(
      example.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm")),
      ([, text]) => text!,
    );
  const [access] = blocks("text");
  const [prepare, wait, promote] = blocks("sql");
  const connection = /-d '(.+)'/.exec(example)?.[1];
  const url = /KV_URL=(postgres:\S+)`/.exec(example)?.[1];
  assert.ok(access && prepare && wait && promote && connection && url);
  return { access, prepare, wait, promote, connection, url };
}

/** Runs the statements of a block one by one, as some cannot be in a transaction with others. */
async function runEach(server: Postgres, block: string): Promise<void> {
  for (const sql of block.trim().split(/;\n?/).filter(Boolean)) await server.sql(sql);
}

/** How many people confirm at the same time. */
const CONFIRMING = 8;

/** Confirms the sign-ups whose letters come in. @returns what ends it, and gives who has confirmed */
function confirmAll({ letters }: SmtpServer, { request }: Serving) {
  const confirmed: string[] = [];
  let isOver = false, next = 0;
  const confirmInTurn = async () => {
    while (!isOver) {
      const letter = letters[next];
      if (!letter) {
        await delay(20);
        continue;
      }
      next++;
      const body = new URLSearchParams({ t: /\?t=(\S+)/.exec(letter.mail.text ?? "")![1]! });
      const init = { method: "POST", body, headers: fromNewSource(), redirect: "manual" } as const;
      if (await statusOf(request("/place/confirm", init)) === 303) confirmed.push(letter.to[0]!);
    }
  };
  const running = Promise.all(Array.from({ length: CONFIRMING }, confirmInTurn));
  return async () => {
    isOver = true;
    await running;
    return confirmed;
  };
}

test("A process continues on a promoted standby, and loses no sign-up, confirmation, letter or event", async () => {
  await using mailServer = await startSmtpServer();
  await using receiver = listenTo(() => new Response());
  const example = await readExample();
  // Here, both are this machine, without TLS.
  const access = example.access.replaceAll("hostssl", "host")
    .replaceAll(/db2\.example\.com|10\.0\.0\.0\/24/g, "127.0.0.1/32");
  const files = { "pg_hba.conf": `${access}host all postgres 127.0.0.1/32 trust\n` };
  await using primary = await startPostgres({ files });
  const role = "create role waitlist login password 'password'";
  for (const sql of [role, "create database waitlist owner waitlist"]) await primary.sql(sql);
  await runEach(primary, example.prepare);
  const at = `host=127.0.0.1 port=${primary.port}`;
  const standbyOf = example.connection.replace("host=db1.example.com", at);
  await using standby = await startPostgres({ standbyOf });
  await runEach(primary, example.wait);
  await using service = await startService({
    ...mailVariables(mailServer),
    ...withEvents(receiver.url),
    KV_URL: example.url.replace("db1.example.com", `127.0.0.1:${primary.port}`)
      .replace("db2.example.com", `127.0.0.1:${standby.port}`),
    TRUSTED_PROXY_HOPS: "1",
  });
  const following = "select application_name, sync_state from pg_stat_replication";
  assert.equal(await primary.sql(following), "db2|sync");
  const endConfirming = confirmAll(mailServer, service);
  const { refused, acknowledged } = await sendSignUps({ servers: [service] }, async () => {
    await primary.kill();
    await delay(1_000);
    const promotedAt = performance.now();
    await runEach(standby, example.promote);
    for (let isBack = false; !isBack;) {
      isBack = await statusOf(sendSignUp(service, { email: "visitor1@example.com" })) === 200;
    }
    const ms = performance.now() - promotedAt;
    console.log(`the service went on ${Math.round(ms)} ms after the promotion`);
    assert.ok(ms < GOES_ON_MS, `it took ${ms} ms`);
  });
  const confirmed = await endConfirming();
  // Where the promotion comes soon, tries that are made again bridge it.
  console.log(`${refused} requests were not acknowledged; ${confirmed.length} people confirmed`);
  await service.end("SIGTERM");

  using store = await openUrl(standby.urlOf("waitlist"));
  await assertEachOnce(store, acknowledged);
  const signUps = await storedSignUps(store.kv);
  assert.ok(confirmed.length > 100, "people confirmed");
  assert.deepEqual(confirmed.filter((email) => signUps[email]?.state !== "waiting"), []);
  // What is told of whom, by what was sent and what waits.
  const items = (await listItems(store.kv))
    .map(({ item: { email, message } }) => ["event" in message ? message.event : "letter", email]);
  const sent = receiver.received.map(({ body }) => JSON.parse(body))
    .map(({ type, data }) => [type, data.email]);
  const letters = mailServer.letters.map(({ to: [email] }) => ["letter", email]);
  const told = new Set([...items, ...sent, ...letters].map(String));
  const wanted = [...acknowledged.addresses()].flatMap((email) => [
    ["letter", email],
    ["signup.joined", email],
  ]).concat(confirmed.map((email) => ["signup.confirmed", email]));
  assert.deepEqual(wanted.filter((each) => !told.has(String(each))), []);
});
