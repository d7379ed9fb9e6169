import assert from "node:assert/strict";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";
import { inTime } from "../../../server/runtime/mod.ts";
import { ENOUGH_MS, faultyKv, hangingKv } from "../../support/faulty_kv.ts";
import { putPerson, tokenOf } from "../../support/self_service.ts";
import {
  ADA,
  findAda,
  PRIVATE,
  privateHeaders,
  startSelfServicePages,
  startWithPerson,
} from "../../support/self_service_pages.ts";
import { everyEntry } from "../../support/records.ts";
import { form } from "../../support/service.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import type { OutboxItem } from "../../../server/waitlist/outbox_item.ts";
import { listAll } from "../../support/memory_kv.ts";

for (const [lang, page] of [["en", "/place/"], ["de", "/de/platz/"]] as const) {
  Deno.test(`POST /place/confirm redirects to the self-service page, and stores a proof of consent that names the wording the person agreed to (${lang})`, async () => {
    await using service = await startWithPerson({ state: "unconfirmed", lang });
    const response = await service.request("/place/confirm", form({ t: service.token }));
    assert.equal(response.status, 303);
    assert.deepEqual(privateHeaders(response), PRIVATE);
    assert.equal(response.headers.get("location"), `${page}?t=${service.token}`);
    const record = (await findAda(service))!;
    assert.equal(record.state, "waiting");
    const { value } = await readOne<{ lang: string; text: string }>(service.kv, [
      "consent_text",
      record.proof!.consentText,
    ]);
    assert.equal(value?.lang, lang);
    assert.match(value.text, /Acme & Sons/);
    const shown = await (await service.request(`${page}?t=${service.token}`)).text();
    const wording = `<q lang="${lang}">${value.text.replace("&", "&amp;")}</q>`;
    assert(shown.includes(wording), "the page shows what was agreed to");
    const again = await service.request("/place/confirm", form({ t: service.token }));
    assert.equal(again.status, 303);
    assert.deepEqual(await findAda(service), record);
  });
}

Deno.test("The forms of the self-service page are answered in the language in which the page was shown", async () => {
  await using service = await startWithPerson({ state: "unconfirmed", lang: "en" });
  const { token } = service;
  const page = await (await service.request(`/de/platz/?t=${token}`)).text();
  const fields = Object.fromEntries(
    Array.from(
      page.matchAll(/type="hidden" name="(\w+)" value="([^"]+)"/g),
      ([, ...field]) => field,
    ),
  );
  assert.equal(fields.lang, "de");
  const confirmed = await service.request("/place/confirm", form(fields));
  assert.equal(confirmed.headers.get("location"), `/de/platz/?t=${token}`);
  const record = (await findAda(service))!;
  assert.equal(record.proof?.consentText, fields.consent_text, "the wording that was shown");
  assert.equal(record.lang, "en", "letters stay in the person's language");
  const unknown = await service.request("/place/confirm", form({ t: token, lang: "fr" }));
  assert.equal(unknown.headers.get("location"), `/place/?t=${token}`);
  const bad = await service.request("/place/data", form({ t: "x", lang: "de" }));
  assert.match(await bad.text(), /Dieser Link funktioniert nicht/);
  const left = await service.request("/place/leave", form({ t: token, lang: "de", sure: "1" }));
  assert.equal(left.headers.get("location"), "/de/platz/verlassen/");
});

Deno.test("POST /place/confirm changes nothing, and redirects to the self-service page, when the form names an earlier wording of the consent", async () => {
  await using service = await startWithPerson({ state: "unconfirmed" });
  const shown = consentTextId({ lang: "en", text: "An earlier wording." });
  const fields = { t: service.token, consent_text: shown };
  const response = await service.request("/place/confirm", form(fields));
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), `/place/?t=${service.token}`);
  assert.equal((await findAda(service))?.state, "unconfirmed");
});

Deno.test("POST /place/data answers with a file of all stored data of the person", async () => {
  await using service = await startWithPerson({ state: "invited", lang: "de" });
  const response = await service.request("/place/data", form({ t: service.token }));
  assert.equal(response.status, 200);
  assert.deepEqual(privateHeaders(response), PRIVATE);
  assert.equal(response.headers.get("content-type"), "application/json");
  const disposition = 'attachment; filename="waitlist-data.json"';
  assert.equal(response.headers.get("content-disposition"), disposition);
  const { waiting, history, ...data } = await response.json();
  const { outbox, ...record } = (await findAda(service))!;
  assert.deepEqual([data, history], [{ email: ADA, ...record, letterLog: [] }, []]);
  assert.equal(data.id, service.id);
  assert.equal(waiting.length, outbox?.length);
  assert(waiting.some(({ letter }: { letter: string }) => letter === "invitation"));
});

