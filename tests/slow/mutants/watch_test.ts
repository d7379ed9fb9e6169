import assert from "node:assert/strict";
import { definitionOf } from "./watch.ts";

Deno.test("definitionOf() gives the same definition for each form in which a test can be declared", () => {
  const fn = () => {};
  function named() {}
  assert.deepEqual(definitionOf(["a", fn]), { name: "a", fn });
  assert.deepEqual(definitionOf([{ name: "a", fn }]), { name: "a", fn });
  assert.deepEqual(definitionOf([{ name: "a" }, fn]), { name: "a", fn });
  assert.deepEqual(definitionOf(["a", { ignore: true }, fn]), { name: "a", fn, ignore: true });
  assert.deepEqual(definitionOf([named]), { name: "named", fn: named });
});
