import assert from "node:assert/strict";
import { runCli } from "../../support/cli.ts";

Deno.test("openBackup() throws an error that names the S3 host and the status of the answer when S3 refuses to send an object", async () => {
  const source = "s3://backups/waitlist-20261123T030000Z.ndjson.gz?endpoint=https://s3.test";
  const answers: Record<string, () => Response> = {
    "/backups/": () => new Response("<ListBucketResult></ListBucketResult>"),
    HEAD: () => new Response(null, { headers: { "Content-Length": "100" } }),
    GET: () => new Response("<Error><Code>SlowDown</Code></Error>", { status: 503 }),
  };
  const { code, stderr } = await runCli(["backup", "verify", `${source}&region=eu-central-1`], {
    env: { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s3cret-value" },
    fetch(input) {
      const { method, url } = new Request(input);
      const answer = answers[new URL(url).pathname] ?? answers[method] ?? assert.fail();
      return Promise.resolve(answer());
    },
  });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /Cannot read 's3:.*': s3\.test answered 503 \(SlowDown\) to GET; check the URL and the bucket's access key\.\n$/,
  );
});