Deno.test("POST /place/data returns the waiting letters and events, and leaves out delivered letters and events", async () => {
  await using service = await startWithPerson({ state: "invited" });
  const data = async () =>
    await (await service.request("/place/data", form({ t: service.token }))).json();
  const { waiting } = await data();
  assert.ok(waiting.length > 0);
  for (const { key, value } of await listAll<OutboxItem>(service.kv, { prefix: ["outbox"] })) {
    await service.kv.commit(new Commit().set(key, { ...value, queue: "delivered" }));
  }
  assert.deepEqual((await data()).waiting, []);
});

Deno.test("The forms of the self-service page change nothing when the token is absent, invalid or only in the query", async (t) => {
  await using service = await startWithPerson({ state: "unconfirmed" });
  const before = await everyEntry(service.kv);
  for (const path of ["/place/confirm", "/place/data", "/place/leave"]) {
    for (const fields of [{}, { t: "" }, { t: `${service.token}x` }, { token: service.token }]) {
      await t.step(`${path} ${JSON.stringify(fields)}`, async () => {
        const response = await service.request(path, form(fields as Record<string, string>));
        assert.equal(response.status, 404);
        assert.deepEqual(privateHeaders(response), PRIVATE);
        assert.match(await response.text(), /This link does not work/);
      });
    }
  }
  for (const path of ["/place/confirm", "/place/data"]) {
    await t.step(path, async () => {
      assert.equal((await service.request(`${path}?t=${service.token}`, form({}))).status, 404);
    });
  }
  assert.deepEqual(await everyEntry(service.kv), before);
});

Deno.test("The forms of the self-service page refuse bodies that are compressed, too large, not UTF-8 or not a form", async (t) => {
  await using service = await startWithPerson({ state: "waiting" });
  const { token } = service;
  const FORM = "application/x-www-form-urlencoded";
  const post = (type: string, body: string | Uint8Array<ArrayBuffer>, more = {}) => ({
    method: "POST",
    headers: { "Content-Type": type, ...more },
    body,
  });
  for (const path of ["/place/confirm", "/place/data", "/place/leave", "/place/", "/de/platz/"]) {
    for (
      const [init, status, error] of [
        [post("application/json", JSON.stringify({ t: token })), 415, "unsupported_media_type"],
        [post("text/plain", `t=${token}`), 415, "unsupported_media_type"],
        [post(FORM, `t=${token}`, { "Content-Encoding": "gzip" }), 415, "unsupported_media_type"],
        [post(FORM, `t=${token}&x=${"x".repeat(65_536)}`), 413, "payload_too_large"],
        [post(FORM, new Uint8Array([0x74, 0x3d, 0xff])), 400, "invalid_request"],
        [post(FORM, `t=${token}${"&x".repeat(100)}`), 400, "invalid_request"],
      ] as const
    ) {
      await t.step(`${path} ${error}`, async () => {
        const response = await service.request(path, init);
        assert.equal(response.status, status);
        assert.deepEqual(privateHeaders(response), PRIVATE);
        assert.equal((await response.json()).error, error);
      });
    }
  }
  assert.equal((await findAda(service))?.state, "waiting");
});

Deno.test("The paths of the self-service page answer 405 with Allow when they do not accept the method", async (t) => {
  await using service = await startSelfServicePages();
  const table: [path: string, allow: string, methods: string][] = [
    ["/place/", "GET, HEAD, POST", "PUT DELETE OPTIONS"],
    ["/de/platz/", "GET, HEAD, POST", "PATCH"],
    ["/place/leave", "GET, HEAD, POST", "DELETE"],
    ["/place/confirm", "POST", "GET HEAD PUT"],
    ["/place/data", "POST", "GET OPTIONS"],
    ["/place/left/", "GET, HEAD", "POST"],
    ["/place/sent/", "GET, HEAD", "POST"],
  ];
  for (const [path, allow, methods] of table) {
    for (const method of methods.split(" ")) {
      await t.step(`${method} ${path}`, async () => {
        const response = await service.request(path, { method });
        assert.equal(response.status, 405);
        assert.equal(response.headers.get("allow"), allow);
      });
    }
  }
});

Deno.test("The form that asks for a self-service link gives the same answer for known and unknown addresses", async (t) => {
  await using service = await startWithPerson({ state: "waiting" });
  const answers = new Set<string>();
  for (const email of [ADA, "ADA@EXAMPLE.COM", "nobody@example.com"]) {
    await t.step(email, async () => {
      const response = await service.request("/place/", form({ email }));
      answers.add(JSON.stringify([response.status, ...response.headers]));
      assert.equal(await response.text(), "");
      assert.equal(response.headers.get("location"), "/place/sent/");
    });
  }
  assert.equal(answers.size, 1);
  await service.settle();
  assert((await findAda(service))?.linkAt !== undefined, "the letter was put into the outbox");
  const german = await service.request("/de/platz/", form({ email: ADA }));
  assert.equal(german.headers.get("location"), "/de/platz/gesendet/");
  await service.settle();
});

