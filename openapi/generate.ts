/**
 * Generates the files that the programs import from each hand-written document `openapi/<name>.yaml`:
 *
 * - `shared/generated/<name>.json`, the document
 * - `shared/generated/<name>.ts`, its types
 * - `shared/generated/public_markdown.json`, the lines of the public document's Markdown twin
 *
 * and `shared/generated/<name>.json` from each file of English texts, `content/en/<name>.yaml`: its keys are those of
 * every language. Those of `content/en/console.yaml` are a constant in `shared/generated/console.ts`. The typed client
 * is packed into `shared/generated/client_package.json`, and what CHANGELOG.md says of the public API becomes the page
 * `content/en/changes.md`.
 *
 * `deno task generate` writes them; with `--check` it writes nothing and fails if one is out of date.
 */
import openapiTypescript, { astToString } from "openapi-typescript";
import { PACKAGE_NAME, packClient } from "../shared/pack.ts";
import { type OperationId, rolesOf } from "../shared/roles.ts";
import { renderOpenApi } from "./markdown/mod.ts";
import { CORE_SCHEMA, load as parseYaml, mergeTag } from "js-yaml";

/** The documents, by the name of their file. */
const documents = ["public", "operator"];

/** The files of texts, by their name. */
const texts = ["texts"];

const project = new URL("../", import.meta.url);

interface GeneratedFile {
  /** The path of the file, relative to the project. */
  path: string;
  text: string;
}

const headerOf = (source: string) =>
  `// Generated from ${source} by \`deno task generate\`; do not edit.\n\n`;

type Webhook = { post: { operationId?: string } };

type Document = { paths: Record<string, Record<string, Record<string, unknown>>> };

/** Adds to each operation the roles that may call it, from the table in `shared/roles.ts`. */
function addRoles({ paths }: Document): void {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId } = operation;
    if (operationId) operation["x-roles"] = rolesOf(operationId as OperationId);
  }
}

/** Makes the files of one document. The same YAML always gives the same text. */
async function generate(name: string): Promise<GeneratedFile[]> {
  const source = `openapi/${name}.yaml`;
  const yaml = await Deno.readTextFile(new URL(source, project));
  // Merge keys (`<<`) put the shared headers into every response.
  const schema = CORE_SCHEMA.withTags(mergeTag);
  const document = parseYaml(yaml, { schema }) as Document;
  if (name === "operator") addRoles(document);
  const json = JSON.stringify(document, null, 2);

  // A property with a default may still be left out of a request.
  const typed = JSON.parse(json);
  // The operations of webhooks are the receivers'; the types name those of the service.
  for (const { post } of Object.values<Webhook>(typed.webhooks ?? {})) delete post.operationId;
  const types = await openapiTypescript(JSON.stringify(typed), { defaultNonNullable: false });
  return [
    { path: `shared/generated/${name}.json`, text: json + "\n" },
    { path: `shared/generated/${name}.ts`, text: headerOf(source) + astToString(types) },
    ...name === "public" ? [markdownTwin(json)] : [],
  ];
}

/** Makes the JSON of a file of texts. */
async function generateTexts(name: string): Promise<GeneratedFile> {
  const yaml = await Deno.readTextFile(new URL(`content/en/${name}.yaml`, project));
  const text = JSON.stringify(parseYaml(yaml), null, 2) + "\n";
  return { path: `shared/generated/${name}.json`, text };
}

/** Makes the constant of the console's texts, from whose type come the keys and the names of the placeholders. */
async function generateConsoleTexts(): Promise<GeneratedFile> {
  const source = "content/en/console.yaml";
  const json = JSON.stringify(
    parseYaml(await Deno.readTextFile(new URL(source, project))),
    null,
    2,
  );
  const text = `${headerOf(source)}export const ENGLISH_TEXTS = ${json} as const;\n`;
  return { path: "shared/generated/console.ts", text };
}

/**
 * Makes the Markdown twin, as lines in JSON, which a program can import and a diff can show. When the
 * service serves it, it replaces the example's names, such as `https://waitlist.example`, with its own.
 * Each twin says where its document is: `{{openapi_url}}` stands for that URL.
 */
function markdownTwin(json: string): GeneratedFile {
  const document = JSON.parse(json);
  const { Status, ServiceIndex } = document.components.schemas;
  for (const { properties } of [Status, ServiceIndex]) {
    // A served document has the service's name as a constant, as its twin has.
    const { type, description, examples } = properties.service;
    properties.service = { type, const: examples[0], description };
  }
  const lines = renderOpenApi(document, "{{openapi_url}}").split("\n");
  return {
    path: "shared/generated/public_markdown.json",
    text: JSON.stringify(lines, null, 2) + "\n",
  };
}

/** Makes the module with the packed client, which the service serves and may not read from a file. */
async function packedClient(): Promise<GeneratedFile> {
  const tarball = (await packClient(PACKAGE_NAME)).toBase64();
  return {
    path: "shared/generated/client_package.json",
    text: JSON.stringify({ tarball }, null, 2) + "\n",
  };
}

/** The part of a version in CHANGELOG.md for those who call the API, use the typed client or show the form. */
const API_CHANGES = /^### Public API\n\n/m;

/** Makes the page of changes for developers. */
async function changesPage(): Promise<GeneratedFile> {
  const changelog = await Deno.readTextFile(new URL("CHANGELOG.md", project));
  const versions = changelog.split(/^(?=## )/m).slice(1).flatMap((version) => {
    const [, told] = version.split(API_CHANGES);
    return told ? [version.split("\n", 1)[0] + "\n\n" + told.split(/^### /m, 1)[0]] : [];
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

/** Says whether the stored file is missing or differs from the generated one. */
async function isStale({ path, text }: GeneratedFile): Promise<boolean> {
  try {
    return await Deno.readTextFile(new URL(path, project)) !== text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

/** Writes the files that are out of date. */
async function write(stale: GeneratedFile[]): Promise<void> {
  await Deno.mkdir(new URL("shared/generated/", project), { recursive: true });
  for (const { path, text } of stale) {
    await Deno.writeTextFile(new URL(path, project), text);
    console.log(`Wrote ${path}.`);
  }
}

/** Names each file that is out of date, and the command that generates it. */
function report(stale: GeneratedFile[]): void {
  for (const { path } of stale) {
    console.error(`${path} is out of date with its source. Run \`deno task generate\`.`);
  }
}

if (import.meta.main) {
  const isCheck = Deno.args.includes("--check");
  const generators = [
    async () => (await Promise.all(documents.map(generate))).flat(),
    () => Promise.all([...texts.map(generateTexts), generateConsoleTexts(), changesPage()]),
    // It contains what the first ones have written.
    async () => [await packedClient()],
  ];
  for (const make of generators) {
    const checked = await Promise.all(
      (await make()).map(async (file) => ({ file, stale: await isStale(file) })),
    );
    const stale = checked.filter((entry) => entry.stale).map((entry) => entry.file);
    if (!isCheck) await write(stale);
    else if (stale.length > 0) {
      report(stale);
      Deno.exitCode = 1;
    }
  }
}
