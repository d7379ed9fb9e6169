import assert from "node:assert/strict";
import { createSecrets } from "../../cli/secrets.ts";

Deno.test("createSecrets() replaces a secret in the output, even when the secret is URL-encoded, form-encoded or part of JSON", () => {
  const secret = 'p&ss "wörd"';
  const secrets = createSecrets();
  let text = "";
  const output = secrets.keepOutOf({
    write: (part) => text += part,
    isTerminal: false,
    columns: () => 80,
  });
  output.write("before: p&ss\n");
  secrets.hide(secret);
  secrets.hide("abc");
  output.write(
    `${secret}|${encodeURIComponent(secret)}|${new URLSearchParams({ s: secret })}|abc\n`,
  );
  output.write(JSON.stringify({ secret }));
  assert.equal(text, 'before: p&ss\n***|***|s=***|abc\n{"secret":"***"}');
});
