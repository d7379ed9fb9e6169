/** Every member of a body and every parameter that takes a day or a moment. */
import assert from "node:assert/strict";
import { dateOrDateTimeSchema } from "../../../shared/people_query.ts";
import { expiresSchema } from "../../../server/operator/fields.ts";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import { eachDay } from "../../support/days.ts";
import { storeWaiting } from "../../support/invitations.ts";
import { assertRefused, refusalOf, test } from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";

const email = "ada@example.com";

const BODIES: [path: string, body: (moment: string) => object, field: string, days?: false][] = [
  ["/signups/list", (since) => ({ since }), "since"],
  ["/signups/list", (before) => ({ before }), "before"],
  [
    "/signups/list",
    (createdAt) => ({ after: { createdAt, email } }),
    "after.createdAt",
    false,
  ],
  ["/signups/count", (since) => ({ since }), "since"],
  ["/signups/count", (before) => ({ before }), "before"],
  [
    "/signups/count",
    (createdAt) => ({ after: { createdAt, email } }),
    "after.createdAt",
    false,
  ],
  ["/jobs", (since) => ({ act: "erase", selection: { since }, most: 1 }), "selection.since"],
  ["/jobs", (before) => ({ act: "erase", selection: { before }, most: 1 }), "selection.before"],
  ["/filters", (since) => ({ name: "new", selection: { since } }), "selection.since"],
  ["/filters", (before) => ({ name: "old", selection: { before } }), "selection.before"],
  ["/signups/export", (since) => ({ since }), "since"],
  ["/signups/export", (before) => ({ before }), "before"],
  ["/signups/export", (startedAt) => ({ startedAt }), "startedAt", false],
  ["/signups/erase-by-state", (before) => ({ state: "waiting", before }), "before"],
  ["/waves", (expires) => ({ next: 1, link: "https://app.test/", expires }), "expires", false],
  ["/invitations/renew", (expires) => ({ code: "code", expires }), "expires", false],
  [
    "/invitations/test",
    (expires) => ({ email: "ada@example.com", link: "https://app.test/", expires }),
    "expires",
    false,
  ],
  ["/letters/list", (since) => ({ since }), "since"],
  ["/letters/list", (before) => ({ before }), "before"],
  ["/outbox/list", (at) => ({ after: { at, id: "x" } }), "after.at", false],
];

/** A part of the document's schemas, as far as it leads to moments. */
interface DocumentedSchema {
  $ref?: string;
  format?: string;
  description?: string;
  properties?: Record<string, DocumentedSchema>;
}

/** Yields the names of the members of a schema that take a day or a moment. */
function* momentsIn(schema: DocumentedSchema, name = ""): Generator<string> {
  const named = schema.$ref?.split("/").at(-1);
  const schemas = document.components.schemas as Record<string, DocumentedSchema>;
  const { format, description = "", properties = {} } = named ? schemas[named]! : schema;
  if (format === "date-time" || /UTC date/.test(description) && name !== "") yield name;
  for (const [member, each] of Object.entries(properties)) {
    yield* momentsIn(each, name === "" ? member : `${name}.${member}`);
  }
}

Deno.test("The table BODIES of this test lists every date field and date-time field of JSON bodies", () => {
  const documented: string[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    const { requestBody } = (item as { post?: { requestBody?: unknown } }).post ?? {};
    const { content = {} } = requestBody as { content?: Record<string, unknown> } | undefined ?? {};
    const { schema } = content["application/json"] as { schema: DocumentedSchema } | undefined ??
      {};
    for (const field of schema ? momentsIn(schema) : []) {
      documented.push(`${path.replace("/operator/v1", "")} ${field}`);
    }
  }
  const known = BODIES.map(([path, _, field]) => `${path} ${field}`);
  assert.deepEqual(documented.toSorted(), known.toSorted());
});

const NO_MOMENTS = [
  "2026-02-30T00:00:00Z",
  "2027-02-29T12:00:00+02:00",
  "9999-12-31T23:59:59-23:59",
];

test(
  "Each operation with a JSON body refuses a date or date-time whose day does not exist",
  async (service, t) => {
    await storeWaiting(service.kv, 1);
    for (const [path, bodyOf, field, takesDays = true] of BODIES) {
      for (const value of [...NO_MOMENTS, ...takesDays ? ["2026-02-30", "2026-00-01"] : []]) {
        await t.step(`${path} ${field} ${value}`, async () => {
          const message = new RegExp(`^Field '${field}' is '${RegExp.escape(value)}'; give `);
          await assertRefused(service, path, [[bodyOf(value), message]]);
        });
      }
    }
    assert.equal(Object.keys(await storedSignUps(service.kv)).length, 1);
  },
);

test(
  "Each query parameter of the operator surface refuses a date or date-time whose day does not exist",
  async ({ operate }, t) => {
    const position = "2026-02-30T00:00:00.000Z";
    for (
      const [path, parameter, value] of [
        ["/overview", "since", "2026-02-30"],
        ["/audit", "since", "2026-02-30"],
        ["/audit", "since", "2026-02-30T00:00:00Z"],
        ["/audit", "before", "2026-02-30"],
        ["/audit", "before", `${position} an-id`],
        ["/waves", "before", `${position} an-id`],
        ["/waves/an-id/people", "after", `${position}.1`],
      ] as const
    ) {
      await t.step(`${path} ${parameter} ${value}`, async () => {
        const query = new URLSearchParams({ [parameter]: value });
        const refusal = await refusalOf(operate(`${path}?${query}`));
        const start = `400 invalid_request: The parameter ${parameter} is '${value}'; give`;
        assert.equal(refusal.slice(0, start.length), start);
      });
    }
  },
);

Deno.test("dateOrDateTimeSchema and expiresSchema refuse days that do not exist", () => {
  for (const { text, exists } of eachDay()) {
    assert.equal(dateOrDateTimeSchema.safeParse(text).success, exists, text);
    for (const time of [`${text}T00:00:00Z`, `${text}T12:30:00.5+02:00`]) {
      assert.equal(dateOrDateTimeSchema.safeParse(time).success, exists, time);
      assert.equal(expiresSchema.safeParse(time).success, exists, time);
    }
  }
});
