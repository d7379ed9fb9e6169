/** What becomes of the connection of a late commit. */
import assert from "node:assert/strict";
import type { Connection } from "../../../../../server/store/kv/postgres/connection.ts";
import { StuckCommits } from "../../../../../server/store/kv/postgres/stuck_commits.ts";

/** A connection and its late call; a real connection needs a server, of which the tests of this file need nothing. */
function lateCall() {
  const connection = { hostIndex: 0, hasEnded: false } as Connection;
  return { connection, call: { connection, isOver: false } };
}

/** Stuck commits whose host answers when the test says so. */
function setUp() {
  const dropped: Connection[] = [];
  const answers: PromiseWithResolvers<Set<Connection>>[] = [];
  const stuck = new StuckCommits({
    findStuckConnections() {
      answers.push(Promise.withResolvers());
      return answers.at(-1)!.promise;
    },
    drop(connection) {
      stuck.delete(connection);
      dropped.push(connection);
    },
  });
  const answer = (...waiting: Connection[]) => answers.shift()!.resolve(new Set(waiting));
  return { stuck, dropped, answer };
}

Deno.test("keepOrDrop() keeps the connection of a commit that waits for a standby", async () => {
  const { stuck, dropped, answer } = setUp();
  const { connection, call } = lateCall();
  const decided = stuck.keepOrDrop(call);
  answer(connection);
  assert.equal(await decided, true);
  assert.ok(stuck.hasAny);
  assert.deepEqual(dropped, []);
});

Deno.test("keepOrDrop() ends the connection of a late commit when the host says that the commit does not wait for a standby", async () => {
  const { stuck, dropped, answer } = setUp();
  const { connection, call } = lateCall();
  const decided = stuck.keepOrDrop(call);
  answer();
  assert.equal(await decided, false);
  assert.equal(stuck.hasAny, false);
  assert.deepEqual(dropped, [connection]);
});

for (const isWaiting of [false, true]) {
  const host = isWaiting
    ? "the host reports a waiting commit"
    : "the host reports no waiting commit";
  Deno.test(`keepOrDrop() does not end the connection of a commit that is answered while keepOrDrop() asks the host (${host})`, async () => {
    const { stuck, dropped, answer } = setUp();
    const { connection, call } = lateCall();
    const decided = stuck.keepOrDrop(call);
    // The commit is answered, so the pool gives the connection to another call.
    call.isOver = true;
    answer(...isWaiting ? [connection] : []);
    assert.equal(await decided, isWaiting);
    assert.equal(stuck.hasAny, false, "commits are sent again");
    assert.deepEqual(dropped, []);
  });
}

Deno.test("dropAnswered() ends only the connections whose commits no longer wait for a standby", async () => {
  const { stuck, dropped, answer } = setUp();
  const calls = [lateCall(), lateCall(), lateCall()] as const;
  const [waiting, lost, answered] = calls.map(({ connection }) => connection);
  for (const { call, connection } of calls) {
    const decided = stuck.keepOrDrop(call);
    answer(connection);
    await decided;
  }
  const asked = stuck.dropAnswered();
  // This commit is answered while the host is asked.
  stuck.delete(answered!);
  answer(waiting!);
  await asked;
  assert.deepEqual(dropped, [lost]);
  assert.ok(stuck.hasAny);
});
