/**
 * Clients that generators make of the OpenAPI documents, as they are served: they compile, and a program calls the
 * service with them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { ServiceProcess } from "../../support/process.ts";
import { makeTestFolder, outputOf, run, startService } from "../../support/process.ts";
import { DOCUMENTS, type Generator, GENERATORS, MISSING, VARIABLES } from "./generators.ts";

/** Reads the documents from the service, by their names. */
async function readDocuments({ request }: ServiceProcess): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
  const texts = ["/openapi.json", "/operator/v1/openapi.json"].map(async (path) => {
    const response = await request(path, { headers });
    assert.equal(response.status, 200, path);
    return await response.text();
  });
  const [ofPublic = "", ofOperator = ""] = await Promise.all(texts);
  return { [DOCUMENTS[0]!]: ofPublic, [DOCUMENTS[1]!]: ofOperator };
}

/** Makes the folder of a project that uses a generator. */
async function layOut({ files, links = [], installed }: Generator, folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, path), text.trimStart());
  }
  for (const path of links) await Deno.symlink(join(installed, path), join(folder, path));
}

/** The warnings in the output of a generator that the generator does not give for every document of this kind. */
function unknownWarnings(output: string, { knownWarnings }: Generator): string[] {
  return output.split(/^(?=WARN)/m)
    .filter((part) => part.startsWith("WARN") && !knownWarnings?.test(part));
}

Deno.test({
  name:
    "Each client generator makes clients from the OpenAPI documents, and these clients compile and call the service",
  ignore: MISSING.length === GENERATORS.length,
  async fn(t) {
    await using store = await makeTestFolder();
    await using service = await startService({
      KV_PATH: join(store.path, "kv", "kv.sqlite3"),
      OPERATOR_KEY,
    });
    const documents = await readDocuments(service);
    await Promise.all(GENERATORS.map((generator, index) =>
      t.step({
        name: generator.name,
        ignore: MISSING.includes(generator),
        // Steps may run side by side only without these.
        sanitizeOps: false,
        sanitizeResources: false,
        sanitizeExit: false,
        async fn() {
          await using folder = await makeTestFolder();
          await layOut(generator, folder.path);
          for (const [name, text] of Object.entries(documents)) {
            await Deno.writeTextFile(join(folder.path, `${name}.json`), text);
          }
          const PATH = [generator.programs ?? [], VARIABLES.PATH].flat().join(":");
          const options = { cwd: folder.path, env: { ...VARIABLES, PATH } };
          for (const name of DOCUMENTS) {
            const { code, stdout, stderr } = await run(generator.generate(name), options);
            assert.equal(code, 0, stdout + stderr);
            assert.deepEqual(unknownWarnings(stdout + stderr, generator), []);
          }
          await outputOf(generator.compile, options);
          const email = `ada-${index}@example.com`;
          const variables = { BASE_URL: service.started.baseUrl, EMAIL: email, OPERATOR_KEY };
          const env = { ...options.env, ...variables };
          const printed = await outputOf(generator.run, { ...options, env });
          assert.equal(printed.trim(), `${email} de`);
        },
      })
    ));
  },
});
