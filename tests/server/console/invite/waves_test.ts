import assert from "node:assert/strict";
import { createMailState } from "../../../../server/store/outbox/mod.ts";
import { startConsole } from "../../../support/console.ts";
import { textOf } from "../../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { call } from "../../../support/operator.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const INVITE = "/operator/invite/", WAVE = "/operator/invite/wave/";

Deno.test("wavePage, the list of waves and the overview say that a wave sends nothing while all e-mails are paused, and until when", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 2);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK, letters: true });
  const pause = { at: START, reason: "421 busy", causedBy: [], delayOf: () => 60_000 };
  await createMailState(kv).pause(pause);
  const paused = "Paused with all e‑mails until 21 Nov 2026, 12:01 UTC, 0 of 2";
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.match(html, /‘421 busy’ <a href="\/operator\/outbox\/">E‑mails and events</);
  const text = textOf(html);
  assert.match(text, /Wave first Paused with all e‑mails All waves /);
  assert.ok(
    text.includes(
      `${paused} The wave sends no e‑mails now. It goes on by itself after the pause of all e‑mails. Show why, and whose `,
    ),
    text,
  );
  assert.doesNotMatch(text, /Running|Sending e‑mails/);
  assert.ok(textOf((await browser.open(INVITE)).html).includes(`first next in line: 2 ${paused} `));
  assert.ok(textOf((await browser.open("/operator/")).html).includes(`Wave first : ${paused}. `));
  const german = { headers: { "Accept-Language": "de" } };
  assert.match(
    textOf((await browser.open(`${WAVE}?id=first`, german)).html),
    /Ruht mit allen E‑Mails bis 21\.11\.2026, 12:01 UTC, 0 von 2 Die Welle verschickt jetzt keine E‑Mails\./,
  );
});
