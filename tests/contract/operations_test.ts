/** The operations of all surfaces are those of their OpenAPI documents. @module */
import assert from "node:assert/strict";
import operatorDocument from "../../shared/generated/operator.json" with { type: "json" };
import publicDocument from "../../shared/generated/public.json" with { type: "json" };
import { newAddress, PREFIXES } from "../support/answers.ts";
import { OPERATOR_KEY, startOperatedService } from "../support/operator.ts";

/** The documented operations: the method, the path and the name in the log of each. */
function documented(paths: Record<string, object>, surface: string, prefix = "") {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string }>)
      // HEAD belongs to the operation of GET.
      .filter(([method]) => method === "get" || method === "post")
      .map(([method, { operationId }]) => ({
        method: method.toUpperCase(),
        path: prefix + path,
        operation: `${surface}.${operationId}`,
      }))
  );
}

Deno.test("createApp() runs the documented operation for each method and path of the OpenAPI documents", async (t) => {
  await using service = await startOperatedService();
  const operations = [
    ...PREFIXES.flatMap((prefix) =>
      documented(publicDocument.paths, prefix ? "sandbox" : "production", prefix)
    ),
    ...documented(operatorDocument.paths, "operator"),
  ];
  for (const { method, path, operation } of operations) {
    await t.step(`${method} ${path}`, async () => {
      const headers = path.startsWith("/operator") && { Authorization: `Bearer ${OPERATOR_KEY}` };
      const response = await service.request(path, {
        method,
        ...headers && { headers },
        from: newAddress(),
      });
      await response.body?.cancel();
      const { operation: logged, method: by } = service.log.findLast(({ event }) => event !== "") ??
        {};
      assert.deepEqual([logged, by], [operation, method]);
    });
  }
});
