import assert from "node:assert/strict";
import { startListeningService } from "../support/socket.ts";

// Over a socket, as `Request` would tidy the paths up.
Deno.test("createApp() serves no file but its own when a path leads out of its folders", async () => {
  await using service = await startListeningService();
  for (
    const path of [
      "/../../../../etc/passwd",
      "/assets/../../deno.json",
      "/assets/..%2f..%2fdeno.json",
      "/assets/%2e%2e/%2e%2e/deno.json",
      "/assets/..\\..\\deno.json",
      "/assets/%252e%252e%252fdeno.json",
      "/assets/%c0%ae%c0%ae/deno.json",
      "/assets/site.css%00.html",
      "//etc/passwd",
      "/file:///etc/passwd",
      "/content/en/index.md",
      "/en/index.md",
      "/content/README.md",
      "/README.md",
      "/README/",
      "/README.png",
      "/assets/README.png",
      "/.git/config",
      "/data/waitlist.sqlite3",
    ]
  ) {
    const response = await service.exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    assert.equal(response.status, 404, path);
    assert.doesNotMatch(await response.text(), /root:|"tasks"|repositoryformatversion/, path);
  }
});

Deno.test("createApp() lets nothing of a request end a header of its answer", async () => {
  await using service = await startListeningService();
  const injected = "%0d%0aX-Injected:%20yes%0d%0a%0d%0a%3Cscript%3E";
  for (
    const [path, status] of [
      [`/privacy?${injected}`, 308],
      [`/privacy?\rX-Injected: yes`, 400],
      [`/${injected}`, 404],
      [`/api/${injected}`, 404],
    ] as const
  ) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const response = await service.exchange(request);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get("x-injected"), null, path);
    if (status === 308) assert.equal(response.headers.get("location"), `/privacy/?${injected}`);
  }
});
