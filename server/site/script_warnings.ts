/** Names the scripts of the overlay that will not run, or what it means that they run. @module */
import { type ContentFile, type Language, renderInline, type SourcePage } from "../content/mod.ts";

/** A warning of the start, in one sentence or two: what is so, and what to do. */
export interface ScriptWarning {
  about: "scripts";
  message: string;
}

interface ScriptWarningOptions {
  baseUrl: string;
  languages: Language[];
  /** The pages as they are sent. */
  pages: { page: SourcePage; html: string }[];
  /** The files of `assets/` and of the brand, those of the overlay in the place of built-in ones. */
  files: ContentFile[];
  builtIn: ContentFile[];
  hasOverlay: boolean;
  /** Whether the overlay's scripts run. */
  contentScripts: boolean;
  /** Whether the policy lets the script at an address run. */
  mayRun: (address: string) => boolean;
}

const SCRIPTS_ARE_ON =
  "CONTENT_SCRIPTS is on: the scripts in the folder of CONTENT_PATH run on the origin of the console, and can act " +
  "as any operator who is signed in. Let only people write to that folder who may do all that operators may.";

const NEEDS_THE_VARIABLE =
  "This script will not run. Remove it, or set CONTENT_SCRIPTS=on after reading in SECURITY.md what that means.";

const INLINE =
  "A <script> with code in the page will never run. Remove it, or put the code into a file of assets/, which runs " +
  "with CONTENT_SCRIPTS=on.";

const IN_PICTURE = "A script in a picture will never run. Remove it from the SVG.";

/** Lists what will not run, with the files that have it; where scripts run, it begins with what that means. */
export function scriptWarnings(options: ScriptWarningOptions): ScriptWarning[] {
  const { languages, pages, files, builtIn, hasOverlay, contentScripts } = options;
  const sources = new Map<string, Set<string>>();
  const note = (fault: string, file: string) =>
    sources.set(fault, (sources.get(fault) ?? new Set()).add(file));

  for (const file of files) {
    if (file.name.endsWith(".js")) {
      const isBuiltIn = builtIn.some((each) => each.name === file.name && hasSameBytes(each, file));
      if (!isBuiltIn && !contentScripts) note(NEEDS_THE_VARIABLE, file.file);
    } else if (file.name.endsWith(".svg")) {
      if (hasScript(new TextDecoder().decode(file.bytes))) note(IN_PICTURE, file.file);
    }
  }

  // A page shows words of `texts.yaml` too, whose faults are named once, with that file.
  const ofTexts = new Map<string, Set<string>>();
  for (const { lang, texts } of languages) {
    const html = stringsOf(texts).map((text) => renderInline(text)).join("\n");
    const faults = new Set(faultsOf(html, "/", options));
    ofTexts.set(lang, faults);
    for (const fault of faults) note(fault, `${lang}/texts.yaml`);
  }
  for (const { page: { file, lang, path }, html } of pages) {
    for (const fault of faultsOf(html, path, options)) {
      if (!ofTexts.get(lang)?.has(fault)) note(fault, file);
    }
  }

  const messages = Array.from(sources, ([fault, files]) => `${[...files].join(", ")}: ${fault}`);
  if (contentScripts && hasOverlay) messages.unshift(SCRIPTS_ARE_ON);
  return messages.map((message) => ({ about: "scripts", message }));
}

const hasSameBytes = (one: ContentFile, other: ContentFile): boolean =>
  one.bytes.length === other.bytes.length &&
  one.bytes.every((byte, index) => byte === other.bytes[index]);

/** The types of `<script>` that a browser runs or obeys; those of another type are data, such as JSON-LD. */
const CODE =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script.*)$/i;

/** The attributes whose address a browser can open. */
const OPENED = /(?:^|:)(?:href|src|action|formaction|data)$/;

/** Lists what a page wants to run and cannot; scripts that will run are no fault. */
function faultsOf(
  html: string,
  path: string,
  { baseUrl, contentScripts, mayRun }: ScriptWarningOptions,
): string[] {
  const faults: string[] = [];
  for (const { name, attributes } of tagsOf(html)) {
    if (name === "script" && CODE.test(attributes.get("type")?.trim() ?? "")) {
      const source = attributes.get("src");
      const { origin, pathname = "", href } = URL.parse(source ?? "", baseUrl + path) ?? {};
      if (source === undefined) faults.push(INLINE);
      else if (origin !== baseUrl) {
        faults.push(
          `The script '${
            href ?? source
          }' is on another host, from which no script will ever run. Remove it, or ` +
            "put it into assets/, where it runs with CONTENT_SCRIPTS=on.",
        );
      } else if (!contentScripts && !mayRun(pathname)) {
        faults.push(`<script src="${source}">: ${NEEDS_THE_VARIABLE}`);
      }
    }
    for (const [attribute, value] of attributes) {
      if (isHandler(attribute)) {
        faults.push(`The attribute ${attribute} will never run. Remove it.`);
      } else if (isScriptAddress(attribute, value)) {
        faults.push(`An address that begins with javascript: will never run. Link to a page.`);
      }
    }
  }
  return faults;
}

const isHandler = (attribute: string): boolean => /^on[a-z]+$/.test(attribute);

/** Browsers skip white space and control characters before and within the scheme. */
const isScriptAddress = (attribute: string, value: string): boolean =>
  // deno-lint-ignore no-control-regex -- They are what browsers skip.
  OPENED.test(attribute) && /^javascript:/i.test(value.replace(/[\x00-\x20]/g, ""));

/** Whether a picture has a script, a handler or a `javascript:` address. */
const hasScript = (svg: string): boolean =>
  tagsOf(svg).some(({ name, attributes }) =>
    /^(?:\w+:)?script$/.test(name) ||
    [...attributes].some(([attribute, value]) =>
      isHandler(attribute) || isScriptAddress(attribute, value)
    )
  );

/** Finds the tags of a text that is HTML or SVG, with their attributes by name in lower case. */
function tagsOf(text: string): { name: string; attributes: Map<string, string> }[] {
  const tags = text.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi);
  return Array.from(tags, ([, name = "", written = ""]) => {
    const given = written.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g);
    const attributes = Array.from(given, ([, attribute = "", value = ""]): [string, string] => [
      attribute.toLowerCase(),
      value.replace(/^(["'])([^]*)\1$/, "$2"),
    ]);
    return { name: name.toLowerCase(), attributes: new Map(attributes) };
  });
}

/** All texts in a value, however deep. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
