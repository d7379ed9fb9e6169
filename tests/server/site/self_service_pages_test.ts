import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";
import { faultyKv } from "../../support/faulty_kv.ts";
import { inviteAll } from "../../support/invitations.ts";
import { putPerson, SIGNED_UP, tokenOf } from "../../support/self_service.ts";
import {
  ADA,
  findAda,
  PRIVATE,
  privateHeaders,
  startSelfServicePages,
  startWithPerson,
} from "../../support/self_service_pages.ts";
import { everyEntry, recordId } from "../../support/records.ts";
import { form, serveOn, startTestService, test } from "../../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";
import { writeContent } from "../../support/brand.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { assertCountersEqualRecount } from "../../support/recounts.ts";

const EMAIL = "o'hara+1@example.com";
const HEADINGS = {
  en: {
    unconfirmed: "One step to go",
    waiting: "You are on the list",
    invited: "There is a place for you",
  },
  de: {
    unconfirmed: "Nur noch ein Schritt",
    waiting: "Sie stehen auf der Liste",
    invited: "Ein Platz für Sie ist frei",
  },
};
const CSP =
  /^default-src 'none'; script-src https:\/\/waitlist\.test\/assets\/scripts-[0-9a-f]{16}\/; .*form-action 'self';.*frame-ancestors 'none'$/;