Deno.test("The form that asks for a self-service link is shown again with the fault when the address is malformed", async (t) => {
  await using service = await startSelfServicePages();
  for (
    const [path, email, fault] of [
      ["/place/", "no <address>", "Please enter an e‑mail address such as ada@example.com."],
      ["/place/", "", "Please enter an e‑mail address such as ada@example.com."],
      ["/place/", "nö@@", "We can write only to addresses without letters such as ä, é or ß."],
      ["/de/platz/", "a@b", "Bitte geben Sie eine E‑Mail-Adresse wie ada@example.com ein."],
    ] as const
  ) {
    await t.step(`${path} ${email}`, async () => {
      const response = await service.request(path, form({ email }));
      assert.equal(response.status, 422);
      assert.deepEqual(privateHeaders(response), PRIVATE);
      const html = await response.text();
      const value = email.replace("<", "&lt;").replace(">", "&gt;");
      assert(html.includes(` aria-invalid="true" autofocus value="${value}">`), html);
      assert(html.includes(`<p class="fault" id="place-email-fault">${fault}`));
    });
  }
});

// So the time of the answer tells nothing of the list.
Deno.test("The form that asks for a self-service link is answered before the service reads KV", async () => {
  const never = () => new Promise<never>(() => {});
  await using service = await startSelfServicePages((kv) => faultyKv(kv, never, never, 50));
  const response = await service.request("/place/", form({ email: ADA }));
  assert.equal(response.status, 303);
});

for (const hangs of ["reads", "commits"] as const) {
  Deno.test(`The self-service page answers 500 by its deadline when KV hangs during ${hangs}`, async () => {
    let hanging: ReturnType<typeof hangingKv> | undefined;
    await using service = await startSelfServicePages((kv) =>
      (hanging = hangingKv(kv, { hangs, deadlineMs: 300 })).kv
    );
    const { id } = await putPerson(service.kv, { email: ADA, state: "unconfirmed" });
    const t = await tokenOf(service.kv, ADA, id);
    hanging!.isHung = true;
    const calls: [path: string, init?: RequestInit][] = [
      ["/place/confirm", form({ t })],
      ["/place/leave", form({ t, sure: "1" })],
      [`/place/leave?t=${t}`, form({ "List-Unsubscribe": "One-Click" })],
    ];
    if (hangs === "reads") {
      calls.push([`/place/?t=${t}`], ["/place/data", form({ t })], ["/place/answers", form({ t })]);
    }
    await Promise.all(calls.map(async ([path, init]) => {
      const { status } = await inTime(ENOUGH_MS, service.request(path, init));
      assert.equal(status, 500, path);
    }));
    hanging!.isHung = false;
  });
}

const MULTIPART = (value: string, fields = 1) => {
  const body = new FormData();
  body.set("List-Unsubscribe", value);
  for (let field = 2; field <= fields; field++) body.append("x", "");
  return { method: "POST", body };
};

