/** What the CLI says where a proxy of the environment does not let its calls pass. */
import assert from "node:assert/strict";
import { useService } from "../../cli/support/service.ts";
import { startCli } from "./support/process.ts";

const service = useService();

/** A proxy that answers every call with a refusal. */
function refusingProxy() {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  /** The first lines of the calls. */
  const calls: string[] = [];
  async function refuse(connection: Deno.TcpConn): Promise<void> {
    using _ = connection;
    const buffer = new Uint8Array(4096);
    const length = await connection.read(buffer) ?? 0;
    calls.push(new TextDecoder().decode(buffer.subarray(0, length)).split("\r\n")[0]!);
    await connection.write(new TextEncoder().encode("HTTP/1.1 403 Forbidden\r\n\r\n"));
  }
  const served = (async () => {
    for await (const connection of listener) await refuse(connection);
  })();
  return {
    host: `127.0.0.1:${listener.addr.port}`,
    calls,
    async [Symbol.asyncDispose]() {
      listener.close();
      await served;
    },
  };
}

Deno.test("'waitlist' names the proxy that refuses its call, and calls the service directly when NO_PROXY lists the service's host", async () => {
  await using proxy = refusingProxy();
  const address = `http://user:s3cret-value@${proxy.host}`;
  {
    const env = { WAITLIST_BASE_URL: "https://waitlist.test", HTTPS_PROXY: address };
    await using cli = startCli(["status"], { env });
    const { code, stdout, stderr } = await cli.end();
    assert.match(stderr, /^waitlist: Cannot get an answer from https:\/\/waitlist\.test: .+\.\n$/);
    assert.ok(
      stderr.includes(`HTTPS_PROXY sends the call through the proxy ${proxy.host},`),
      stderr,
    );
    assert.doesNotMatch(stderr, /user|s3cret/);
    assert.deepEqual([code, stdout], [3, ""]);
    // Deno's own calls come here, too.
    assert.ok(proxy.calls.some((call) => call.startsWith("CONNECT waitlist.test:443 ")));
  }
  const env = {
    WAITLIST_BASE_URL: service.url,
    HTTP_PROXY: address,
    NO_PROXY: "127.0.0.1, localhost",
  };
  await using cli = startCli(["status", "--quiet"], { env });
  assert.deepEqual(await cli.end(), { code: 0, stdout: "", stderr: "" });
  assert.ok(proxy.calls.every((call) => !call.includes("/api/v1/status")));
});
