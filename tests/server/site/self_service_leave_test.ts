import assert from "node:assert/strict";
import { putPerson } from "../../support/self_service.ts";
import { ADA, findAda, PRIVATE, privateHeaders } from "../../support/self_service_pages.ts";
import { startWithPerson } from "../../support/self_service_pages.ts";
import { everyEntry } from "../../support/records.ts";
import { form } from "../../support/service.ts";
import { listAll } from "../../support/memory_kv.ts";

const MULTIPART = (value: string, fields = 1) => {
  const body = new FormData();
  body.set("List-Unsubscribe", value);
  for (let field = 2; field <= fields; field++) body.append("x", "");
  return { method: "POST", body };
};

for (const lang of ["en", "de"] as const) {
  Deno.test(`leaving asks once, erases then, and leads to a page that says so (${lang})`, async () => {
    await using service = await startWithPerson({ state: "invited", lang });
    const { token } = service;
    for (const more of [{}, { sure: "" }, { sure: "yes" }]) {
      const asked = await service.request("/place/leave", form({ t: token, ...more }));
      assert.equal(asked.status, 200);
      assert.deepEqual(privateHeaders(asked), PRIVATE);
      const html = await asked.text();
      assert.match(html, lang === "en" ? /<h1>Leave the list\?/ : /<h1>Die Liste verlassen\?/);
      assert.match(html, lang === "en" ? /its code does not work/ : /ihr Code gilt nicht mehr/);
      assert(html.includes(ADA));
      assert(html.includes(`name="t" value="${token}"`) && html.includes('name="sure" value="1"'));
      assert(html.includes(`<a href="${lang === "en" ? "/place/" : "/de/platz/"}?t=${token}">`));
      assert.doesNotMatch(html, /<slot|\{\{|undefined/);
      assert(await findAda(service), "nothing has gone yet");
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

Deno.test("one click leaves when a mail program sends either kind of form, and once more", async () => {
  for (const init of [form({ "List-Unsubscribe": "One-Click" }), MULTIPART("One-Click")]) {
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
  }
});

Deno.test("one click leaves nobody when body or token is another one", async () => {
  await using service = await startWithPerson({ state: "waiting" });
  const { token } = service;
  const before = await everyEntry(service.kv);
  const good = form({ "List-Unsubscribe": "One-Click" });
  for (
    const [t, init, status] of [
      [token, form({ "List-Unsubscribe": "Two-Clicks" }), 400],
      [token, form({}), 400],
      [token, MULTIPART("no"), 400],
      [token, MULTIPART("One-Click", 101), 400],
      [token, { ...MULTIPART("x"), headers: { "Content-Type": "multipart/form-data" } }, 400],
      [token, { method: "POST", body: "List-Unsubscribe=One-Click" }, 415],
      [token, { method: "POST" }, 415],
      [`${token}A`, good, 404],
      ["x", good, 404],
    ] as const
  ) {
    const response = await service.request(`/place/leave?t=${t}`, init);
    assert.equal(response.status, status, `${t} ${init.body}`);
    assert.deepEqual(privateHeaders(response), PRIVATE);
  }
  assert.deepEqual(await everyEntry(service.kv), before);
});

Deno.test("links of people who have left answer in the browser's language", async () => {
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
      const headers = new Headers(init.headers);
      headers.set("Accept-Language", accepted);
      const response = await service.request(path, { ...init, headers });
      const page = await response.text();
      assert.equal(response.status, status, path);
      assert.deepEqual(privateHeaders(response), PRIVATE);
      assert(page.includes(`<html lang="${lang}">`), `${path} ${accepted}`);
      assert.equal(german.test(page), lang === "de", path);
    }
  }
});
