import assert from "node:assert/strict";
import { adviseOnAnswer } from "../../../../../cli/commands/signups/import/header_texts.ts";
import type { ReadHeader } from "../../../../../shared/import_file/columns.ts";

Deno.test("adviseOnAnswer() names the column of a role or a use case, and gives no advice for other fields", () => {
  const header: ReadHeader = {
    names: ["Mail", " Job title ", "role"],
    columns: [{ field: "email" }, { field: "role" }, "left_out"],
  };
  const map = new Map([["Job", "role"]]);
  const advise = (field: string | undefined, ofFile: ReadHeader | undefined) =>
    adviseOnAnswer(field, { header: ofFile, map });
  assert.equal(
    advise("role", header),
    'To leave out this column for all rows, give --map "Job title=".',
  );
  assert.equal(
    advise("role", undefined),
    'To leave out this column for all rows, give --map "Job=".',
  );
  assert.equal(
    advise("building", undefined),
    'To leave out this column for all rows, give --map "building=".',
  );
  assert.equal(advise("email", header), undefined);
  assert.equal(advise(undefined, header), undefined);
});
