/** What is wrong with an address of an import file. */
import assert from "node:assert/strict";
import { faultOfAddress } from "../../../shared/import_file/address_fault.ts";

Deno.test("faultOfAddress() names the character that an address cannot have, and says what to do", async (t) => {
  const withoutAccents =
    "only letters a-z without accents can be used there, so ask the person for another address";
  const cases = [
    ["jürgen@example.com", "'ü' before the @", withoutAccents],
    ["ju\u0308rgen@example.com", "'ü' before the @", withoutAccents],
    ["😀@example.com", "'😀' before the @", "correct the address"],
    ["o’brien@example.com", "'’' before the @", "correct the address"],
    ["ada–bo@example.com", "'–' before the @", "correct the address"],
    ["ada,bo@example.com", "',' before the @", "correct the address"],
    [
      "ada@bücher.example",
      "'ü' after the @",
      "write the domain in its ASCII form, which has xn-- in it",
    ],
    ["ada@example…com", "'…' after the @", "correct the address"],
    ["ada@example,com", "',' after the @", "correct the address"],
  ] as const;
  for (const [address, character, advice] of cases) {
    await t.step(address, () => {
      const reason = `The e-mail address has ${character}, which is not allowed; ${advice}.`;
      assert.equal(faultOfAddress(address), reason);
    });
  }
});

Deno.test("faultOfAddress() names no character when the address is missing or has another fault", () => {
  const other = "The e-mail address is missing or not valid.";
  for (const value of [undefined, "", 5, "jürgen", "ada@", "ada@example", "ada@bü@example.com"]) {
    assert.equal(faultOfAddress(value), other);
  }
  assert.match(
    faultOfAddress("jü rgen@example.com")!,
    /^The e-mail address holds U\+0020, a space; /,
  );
  assert.match(
    faultOfAddress("ad\u009Ba@example.com")!,
    /^The e-mail address holds U\+009B, an invisible character; /,
  );
  assert.equal(faultOfAddress("ada@xn--bcher-kva.example"), undefined);
});
