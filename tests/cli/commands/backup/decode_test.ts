import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { decodeFile } from "../../../../cli/commands/backup/decode.ts";
import { createInput } from "../../../../cli/input.ts";

/** Makes an input that arrives in chunks of one byte. */
function inSingleBytes(content: Uint8Array) {
  return createInput(content.length, async function* (from) {
    for (const byte of content.subarray(from)) yield Uint8Array.of(byte);
  });
}

Deno.test("decodeFile() decodes a file whose first bytes arrive in several chunks", async (t) => {
  const text = '{"kind":"header"}\n';
  const zipped = gzipSync(text);
  const identity = await generateIdentity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const cases = {
    plain: { content: new TextEncoder().encode(text), identities: [] },
    zipped: { content: zipped, identities: [] },
    encrypted: { content: await encrypter.encrypt(zipped), identities: [identity] },
  };
  for (const [name, { content, identities }] of Object.entries(cases)) {
    await t.step(name, async () => {
      const file = inSingleBytes(content);
      const opened = await decodeFile("backup", file, { identities, warn: assert.fail });
      const decoded = await Array.fromAsync(opened.read());
      assert.equal(new TextDecoder().decode(Uint8Array.from(decoded.flatMap((b) => [...b]))), text);
    });
  }
});
