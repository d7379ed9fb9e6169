/** The columns of an import file; `tests/cli/commands/signups/` has the messages about them. */
import assert from "node:assert/strict";
import { type ColumnRules, readColumns } from "../../../shared/import_file/columns.ts";
import { columnsThatFit, proposeFields } from "../../../shared/import_file/proposal.ts";

const rules = (
  map: Record<string, string> = {},
  ignoreUnknown = false,
): ColumnRules => ({ map: new Map(Object.entries(map)), ignoreUnknown });

/** The use of each column, or the fault of the header. */
function usesOf(names: string[], ...given: Parameters<typeof rules>): unknown {
  const read = readColumns(names, rules(...given));
  if ("refused" in read) return read.refused;
  return read.columns.map((column) => typeof column === "object" ? column.field : column);
}

Deno.test("readColumns() finds columns by name, ignoring case and invisible characters around the name", () => {
  const names = ["\ufeffEMAIL", " consentedat ", "Lang", ""];
  assert.deepEqual(usesOf(names), ["email", "consentedAt", "lang", "nameless"]);
});

Deno.test("readColumns() finds columns whose names have spaces, hyphens or underscores, or are the field names of the console", () => {
  const names = [
    "E-Mail",
    "Consented At",
    "UTM Source",
    "utm-medium",
    "Campaign name",
    "first_name",
    "-",
  ];
  assert.deepEqual(usesOf(names, { email: "email" }, true), [
    "email",
    "consentedAt",
    "utmSource",
    "utmMedium",
    "utmCampaign",
    "left_out",
    "left_out",
  ]);
});

Deno.test("proposeFields() proposes a column of opt-in times as consentedAt unless another column has that field", () => {
  const columns = ["Signed up at", "Campaign"];
  const campaign = { column: "Campaign", field: "utmCampaign" };
  assert.deepEqual(proposeFields(columns, ["email"]), [
    { column: "Signed up at", field: "consentedAt" },
    campaign,
  ]);
  assert.deepEqual(proposeFields(["Signup date", "Campaign"], ["email", "consentedAt"]), [
    { column: "Signup date", field: "createdAt" },
    campaign,
  ]);
});

Deno.test("proposeFields() proposes a column 'Date' as consentedAt only when no other column has that field", () => {
  const asConsent = [{ column: "Date", field: "consentedAt" }];
  assert.deepEqual(proposeFields(["Date"], ["email"]), asConsent);
  assert.deepEqual(proposeFields(["Date"], ["email", "consentedAt"]), []);
  assert.deepEqual(proposeFields(["Date", "Date joined"], ["email"]), [
    { column: "Date joined", field: "consentedAt" },
  ]);
});

Deno.test("proposeFields() proposes a column that is called a time of consent as consentedAt", async (t) => {
  const columns = [
    ...["Consent date", "Date of consent", "Einwilligung am", "Einwilligungsdatum"],
    ...["Datum der Einwilligung", "Zeitpunkt der Einwilligung", "Bestätigungsdatum"],
  ];
  for (const column of columns) {
    await t.step(column, () => {
      assert.deepEqual(proposeFields(["Anmeldedatum", column], ["email"]), [
        { column, field: "consentedAt" },
        { column: "Anmeldedatum", field: "createdAt" },
      ]);
    });
  }
});

Deno.test("proposeFields() proposes the field lang for a column whose name means language", () => {
  for (const column of ["Language", "Preferred language", "Sprache"]) {
    assert.deepEqual(proposeFields([column], ["email", "consentedAt"]), [
      { column, field: "lang" },
    ]);
  }
});

Deno.test("proposeFields() proposes role and building for the questions and columns of other tools", async (t) => {
  const columnsByField = {
    role: ["Job role", "Job Title", "What's your role?", "Rolle", "Funktion", "Position"],
    building: ["Use case", "What are you building?", "Anwendungsfall"],
  };
  for (const [field, columns] of Object.entries(columnsByField)) {
    for (const column of columns) {
      await t.step(column, () => {
        const names = ["First name", "Last name", column];
        assert.deepEqual(proposeFields(names, ["email", "consentedAt"]), [{ column, field }]);
      });
    }
  }
});

