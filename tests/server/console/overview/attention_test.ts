import assert from "node:assert/strict";
import { attentionSection } from "../../../../server/console/overview/attention.ts";
import { readConsoleTexts } from "../../../../server/content/mod.ts";
import type { Overview } from "../../../../shared/operator_schemas.ts";

const AT = "2026-11-21T12:00:00.000Z", LONG_AGO = "2026-10-01T12:00:00.000Z";

const QUIET = {
  total: 1,
  outbox: { due: 0, held: 0, refused: 0, sentToday: 0 },
  lastDone: { backup: AT },
  warnings: [],
  generatedAt: AT,
  // The cast is needed because the section reads only these members of an overview.
} as unknown as Overview;

/** No letter and no event is tried again. */
const NONE = { count: 0, mayBeMore: false };

/** The items of the section when some members of the overview are others. */
async function itemsOf(members: Partial<Overview>, may = () => true): Promise<string[]> {
  const { en: texts } = await readConsoleTexts();
  const section = attentionSection({ ...QUIET, ...members }, NONE, { texts, may });
  const items = section.text.matchAll(/<li class="(?:warning|fault)">([^]*?)<\/li>/g);
  return Array.from(items, ([, item = ""]) => item);
}

const failed = { at: AT, reason: "ENOENT" };
const runs = { schedule: "weekly", reason: "previous" as const, dates: ["2026-11-20"] };
const refusals = { day: "2026-11-21", refused: 6, tried: 9 } as const;

Deno.test("attentionSection() links each problem to the page where an operator can do something about it", async (t) => {
  const pause = { since: AT, until: AT, reason: "535 wrong" };
  const cases: [members: Partial<Overview>, path: string, isForViewers: boolean][] = [
    [{ outbox: { ...QUIET.outbox, pause } }, "/operator/outbox/", true],
    [{ outbox: { ...QUIET.outbox, due: 1, oldestDue: LONG_AGO } }, "/operator/outbox/", true],
    [{ outbox: { ...QUIET.outbox, refused: 4 } }, "/operator/outbox/?list=refused", true],
    [
      { refusals: [{ about: "events", ...refusals }] },
      "/operator/outbox/?list=deliveries",
      true,
    ],
    [
      { reports: [{ kind: "bounced", since: "2026-11-15", count: 3 }] },
      "/operator/outbox/?list=log&amp;state=bounced",
      true,
    ],
    [
      { reports: [{ kind: "complained", since: "2026-11-15", count: 1 }] },
      "/operator/outbox/?list=log&amp;state=complained",
      true,
    ],
    [{ lastDone: {} }, "/operator/data/", false],
    [{ lastDone: { backup: LONG_AGO } }, "/operator/data/", false],
    [{ backups: { at: "03:00", keep: 1, failed } }, "/operator/data/", false],
    [{ leftOutRuns: [runs] }, "/operator/invite/#schedules", true],
    [{ lastDone: { backup: AT, difference: AT } }, "/operator/data/", false],
  ];
  for (const [members, path, isForViewers] of cases) {
    await t.step(JSON.stringify(members), async () => {
      const hrefs = (items: string[]) => items.map((item) => /<a href="([^"]+)">/.exec(item)?.[1]);
      assert.deepEqual(hrefs(await itemsOf(members)), [path]);
      const shownToViewers = await itemsOf(members, () => false);
      assert.deepEqual(hrefs(shownToViewers), [isForViewers ? path : undefined]);
    });
  }
});

Deno.test("attentionSection() shows harm at present first, and what is to do before the launch last", async () => {
  const warnings = (["contact", "proxy", "letters", "address", "store"] as const)
    .map((about) => ({ about, message: `about ${about}.` }));
  const items = await itemsOf({
    warnings,
    backups: { at: "03:00", keep: 1, failed },
    lastDone: { difference: AT },
    leftOutRuns: [runs],
  });
  const subjects = [
    /^about store/,
    /^about address/,
    /^E‑mails are put into a folder/,
    /^about proxy/,
    /^The backup failed/,
    /^The wave of the run before/,
    /^Numbers of people can be wrong/,
    /^about contact/,
  ];
  assert.equal(items.length, subjects.length);
  for (const [index, subject] of subjects.entries()) assert.match(items[index]!, subject);
});

Deno.test("attentionSection() says in one item how many e-mails are rejected for good, and what to do when there are many on one day", async () => {
  const [rejected = "", ...others] = await itemsOf({
    outbox: { ...QUIET.outbox, refused: 4 },
    refusals: [{ about: "letters", ...refusals }],
  });
  assert.match(
    rejected,
    /^E‑mails and events that were rejected for good: 4\. [^<]+ On 21 Nov 2026 \(UTC\), 6 of 9 tries to send e‑mails were rejected\. If several have [^<]+ <a [^>]+>Look at them<\/a>$/,
  );
  assert.deepEqual(others, []);
});

Deno.test("attentionSection() says how many e-mails and events are tried again, after those that are rejected, and links to their list", async () => {
  const { en: texts } = await readConsoleTexts();
  const sectionOf = (triedAgain: typeof NONE) =>
    attentionSection(
      { ...QUIET, outbox: { ...QUIET.outbox, due: 3, refused: 4 }, lastDone: {} },
      triedAgain,
      { texts, may: () => true },
    ).text;
  assert.match(
    sectionOf({ count: 3, mayBeMore: false }),
    /rejected for good: 4\.[^]+ are not accepted yet: 3\. The service tries them again by itself\. <a href="\/operator\/outbox\/\?list=waiting">Look at them<[^]+There is no backup/,
  );
  assert.match(sectionOf({ count: 99, mayBeMore: true }), / are not accepted yet: 99\+\. /);
});

Deno.test("attentionSection() shows a pause first, as a fault, and counts what waits only there", async () => {
  const { en: texts } = await readConsoleTexts();
  const pause = { since: AT, until: AT, reason: "535 wrong" };
  const { text } = attentionSection(
    {
      ...QUIET,
      outbox: { ...QUIET.outbox, due: 7, pause },
      warnings: [{ about: "store", message: "about store." }],
    },
    { count: 7, mayBeMore: false },
    { texts, may: () => true },
  );
  assert.match(
    text,
    /<ul>\n<li class="fault">All e‑mails have been paused [^]+ that wait: 7\. [^]+<li class="warning">about store/,
  );
  assert.doesNotMatch(text, /not accepted yet/);
});

Deno.test("attentionSection() says that nothing needs attention when there is no problem", async () => {
  const { en: texts } = await readConsoleTexts();
  const { text } = attentionSection(QUIET, NONE, { texts, may: () => true });
  assert.equal(text, '<p class="soft">Nothing needs attention.</p>');
});
