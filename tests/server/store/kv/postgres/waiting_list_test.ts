/** Which of the waiting calls are woken, and with which value. */
import assert from "node:assert/strict";
import { WaitingList } from "../../../../../server/store/kv/postgres/waiting_list.ts";

Deno.test("wakeFirst() wakes the waiting calls in the order of their arrival", async () => {
  const list = new WaitingList<string>();
  const { signal } = new AbortController();
  const first = list.wait(signal);
  const second = list.wait(signal);
  assert.ok(list.wakeFirst("one"));
  assert.ok(list.wakeFirst("two"));
  assert.equal(list.wakeFirst("three"), false);
  assert.deepEqual(await Promise.all([first, second]), ["one", "two"]);
});

Deno.test("wait() rejects with the reason of its signal when the signal aborts, and wakeFirst() then wakes the next call of wait()", async () => {
  const list = new WaitingList<string>();
  const late = new AbortController();
  const waiting = list.wait(late.signal);
  const next = list.wait(new AbortController().signal);
  late.abort(new Error("too late"));
  await assert.rejects(waiting, /too late/);
  assert.ok(list.wakeFirst("one"));
  assert.equal(await next, "one");
});

Deno.test("wakeAll() wakes all waiting calls", async () => {
  const list = new WaitingList<string>();
  const { signal } = new AbortController();
  const waiting = [list.wait(signal), list.wait(signal)];
  list.wakeAll("over");
  assert.deepEqual(await Promise.all(waiting), ["over", "over"]);
  assert.equal(list.wakeFirst("late"), false);
});