for (const lang of ["en", "de"] as const) {
  for (const state of ["unconfirmed", "waiting", "invited"] as const) {
    Deno.test(`The self-service page shows the stored data in the language of its path (${lang}, ${state})`, async (t) => {
      await using service = await startWithPerson({ email: EMAIL, state, lang });
      const { id, token, kv } = service;
      // Each moment differs, so that none stands for another one.
      const at = (day: number) => `2026-11-0${day}T08:00:00.000Z`;
      const own = state === "unconfirmed" ? [at(3), at(5)] : [at(4)];
      const moments = [SIGNED_UP, at(1), at(2), at(6), at(7), ...own];
      const { value: record } = await readOne<SignUpRecord>(kv, ["sign_up", EMAIL]);
      await kv.commit(new Commit().set(["sign_up", EMAIL], {
        ...record!,
        letters: [at(1), at(2)],
        ...record!.proof && { proof: { ...record!.proof, requestedAt: at(4) } },
        lastLetters: {
          ...record!.confirmations && {
            confirmation: { putAt: at(5), takenAt: at(3), answer: "250 <OK>", messageId: "<1@w>" },
          },
          link: { putAt: at(6), refusedAt: at(7), answer: "550 no" },
        },
      }));
      for (
        const [path, shown, other, switched] of [
          ["/place/", "en", "de", "/de/platz/"],
          ["/de/platz/", "de", "en", "/place/"],
          ["/place/leave", lang, ...(lang === "en" ? ["de", "/de/platz/"] : ["en", "/place/"])],
        ] as const
      ) {
        await t.step(path, async () => {
          const response = await service.request(`${path}?t=${token}`);
          assert.equal(response.status, 200);
          assert.deepEqual(privateHeaders(response), PRIVATE);
          assert.match(response.headers.get("content-security-policy") ?? "", CSP);
          const html = await response.text();
          assert.equal(response.headers.get("content-length"), String(new Blob([html]).size));
          assert.match(html, new RegExp(`^<!doctype html>\n<html lang="${shown}">`));
          assert(html.includes(`<h1>${HEADINGS[shown][state]}</h1>`));
          const toOther = `<a href="${switched}?t=${token}" hreflang="${other}" lang="${other}">`;
          assert(html.includes(toOther), `${path} leads to the same page in the other language`);
          assert(html.includes("<dd>o&#39;hara+1@example.com</dd>"));
          for (const at of moments) {
            assert(html.includes(`<time datetime="${at}">`), `${path} ${at}`);
          }
          assert(html.includes(id));
          assert.match(
            html,
            shown === "en" ? /refused by the mail server · 550 no</ : /abgelehnt · 550 no</,
          );
          const [plain = "", technical = ""] = html.split("<details>");
          assert.equal(
            technical.includes("· 250 &lt;OK&gt; · &lt;1@w&gt;</dd>"),
            state === "unconfirmed",
          );
          for (const inner of ["250 &lt;OK", "550 no", id]) assert(!plain.includes(inner), inner);
          assert.match(
            html,
            shown === "en" ? /We do not keep the\s+network/ : /speichern wir nicht: D/,
          );
          assert.equal(html.includes('action="/place/confirm"'), state === "unconfirmed");
          assert.equal(html.includes("code-of-the-invitation"), state === "invited");
          for (const action of ["/place/data", "/place/leave"]) {
            const form = `<form method="post" action="${action}">\n` +
              `<input type="hidden" name="t" value="${token}">\n` +
              `<input type="hidden" name="lang" value="${shown}">`;
            assert(html.includes(form), action);
          }
          assert.doesNotMatch(html, /<script|<slot|\{\{|undefined|rel="canonical"/);
        });
      }
    });
  }
}

Deno.test("The self-service page shows the wording of the consent above the button that confirms, and has the wording's id in the form", async () => {
  await using service = await startWithPerson({ email: EMAIL, state: "unconfirmed" });
  const response = await service.request(`/place/?t=${service.token}`);
  const html = await response.text();
  const text =
    "I agree that Acme & Sons may store my address and e-mail me about early access. I can " +
    "withdraw my consent at any time on this page.";
  const wording = html.indexOf(text.replace("&", "&amp;"));
  assert(wording > 0 && wording < html.indexOf('<button class="button" type="submit">'));
  const sent = consentTextId({ lang: "en", text });
  assert(html.includes(`<input type="hidden" name="consent_text" value="${sent}">`));
});

Deno.test("The self-service page of an invited person has the link of the invitation", async () => {
  await using service = await startWithPerson({ email: EMAIL, state: "invited" });
  const link = "https://app.test/?a=1&code={code}";
  await inviteAll(service.kv, { wave: "spring", next: 1, link });
  const response = await service.request(`/place/?t=${service.token}`);
  const address = "https://app.test/?a=1&amp;code=code-of-the-invitation";
  const button = `<a class="button" href="${address}">Accept my invitation</a>`;
  assert((await response.text()).includes(button));
});

Deno.test("The self-service page changes no data when it is requested by GET or HEAD", async (t) => {
  await using service = await startWithPerson({ email: EMAIL, state: "unconfirmed" });
  const { token } = service;
  const before = await everyEntry(service.kv);
  for (const method of ["GET", "HEAD"]) {
    const paths = "/place/ /de/platz/ /place/leave /place/confirm /place/data /place/left/ " +
      "/place/sent/ /place /de/platz";
    for (const path of paths.split(" ")) {
      await t.step(`${method} ${path}`, async () => {
        const query = `?t=${token}&List-Unsubscribe=One-Click&email=${encodeURIComponent(EMAIL)}`;
        const response = await service.request(path + query, { method });
        if (method === "HEAD") assert.equal(await response.text(), "");
        else await response.body?.cancel();
      });
    }
  }
  await service.settle();
  assert.deepEqual(await everyEntry(service.kv), before);
});

Deno.test("The self-service page answers 404 and says what to do when the token is invalid", async (t) => {
  await using service = await startWithPerson({ email: EMAIL, state: "waiting" });
  const { id, token } = service;
  const bodies = new Set<string>();
  const ofOthers = [
    await tokenOf(service.kv, "nobody@example.com", id),
    await tokenOf(service.kv, EMAIL, recordId()),
  ];
  for (const bad of ["x", token.slice(0, -1), `${token}A`, ...ofOthers, "%00", ".."]) {
    for (const [path, lang] of [["/place/", "en"], ["/de/platz/", "de"], ["/place/leave", "en"]]) {
      await t.step(`${path}?t=${bad}`, async () => {
        const response = await service.request(`${path}?t=${bad}`);
        assert.equal(response.status, 404);
        assert.deepEqual(privateHeaders(response), PRIVATE);
        const html = await response.text();
        assert(html.includes(`<html lang="${lang}">`));
        assert.match(html, /This link does not work|Dieser Link funktioniert nicht/);
        bodies.add(html);
      });
    }
  }
  assert.equal(bodies.size, 2, "one page a language, whatever is wrong");
});

Deno.test("The self-service page without a token has a form that asks for an address, in English and German", async (t) => {
  await using service = await startSelfServicePages();
  for (const path of ["/place/", "/de/platz/", "/place/?t=", "/place/?x=1"]) {
    await t.step(path, async () => {
      const response = await service.request(path);
      assert.equal(response.status, 200);
      assert.deepEqual(privateHeaders(response), PRIVATE);
      const action = path.slice(0, path.lastIndexOf("/") + 1);
      const html = await response.text();
      assert(html.includes(`<form class="place" method="post" action="${action}">`));
    });
  }
});

test(
  "The self-service page without a token shows the contact when MAIL_URL is not set",
  async (service, t) => {
    for (const path of ["/place/", "/de/platz/"]) {
      await t.step(path, async () => {
        const html = await (await service.request(path)).text();
        assert.doesNotMatch(html, /<form/);
        assert.match(html, /mailto:hello@waitlist\.test/);
      });
    }
  },
);

Deno.test("The self-service page redirects with its query when the last slash of its path is missing", async () => {
  await using service = await startSelfServicePages();
  const response = await service.request("/place?t=abc");
  assert.equal(response.status, 308);
  assert.equal(response.headers.get("location"), "/place/?t=abc");
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal(response.headers.get("cache-control"), "no-store");
});

test("The self-service page is in no list for crawlers and agents", async (service, t) => {
  for (const path of ["/sitemap.xml", "/llms.txt"]) {
    await t.step(path, async () => {
      const text = await (await service.request(path)).text();
      assert.doesNotMatch(text, /\/place|\/platz/);
    });
  }
});

Deno.test("The self-service page logs neither the token of its link nor the person's address or id, even when KV fails", async () => {
  const memory = await openMemoryKv();
  let down = false;
  const read = <T>(read: () => Promise<T>) =>
    down ? Promise.reject(new Error("KV is down")) : read();
  await using service = await serveOn(faultyKv(memory, (commit) => commit(), read));
  const { id } = await putPerson(service.kv, { email: EMAIL, state: "waiting" });
  const token = await tokenOf(service.kv, EMAIL, id);
  const get = () => service.request(`/place/?t=${token}`);
  assert.equal((await get()).status, 200);
  assert.equal((await service.request(`/place/?t=${token}x`)).status, 404);
  down = true;
  const failed = await get();
  assert.equal(failed.status, 500);
  assert.equal(await failed.text(), "Something went wrong on our side; try again later.");
  const log = JSON.stringify(service.log);
  down = false;
  assert.match(log, /KV is down/);
  for (const secret of [token, token.slice(-20), EMAIL, id]) assert(!log.includes(secret));
});

Deno.test("The self-service page asks for role and use case when brand.yaml has answers, and accepts only these answers", async () => {
  const role =
    "  role: { founder: { en: Founder, de: Gründung }, lead: { en: Lead, de: Leitung } }";
  await using own = await writeContent({ "brand.yaml": `answers:\n${role}\n` });
  await using service = await startTestService({ CONTENT_PATH: own.path });
  const { kv } = service;
  const { id } = await putPerson(kv, { email: ADA, state: "waiting", lang: "de" });
  await storeBulk(kv, [bulkSignUp("ada", { building: "agents", role: "other" })]);
  const t = await tokenOf(kv, ADA, id);
  const page = async () => await (await service.request(`/de/platz/?t=${t}`)).text();
  const asked = await page();
  assert.match(
    asked,
    /<option value="">Keine Angabe<[^]+value="other" selected>Other<[^]+>Gründung</,
  );
  assert.doesNotMatch(asked, /<select[^>]+name="building"/);
  const send = async (fields: Record<string, string>) => {
    const answer = await service.request("/place/answers", form({ t, lang: "de", ...fields }));
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), `/de/platz/?t=${t}&saved=1`);
    const { value } = await readOne<SignUpRecord>(kv, ["sign_up", ADA]);
    return [value?.role, value?.building];
  };
  assert.deepEqual(await send({ role: "founder", building: "" }), ["founder", "agents"]);
  const saved = await service.request(`/de/platz/?t=${t}&saved=1`);
  const SAVED = /<p class="saved" tabindex="-1" autofocus>Ihre Angaben sind gespeichert/;
  assert.match(await saved.text(), SAVED);
  assert.doesNotMatch(await page(), SAVED);
  assert.match(await page(), /<dt>Rolle<\/dt><dd>Gründung<\/dd>/);
  assert.deepEqual(await send({ role: "boss" }), ["founder", "agents"]);
  assert.deepEqual(await send({ role: "" }), [undefined, "agents"]);
  await assertCountersEqualRecount(kv);
});

