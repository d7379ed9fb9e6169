import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { firstLetterIn } from "../../../support/letters.ts";
import { startService } from "../../../support/process.ts";

// README.md, "Configure it".
Deno.test("main() writes the first letter to a file when MAIL_URL=file:mail is the only variable", async () => {
  await using service = await startService({ MAIL_URL: "file:mail" });
  const letter = firstLetterIn(join(dirname(service.started.store), "mail"));
  const form = { email: "ada@example.com", consent: "true", lang: "en" };
  const body = new URLSearchParams(form);
  const response = await service.request("/api/v1/waitlist", { method: "POST", body });
  assert.equal(response.status, 303, await response.text());
  const { to, subject, text = "" } = await letter;
  assert.deepEqual(to?.map(({ address }) => address), ["ada@example.com"]);
  assert.match(subject ?? "", /^Confirm/);
  const link = /https?:\/\/\S+\/place\/\?t=\S+/.exec(text)?.[0] ?? assert.fail(text);
  const { pathname, search, origin } = new URL(link);
  assert.equal(origin, service.started.baseUrl);
  const page = await service.request(pathname + search);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /ada@example\.com/);
});
