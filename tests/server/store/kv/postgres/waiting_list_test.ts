/** Which of the waiting calls are woken, and with which value. */
import assert from "node:assert/strict";
import { WaitingList } from "../../../../../server/store/kv/postgres/waiting_list.ts";

Deno.test("wakeFirst() wakes the calls in the order in which they came", async () => {
  const list = new WaitingList<string>();
  const { signal } = new AbortController();
  const first = list.wait(signal);
  const second = list.wait(signal);
  assert.ok(list.wakeFirst("one"));
  assert.ok(list.wakeFirst("two"));
  assert.equal(list.wakeFirst("three"), false);
  assert.deepEqual(await Promise.all([first, second]), ["one", "two"]);
});

Deno.test("wait() rejects with the reason of the signal, and leaves the list, when the signal aborts", async () => {
  const list = new WaitingList<string>();
  const late = new AbortController();
  const waiting = list.wait(late.signal);
  const next = list.wait(new AbortController().signal);
  late.abort(new Error("too late"));
  await assert.rejects(waiting, /too late/);
  assert.ok(list.wakeFirst("one"));
  assert.equal(await next, "one");
});

Deno.test("wakeAll() wakes every call that waits", async () => {
  const list = new WaitingList<string>();
  const { signal } = new AbortController();
  const waiting = [list.wait(signal), list.wait(signal)];
  list.wakeAll("over");
  assert.deepEqual(await Promise.all(waiting), ["over", "over"]);
  assert.equal(list.wakeFirst("late"), false);
});