Deno.test("The self-service page says that it cannot store a role when the people on the list already have 64 other roles", async () => {
  const role = "  role: { founder: { en: Founder, de: Gründung } }";
  await using own = await writeContent({ "brand.yaml": `answers:\n${role}\n` });
  await using service = await startTestService({ CONTENT_PATH: own.path });
  const { kv } = service;
  const { id } = await putPerson(kv, { email: ADA, state: "waiting" });
  const others = Array.from({ length: 64 }, (_, n) => bulkSignUp(`a${n}`, { role: `role-${n}` }));
  await storeBulk(kv, others);
  const t = await tokenOf(kv, ADA, id);
  const answer = await service.request("/place/answers", form({ t, lang: "en", role: "founder" }));
  assert.equal(answer.status, 409);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  const html = await answer.text();
  assert.match(
    html,
    /<p class="full" tabindex="-1" autofocus>Nothing was changed, as the list has no room/,
  );
  assert.match(html, /<dt>E‑mail address<\/dt><dd>ada@example\.com<\/dd>/);
});

Deno.test("The self-service page does not ask for role and use case when brand.yaml has no answers", async () => {
  await using service = await startWithPerson({ state: "waiting" });
  const { token } = service;
  const page = await (await service.request(`/place/?t=${token}`)).text();
  assert.doesNotMatch(page, /<select|Tell us a little more/);
  const sent = await service.request("/place/answers", form({ t: token, role: "founder" }));
  assert.equal(sent.status, 303);
  assert.equal((await findAda(service))?.role, undefined);
});
