import assert from "node:assert/strict";
import { createCountsReader } from "../../../../../server/store/people/statistics/counts.ts";
import { storeSignUp } from "../../../../support/records.ts";
import { START } from "../../../../support/service.ts";

const AT = new Date(START).toISOString();

Deno.test("createCountsReader() shares a read when calls arrive together", async () => {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const read = createCountsReader(kv, (counts) => (reads++, counts), {
    now: () => START,
    monotonic: () => START,
  });
  const all = await Promise.all(Array.from({ length: 100 }, () => read()));
  assert.equal(reads, 1);
  assert.equal(all[1], all[99], "and one answer");
});

Deno.test("createCountsReader() shows a sign-up to every call that starts after it", async () => {
  using kv = await Deno.openKv(":memory:");
  const read = createCountsReader(kv, (counts) => counts.total, {
    now: () => START,
    monotonic: () => START,
  });
  for (let n = 1; n <= 50; n++) {
    const earlier = read();
    await storeSignUp(kv, { email: `visitor${n}@example.com` }, AT);
    // The read that is under way now, if there is one, began before the sign-up.
    assert.equal(await read(), n);
    assert.ok([n - 1, n].includes(await earlier));
  }
});

Deno.test("createCountsReader() reads one key when no counter has moved since its last read", async () => {
  using kv = await Deno.openKv(":memory:");
  let lists = 0;
  const counting = new Proxy(kv, {
    get(target, name) {
      if (name === "list") lists++;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const clock = { now: START };
  const read = createCountsReader(counting, (counts) => counts, {
    now: () => clock.now,
    monotonic: () => clock.now,
  });
  const person = { email: "ada@example.com", lang: "de" } as const;
  await storeSignUp(kv, person, AT);
  assert.equal((await read()).total, 1);
  await read();
  assert.equal(lists, 1);
  await storeSignUp(kv, { ...person, lang: "en" }, AT);
  assert.deepEqual((await read()).byLang, { en: 1 }, "a merge moves no total, and is seen");
  await storeSignUp(kv, { ...person, lang: "en" }, AT);
  await read();
  assert.equal(lists, 2, "a repeat without a difference moves no counter");
  clock.now += 7 * 86_400_000;
  assert.equal((await read()).last7Days, 0, "a new day counts other days");
});
