/** What `doctor` finds in the overview of a service. */
import assert from "node:assert/strict";
import type { Overview } from "../../../../shared/operator_schemas.ts";
import { type Proxy, startProxy } from "../../support/proxy.ts";
import { OPERATOR, useService } from "../../support/service.ts";
import { type Alter, diagnose, lineOf } from "../../support/doctor.ts";

const service = useService();

/** A proxy in front of the operator's overview. */
const startOverviewProxy = (alter: Alter): Proxy =>
  startProxy(service, {
    from: "192.0.2.71",
    alter: (response, { url }) => url.endsWith("/overview") ? alter(response) : response,
  });

Deno.test("'doctor' names the fault when the overview shows overdue, paused or refused e-mails, or an old or failed backup", async (t) => {
  const outbox = { due: 3, held: 0, refused: 2, sentToday: 5 };
  const until = "2026-11-21T12:30:00.000Z";
  const daily = { at: "03:00", keep: 14 };
  type Ago = (minutes: number) => string;
  const table: [check: string, line: RegExp, membersAt: (ago: Ago) => Partial<Overview>][] = [
    [
      "letters",
      /^ok letters 5 sent today, 3 waiting; 2 refused, look at 'waitlist outbox list --refused'$/,
      () => ({ sendsLetters: true, outbox }),
    ],
    [
      "letters",
      /^fault letters all e-mails are paused until 2026-\S+, because of the error 'Wrong password'; check the service's MAIL_URL .+retry --all'$/,
      () => ({ outbox: { ...outbox, pause: { since: until, until, reason: "Wrong password" } } }),
    ],
    [
      "letters",
      /^fault letters all e-mails are paused until a test succeeds, because of the error '421 busy'; /,
      () => {
        const pause = { since: until, until, reason: "421 busy", testing: true as const };
        return { outbox: { ...outbox, pause } };
      },
    ],
    [
      "letters",
      /^fault letters 3 items of the outbox \(e-mails and events\) wait, the oldest since 20\S+; look at 'waitlist outbox list'/,
      (ago) => ({ outbox: { ...outbox, oldestDue: ago(61) } }),
    ],
    [
      "letters",
      /^fault letters 8 of 18 tries to send e-mails were refused on 2026-11-21 \(UTC\); 6 of 9 tries to deliver events failed on /,
      () => ({
        outbox,
        refusals: [
          { about: "letters", day: "2026-11-21", refused: 8, tried: 18 },
          { about: "events", day: "2026-11-20", refused: 6, tried: 9 },
        ],
      }),
    ],
    [
      "backups",
      /^fault backups the last backup was made at 20\S+Z and is 8 days old; /,
      (ago) => ({ total: 1, lastDone: { backup: ago(8 * 24 * 60 + 1) } }),
    ],
    [
      "backups",
      /^ok backups the last backup is of 20/,
      (ago) => ({ lastDone: { backup: ago(7 * 24 * 60) } }),
    ],
    [
      "backups",
      /^fault backups there has been no backup; run 'waitlist backup' regularly/,
      () => ({ total: 1, lastDone: {} }),
    ],
    [
      "counters",
      /^fault counters at 20\S+, the counters differed from the records; run 'waitlist counters repair'$/,
      (ago) => ({ lastDone: { difference: ago(1) } }),
    ],
    [
      "store",
      /^fault store KV needs room$/,
      () => ({ warnings: [{ about: "store", message: "KV needs room." }] }),
    ],
    [
      "backups",
      /^fault backups the backup of 20\S+ failed with the error 'ENOENT'; check the service's BACKUP_URL; the service tries the backup again every hour/,
      (ago) => ({ backups: { ...daily, failed: { at: ago(5), reason: "ENOENT" } } }),
    ],
    [
      "backups",
      /^fault backups the last daily backup was made at 20\S+, .+; look at the service's log for the reason$/,
      (ago) => ({ backups: { ...daily, last: { at: ago(26 * 60 + 1), name: "a", bytes: 1 } } }),
    ],
  ];
  for (const [check, line, membersAt] of table) {
    await t.step(`${check}: ${line}`, async () => {
      await using proxy = startOverviewProxy(async (response) => {
        const overview: Overview = await response.json();
        const now = Date.parse(overview.generatedAt);
        const members = membersAt((minutes) => new Date(now - minutes * 60_000).toISOString());
        return Response.json({ ...overview, ...members }, { headers: response.headers });
      });
      assert.match(lineOf(await diagnose(proxy.url, { env: OPERATOR }), check), line);
    });
  }
});

Deno.test("'doctor' advises to use the same version for the service and the CLI when the overview is missing or malformed", async (t) => {
  const notFound = { error: "not_found", message: "There is nothing here." };
  const table: [line: RegExp, alter: Alter][] = [
    [
      / the service has no overview, because the service is older than this program; upgrade /,
      () => Response.json(notFound, { status: 404 }),
    ],
    [
      / The answer has the fault .+; use the same version of the service and of this program$/,
      async (response) => Response.json({ ...await response.json(), warnings: undefined }),
    ],
    [
      / .+\(404 from .+; check that --base-url is right, and that OPERATOR_KEY or/,
      () => new Response("Not found", { status: 404 }),
    ],
  ];
  for (const [line, alter] of table) {
    await t.step(`${line}`, async () => {
      await using proxy = startOverviewProxy(alter);
      const found = await diagnose(proxy.url, { env: OPERATOR });
      assert.deepEqual([found.code, found.stderr], [1, ""]);
      assert.match(lineOf(found, "overview"), line);
      assert.match(lineOf(found, "overview"), /^fault /);
      assert.match(lineOf(found, "proxy"), /^- proxy visitors cannot choose /);
    });
  }
});
