import assert from "node:assert/strict";
import { logHttp } from "../../cli/http_log.ts";

/** What is shown of one exchange. */
async function shown(request: Request, response: () => Response): Promise<string> {
  let text = "";
  let now = 1_000;
  const log = logHttp({
    fetch: () => Promise.resolve(response()),
    stderr: { write: (part) => text += part, isTerminal: false, columns: () => 80 },
    clock: { now: () => now += 12, wait: () => Promise.resolve() },
  });
  const answer = await log(request);
  await answer.text().catch(() => {});
  return text;
}

Deno.test("logHttp() masks credentials, cookies and tokens, and shows the rest of a request and its answer", async () => {
  const request = new Request("http://localhost/token", {
    method: "POST",
    headers: { Authorization: "Bearer a.b.c", Cookie: "session=1" },
    body: new URLSearchParams({ client_id: "id", client_secret: "s3cret&", scope: "a b" }),
  });
  const response = () =>
    Response.json({ access_token: 'x"y.z', client_secret: "new", scope: "a b" }, {
      headers: { "Set-Cookie": "session=2" },
    });
  assert.equal(
    await shown(request, response),
    [
      "> POST http://localhost/token",
      "> authorization: Bearer ***",
      "> content-type: application/x-www-form-urlencoded;charset=UTF-8",
      "> cookie: ***",
      ">",
      "> client_id=id&client_secret=***&scope=a+b",
      "< 200 after 12 ms",
      "< content-type: application/json",
      "< set-cookie: ***",
      "<",
      '< {"access_token":"***","client_secret":"***","scope":"a b"}',
      "",
    ].join("\n"),
  );
});

Deno.test("logHttp() masks invitation codes and the links to self-service pages, and shows error codes", async () => {
  const request = new Request("http://localhost/renew", {
    method: "POST",
    body: JSON.stringify({ code: "c0de", email: "ada@example.com" }),
  });
  const response = () =>
    new Response(JSON.stringify({
      people: [{
        email: "ada@example.com",
        placeUrl: "http://localhost/place/?t=token",
        invitationUrl: "http://localhost/?code=c0de",
        invitationCode: "c0de",
      }],
      code: "not_found",
    }));
  const text = await shown(request, response);
  assert.match(text, /^> \{"code":"\*\*\*","email":"ada@example\.com"\}$/m);
  assert.match(
    text,
    /"placeUrl":"\*\*\*","invitationUrl":"\*\*\*","invitationCode":"\*\*\*"\}\],"code":"not_found"\}$/m,
  );
});

Deno.test("logHttp() escapes control characters, and shortens long bodies", async () => {
  const request = new Request("http://localhost/");
  const text = await shown(request, () => new Response(`\u001b[31m${"a".repeat(5000)}`));
  assert.match(text, /^< {2}\[31ma{1995}… \(5005 characters\)$/m);
  const broken = await shown(
    request,
    () => new Response(new ReadableStream({ start: (controller) => controller.error("broken") })),
  );
  assert.match(broken, /^< \(the body broke off\)$/m);
});