Deno.test("columnsThatFit() returns the columns whose names mean a field, here or in other tools", () => {
  const names = ["E-Mail", "Mail", "OPTIN_TIME", "CONFIRM_TIME", "state"];
  assert.deepEqual(columnsThatFit("email", names), ["E-Mail", "Mail"]);
  assert.deepEqual(columnsThatFit("consentedAt", names), ["OPTIN_TIME", "CONFIRM_TIME"]);
  assert.deepEqual(columnsThatFit("state", names), ["state"]);
  assert.deepEqual(columnsThatFit("constructor", names), []);
});

Deno.test("readColumns() reads the columns that `map` names for a field, and leaves out columns that `map` maps to no field", () => {
  const names = ["email", "Mail", "consentedAt", "Phone"];
  const map = { email: "", mail: "email" };
  assert.deepEqual(usesOf(names, map, true), ["left_out", "email", "consentedAt", "left_out"]);
});

Deno.test("readColumns() distinguishes columns whose names differ only by punctuation when `map` has their exact names", () => {
  const names = ["E-Mail", "Email", "consentedAt"];
  const several = { fault: "several_columns", field: "email", several: ["E-Mail", "Email"] };
  assert.deepEqual(usesOf(names), several);
  assert.deepEqual(usesOf(names, { "E-Mail": "" }), ["left_out", "email", "consentedAt"]);
  const both = { "E-Mail": "email", "Email": "" };
  assert.deepEqual(usesOf(names, both), ["email", "left_out", "consentedAt"]);
  assert.deepEqual(usesOf(names, { "e mail": "email" }), several, "a name of neither column");
  const absent = { fault: "absent_column", absent: "e mail" };
  assert.deepEqual(usesOf(names.slice(1), { "Email": "email", "e mail": "lang" }), absent);
});

Deno.test("readColumns() reads a field of `onlyInMap` only from a column that `map` names for this field", () => {
  const names = ["E-Mail", "Email", "consentedAt", "state"];
  const map = new Map([["Email", "email"], ["consentedAt", "consentedAt"]]);
  const read = readColumns(names, { map, ignoreUnknown: true, onlyInMap: ["email"] });
  const state = { field: "state" };
  assert.deepEqual("columns" in read && read.columns, [
    ...["left_out", { field: "email" }, { field: "consentedAt" }, state],
  ]);
});

Deno.test("readColumns() reads a column 'note' only in an export of this service, or when `map` names it", () => {
  assert.deepEqual(usesOf(["email", "consentedAt", "note"]), ["email", "consentedAt", "note"]);
  const names = ["email", "opted_in", "note"];
  const map = { optedin: "consentedAt" };
  assert.deepEqual(usesOf(names, map, true), ["email", "consentedAt", "left_out"]);
  const chosen = { ...map, note: "note" };
  assert.deepEqual(usesOf(names, chosen, true), ["email", "consentedAt", "note"]);
});

Deno.test("readColumns() returns the fault of a header line that cannot be used", () => {
  assert.deepEqual(usesOf(["bob@example.com", "x"]), { fault: "no_names" });
  assert.deepEqual(usesOf(["email", "consentedAt", "x"]), { fault: "unknown_columns" });
  const missing = { fault: "missing_field", missing: "consentedAt" };
  assert.deepEqual(usesOf(["email", "x"], {}, true), missing);
  const absent = { fault: "absent_column", absent: "mail" };
  assert.deepEqual(usesOf(["email", "consentedAt"], { mail: "email" }), absent);
  const several = { fault: "several_columns", field: "email", several: ["email", "EMAIL"] };
  assert.deepEqual(usesOf(["email", "consentedAt", "EMAIL"]), several);
});

Deno.test("readColumns() returns the known fields and the unknown columns when a header has a fault", () => {
  const read = readColumns(["email", "Opt-in time", "x"], rules());
  assert.deepEqual(read, {
    refused: { fault: "unknown_columns" },
    names: ["email", "Opt-in time", "x"],
    unknown: ["Opt-in time", "x"],
    fields: ["email"],
  });
});
