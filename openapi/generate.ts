/**
 * Generates the files in `shared/generated/` and the page `content/en/changes.md` from hand-written files. The comment
 * of each function below says which file the function makes, and from which files. `deno task generate` writes the
 * files. With `--check` it writes nothing, and fails if a file is out of date. With `--cli` it also writes the package
 * of the CLI, as a release does.
 *
 * @module
 */
import openapiTypescript, { astToString } from "openapi-typescript";
import { PACKAGE_NAME, packClient } from "../shared/pack_client.ts";
import { CLI_PACKAGE_NAME, packCli } from "../shared/pack_cli.ts";
import { type OperationId, rolesOf } from "../shared/roles.ts";
import { renderOpenApi } from "./markdown/mod.ts";
import { CORE_SCHEMA, load as parseYaml, mergeTag } from "js-yaml";

/** The names of the documents. */
const DOCUMENTS = ["public", "operator"];

const PROJECT = new URL("../", import.meta.url);

/** A file that this program makes. */
interface GeneratedFile {
  /** The path of the file, relative to the project. */
  path: string;
  text: string;
}

/** Returns the comment at the top of a TypeScript file that is generated from a source. */
const topCommentOf = (source: string) =>
  `// Generated from ${source} by \`deno task generate\`; do not edit.\n\n`;

/** The part of a webhook in a document that this program changes. */
type Webhook = { post: { operationId?: string } };

/** A document: its operations by path and by method. */
type Document = { paths: Record<string, Record<string, Record<string, unknown>>> };

/** Adds `x-roles` to each operation: the roles that may call it, from the table in `shared/roles.ts`. */
function addRoles({ paths }: Document): void {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId } = operation;
    if (operationId) operation["x-roles"] = rolesOf(operationId as OperationId);
  }
}

/**
 * Makes `<name>.json`, the document of `openapi/<name>.yaml`, and `<name>.ts`, its types. The public document also gets
 * a Markdown twin. The same YAML always gives the same text.
 */
async function generateDocument(name: string): Promise<GeneratedFile[]> {
  const source = `openapi/${name}.yaml`;
  const yaml = await Deno.readTextFile(new URL(source, PROJECT));
  // The merge tag is needed because merge keys (`<<`) add the common headers to every response.
  const schema = CORE_SCHEMA.withTags(mergeTag);
  const document = parseYaml(yaml, { schema }) as Document;
  if (name === "operator") addRoles(document);
  const json = JSON.stringify(document, null, 2);

  const documentForTypes = JSON.parse(json);
  // Webhooks lose their ids, because the type `operations` must have only the operations of the service.
  for (const { post } of Object.values<Webhook>(documentForTypes.webhooks ?? {})) {
    delete post.operationId;
  }
  const types = await openapiTypescript(JSON.stringify(documentForTypes));
  return [
    { path: `shared/generated/${name}.json`, text: json + "\n" },
    { path: `shared/generated/${name}.ts`, text: topCommentOf(source) + astToString(types) },
    ...name === "public" ? [generateMarkdownTwin(json)] : [],
  ];
}

/** Makes `texts.json` from the English texts. The files of all languages must have its keys. */
async function generateTexts(): Promise<GeneratedFile> {
  const yaml = await Deno.readTextFile(new URL("content/en/texts.yaml", PROJECT));
  const text = JSON.stringify(parseYaml(yaml), null, 2) + "\n";
  return { path: "shared/generated/texts.json", text };
}

/**
 * Makes `console.ts` with the console's English texts. The types of its constants have the keys and the placeholders.
 * Each section has a constant of its own, so that the packed CLI has only the sections that it shows.
 */
async function generateConsoleTexts(): Promise<GeneratedFile> {
  const source = "content/en/console.yaml";
  const yaml = await Deno.readTextFile(new URL(source, PROJECT));
  const sections = parseYaml(yaml) as Record<string, unknown>;
  const constants = Object.entries(sections).map(([name, texts]) =>
    `export const ${name} = ${JSON.stringify(texts, null, 2)} as const;\n\n`
  );
  const all = `export const ENGLISH_TEXTS = { ${Object.keys(sections).join(", ")} };\n`;
  const text = topCommentOf(source) + constants.join("") + all;
  return { path: "shared/generated/console.ts", text };
}

/**
 * Makes `public_markdown.json`, a JSON array of lines, because a program can import JSON and a diff shows single lines.
 * `{{openapi_url}}` stands for the URL of the document. The service replaces this text, and also the example's names,
 * such as `https://waitlist.example`.
 */
