import assert from "node:assert/strict";
import { definitionOf } from "./watch.ts";

Deno.test("definitionOf() returns the definition of a test for every form of arguments that Deno.test() accepts", () => {
  const fn = () => {};
  function named() {}
  assert.deepEqual(definitionOf(["a", fn]), { name: "a", fn });
  assert.deepEqual(definitionOf([{ name: "a", fn }]), { name: "a", fn });
  assert.deepEqual(definitionOf([{ name: "a" }, fn]), { name: "a", fn });
  assert.deepEqual(definitionOf(["a", { ignore: true }, fn]), { name: "a", fn, ignore: true });
  assert.deepEqual(definitionOf([named]), { name: "named", fn: named });
});
