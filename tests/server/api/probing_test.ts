/** What an answer tells somebody who wants to know who is on the list, or which clients there are. @module */
import assert from "node:assert/strict";
import type { Key, Kv } from "../../../server/store/kv/engine.ts";
import { createSignUpQueue } from "../../../server/store/people/sign_ups.ts";
import { headersOf, newAddress } from "../../support/answers.ts";
import { basic, createTestClient, START, startTestService } from "../../support/service.ts";
import { requestToken } from "../../support/tokens.ts";
import { recordId } from "../../support/records.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

// So that timing tells nothing.
Deno.test("createSignUpQueue() asks the same of KV when an address is known and when it is new", async () => {
  using kv = await openMemoryKv();
  const operations: string[] = [];
  // A new address gets a random id.
  const nameOf = ({ key }: { key: Key }) =>
    key.join("/").replace(/(ada|grace)@/, "somebody@").replace(/^person_id\/[^/]+/, "person_id/id");
  const watched: Kv = {
    ...kv,
    get: (keys) => (operations.push("get"), kv.get(keys)),
    commit(commit) {
      operations.push(...commit.checks.map(nameOf), ...commit.writes.map(nameOf));
      return kv.commit(commit);
    },
  };
  const join = createSignUpQueue(watched, {
    nextId: recordId,
    now: () => START,
    monotonic: () => START,
  });
  await join({ email: "ada@example.com" });
  const work = [];
  for (const email of ["ada@example.com", "grace@example.com"]) {
    operations.length = 0;
    await join({ email });
    work.push([...operations]);
  }
  assert.deepEqual(work[0], work[1]);
  assert.ok(work[0]?.includes("statistics/total"));
});

Deno.test("createAccessToken() answers an unknown client exactly as a wrong secret", async () => {
  await using service = await startTestService();
  const { clientId, clientSecret } = await createTestClient(service);
  const answers = [];
  for (const authorization of [basic(clientId, "wrong"), basic("nobody", clientSecret)]) {
    const body = { grant_type: "client_credentials" };
    const response = await requestToken(service, { authorization, body, from: newAddress() });
    const { status } = response;
    answers.push({ status, headers: headersOf(response), body: await response.text() });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 401);
});