for (const lang of ["en", "de"] as const) {
  Deno.test(`POST /place/leave first asks the person to confirm, and then erases the person (${lang})`, async (t) => {
    await using service = await startWithPerson({ state: "invited", lang });
    const { token } = service;
    for (const more of [{}, { sure: "" }, { sure: "yes" }]) {
      await t.step(JSON.stringify(more), async () => {
        const asked = await service.request("/place/leave", form({ t: token, ...more }));
        assert.equal(asked.status, 200);
        assert.deepEqual(privateHeaders(asked), PRIVATE);
        const html = await asked.text();
        assert.match(html, lang === "en" ? /<h1>Leave the list\?/ : /<h1>Die Liste verlassen\?/);
        assert.match(html, lang === "en" ? /its code no longer works/ : /ihr Code gilt nicht mehr/);
        assert(html.includes(ADA));
        assert(
          html.includes(`name="t" value="${token}"`) && html.includes('name="sure" value="1"'),
        );
        assert(html.includes(`<a href="${lang === "en" ? "/place/" : "/de/platz/"}?t=${token}">`));
        assert.doesNotMatch(html, /<slot|\{\{|undefined/);
        assert(await findAda(service), "nothing has gone yet");
      });
    }
    const response = await service.request("/place/leave", form({ t: token, sure: "1" }));
    assert.equal(response.status, 303);
    assert.deepEqual(privateHeaders(response), PRIVATE);
    const left = response.headers.get("location") ?? "";
    assert.equal(left, lang === "de" ? "/de/platz/verlassen/" : "/place/left/");
    assert.equal(await findAda(service), undefined);
    assert.equal((await listAll(service.kv, { prefix: ["erased"] })).length, 1);
    const page = await service.request(left);
    assert.equal(page.status, 200);
    assert.deepEqual(privateHeaders(page), PRIVATE);
    assert(!(await page.text()).includes(ADA));
    // The link has ended with the record, also after another sign-up.
    await putPerson(service.kv, { email: ADA, state: "waiting" });
    const again = await service.request("/place/leave", form({ t: token, sure: "1" }));
    assert.equal(again.status, 404);
    assert.equal((await findAda(service))?.state, "waiting");
  });
}

Deno.test("One-click unsubscription accepts urlencoded and multipart forms, erases the person, and gives the same answer to a repeated request", async (t) => {
  const kinds = {
    urlencoded: form({ "List-Unsubscribe": "One-Click" }),
    multipart: MULTIPART("One-Click"),
  };
  for (const [kind, init] of Object.entries(kinds)) {
    await t.step(kind, async () => {
      await using service = await startWithPerson({ state: "waiting", lang: "de" });
      const leave = () => service.request(`/place/leave?t=${service.token}`, init);
      const response = await leave();
      assert.equal(response.status, 200);
      assert.deepEqual(privateHeaders(response), PRIVATE);
      assert.match(await response.text(), /<html lang="de">/);
      assert.equal(await findAda(service), undefined);
      assert.equal((await leave()).status, 200, "who has left already");
      await putPerson(service.kv, { email: ADA, state: "waiting" });
      assert.equal((await leave()).status, 200);
      assert((await findAda(service)) !== undefined, "the newer record stays");
    });
  }
});

Deno.test("One-click unsubscription erases nobody when the body or the token is wrong", async (t) => {
  await using service = await startWithPerson({ state: "waiting" });
  const { token } = service;
  const before = await everyEntry(service.kv);
  const good = form({ "List-Unsubscribe": "One-Click" });
  for (
    const [name, link, init, status] of [
      ["another value", token, form({ "List-Unsubscribe": "Two-Clicks" }), 400],
      ["no field", token, form({}), 400],
      ["another value in parts", token, MULTIPART("no"), 400],
      ["too many parts", token, MULTIPART("One-Click", 101), 400],
      ["no boundary", token, {
        ...MULTIPART("x"),
        headers: { "Content-Type": "multipart/form-data" },
      }, 400],
      ["plain text", token, { method: "POST", body: "List-Unsubscribe=One-Click" }, 415],
      ["no body", token, { method: "POST" }, 415],
      ["a longer token", `${token}A`, good, 404],
      ["no token", "x", good, 404],
    ] as const
  ) {
    await t.step(name, async () => {
      const response = await service.request(`/place/leave?t=${link}`, init);
      assert.equal(response.status, status);
      assert.deepEqual(privateHeaders(response), PRIVATE);
    });
  }
  assert.deepEqual(await everyEntry(service.kv), before);
});

Deno.test("Requests with the self-service link of a person who has left get an answer in the browser's language", async (t) => {
  await using service = await startWithPerson({ state: "waiting", lang: "en" });
  const { token } = service;
  await (await service.request("/place/leave", form({ t: token, sure: "1" }))).body?.cancel();
  const oneClick = form({ "List-Unsubscribe": "One-Click" });
  const table: [path: string, init: RequestInit, status: number, german: RegExp][] = [
    ["/place/leave", form({ t: token }), 404, /Dieser Link funktioniert nicht/],
    ["/place/confirm", form({ t: token }), 404, /Dieser Link funktioniert nicht/],
    ["/place/data", form({ t: token }), 404, /Dieser Link funktioniert nicht/],
    [`/place/leave?t=${token}`, {}, 404, /Dieser Link funktioniert nicht/],
    [`/place/leave?t=${token}`, oneClick, 200, /Sie haben die Liste verlassen/],
    ["/place/leave?t=x", oneClick, 404, /Dieser Link funktioniert nicht/],
  ];
  for (const [path, init, status, german] of table) {
    for (const [accepted, lang] of [["de-AT,de;q=0.9,en;q=0.8", "de"], ["fr", "en"]] as const) {
      await t.step(`${path} ${accepted}`, async () => {
        const headers = new Headers(init.headers);
        headers.set("Accept-Language", accepted);
        const response = await service.request(path, { ...init, headers });
        const page = await response.text();
        assert.equal(response.status, status);
        assert.deepEqual(privateHeaders(response), PRIVATE);
        assert(page.includes(`<html lang="${lang}">`));
        assert.equal(german.test(page), lang === "de");
      });
    }
  }
});