function generateMarkdownTwin(json: string): GeneratedFile {
  const document = JSON.parse(json);
  const { Status, ServiceIndex } = document.components.schemas;
  for (const { properties } of [Status, ServiceIndex]) {
    // In the document that a service serves, the member `service` is a constant: the name of the service. So it is a
    // constant in the twin too.
    const { type, description, examples } = properties.service;
    properties.service = { type, const: examples[0], description };
  }
  const lines = renderOpenApi(document, "{{openapi_url}}").split("\n");
  return {
    path: "shared/generated/public_markdown.json",
    text: JSON.stringify(lines, null, 2) + "\n",
  };
}

/**
 * Makes `client_package.json` with the packed client of `shared/api_client.ts`. It is JSON, because the service can
 * import JSON, but has no permission to read files in `shared/`.
 */
async function generateClientPackage(): Promise<GeneratedFile> {
  const tarball = await packClient(PACKAGE_NAME);
  return { path: "shared/generated/client_package.json", text: tarballAsJson(tarball) };
}

/**
 * Makes `cli_package.json` with the packed CLI. It is made anew for a release only, because nearly every commit changes
 * the CLI, and the package is large. Between releases, the service serves the package of the last release.
 */
async function generateCliPackage(): Promise<GeneratedFile> {
  const tarball = await packCli(CLI_PACKAGE_NAME);
  return { path: "shared/generated/cli_package.json", text: tarballAsJson(tarball) };
}

const tarballAsJson = (tarball: Uint8Array<ArrayBuffer>): string =>
  JSON.stringify({ tarball: tarball.toBase64() }, null, 2) + "\n";

/** Matches the heading in CHANGELOG.md under which a version lists its changes of the API, the client and the form. */
const API_CHANGES = /^### Public API\n\n/m;

/** Makes the page about changes of the public API from CHANGELOG.md. */
async function generateChangesPage(): Promise<GeneratedFile> {
  const changelog = await Deno.readTextFile(new URL("CHANGELOG.md", PROJECT));
  const versions = changelog.split(/^(?=## )/m).slice(1).flatMap((version) => {
    const [, apiChanges] = version.split(API_CHANGES);
    if (!apiChanges) return [];
    const [heading] = version.split("\n", 1);
    // The changes of the API end at the next heading of the version.
    const [changes] = apiChanges.split(/^### /m, 1);
    return [`${heading}\n\n${changes}`];
  });
  const text = `---
path: /developers/changes/
lang: en
title: Changes of the API
description: What has changed in the waitlist API of {{site_name}}, version by version.
layout: guide
---

<!-- Generated from CHANGELOG.md by the task generate; do not edit. -->

# Changes of the API

What is new for programs that call it, for the typed client, and for sites that show the form. What
could break a program appears only under a new major path; the
[developer guide](/developers/#versioning) says more.

${versions.join("").trim()}
`;
  return { path: "content/en/changes.md", text };
}

/** Whether the stored file is missing or differs from the generated one. */
async function isStale({ path, text }: GeneratedFile): Promise<boolean> {
  try {
    return await Deno.readTextFile(new URL(path, PROJECT)) !== text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

/** Writes files, and prints their paths. */
async function writeFiles(files: GeneratedFile[]): Promise<void> {
  await Deno.mkdir(new URL("shared/generated/", PROJECT), { recursive: true });
  for (const { path, text } of files) {
    await Deno.writeTextFile(new URL(path, PROJECT), text);
    console.log(`Wrote ${path}.`);
  }
}

/** Prints the paths of files that are out of date. */
function reportStale(staleFiles: GeneratedFile[]): void {
  for (const { path } of staleFiles) {
    console.error(`${path} is out of date with its source. Run \`deno task generate\`.`);
  }
}

/** The functions that generate files, in the order in which they must be called. */
const GENERATORS: (() => Promise<GeneratedFile[]>)[] = [
  async () => (await Promise.all(DOCUMENTS.map(generateDocument))).flat(),
  () => Promise.all([generateTexts(), generateConsoleTexts(), generateChangesPage()]),
  // The packages come last, because they contain files that the first generator writes.
  async () => [await generateClientPackage()],
  async () => Deno.args.includes("--cli") ? [await generateCliPackage()] : [],
];

if (import.meta.main) {
  const isCheck = Deno.args.includes("--check");
  for (const generate of GENERATORS) {
    const files = await generate();
    const areStale = await Promise.all(files.map(isStale));
    const staleFiles = files.filter((_, index) => areStale[index]);
    if (!isCheck) await writeFiles(staleFiles);
    else if (staleFiles.length > 0) {
      reportStale(staleFiles);
      Deno.exitCode = 1;
    }
  }
}
