import assert from "node:assert/strict";
import { assertApiHeaders } from "../../support/answers.ts";
import { BASE_URL, test } from "../../support/service.ts";

// Clauses: contract "Status".
test("getStatus() returns the status 'ok' and the environment's name", async (service, t) => {
  for (const [prefix, environment] of [["", "production"], ["/sandbox", "sandbox"]]) {
    await t.step(`${environment}`, async () => {
      const response = await service.request(`${prefix}/api/v1/status`);
      assert.equal(response.status, 200);
      assertApiHeaders(response);
      assert.deepEqual(await response.json(), {
        status: "ok",
        service: "waitlist-web",
        apiVersion: "1",
        environment,
        time: "2026-11-21T12:00:20.000Z",
        docs: `${BASE_URL}/developers/`,
        openapi: `${BASE_URL}${prefix}/openapi.json`,
      });
    });
  }
});
