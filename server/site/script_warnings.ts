/** Warns of scripts that browsers will not run, and of the risk if scripts of the overlay may run. @module */
import { type ContentFile, type Language, renderInline, type SourcePage } from "../content/mod.ts";
import { createFaultList } from "./fault_list.ts";

/** A warning in the log of the start. */
export interface ScriptWarning {
  about: "scripts";
  /** One or two sentences that say what the fault is and what to do. */
  message: string;
}

interface ScriptWarningOptions {
  baseUrl: string;
  languages: Language[];
  /** The pages, with their HTML. */
  pages: { page: SourcePage; html: string }[];
  /** The files of `assets/` and of the brand. A file of the overlay replaces the built-in file of the same name. */
  files: ContentFile[];
  builtInScripts: ContentFile[];
  hasOverlay: boolean;
  /** Whether scripts of the overlay run. */
  contentScripts: boolean;
  /** Whether the Content Security Policy allows the script at a path while only built-in scripts may run. */
  mayRun: (path: string) => boolean;
}

// The messages of warnings. Each names the fault and says what to do.
const SCRIPTS_ARE_ON =
  "CONTENT_SCRIPTS is on: the scripts in the folder of CONTENT_PATH run on the origin of the console, and can act " +
  "as any operator who is signed in. Give write access to that folder only to people who may do everything that an " +
  "operator may do.";

const NEEDS_THE_VARIABLE =
  "This script will not run. Remove it, or set CONTENT_SCRIPTS=on after reading in SECURITY.md what scripts may do.";

const INLINE =
  "Inline code in a <script> will never run. Remove it, or put the code into a file of assets/, which " +
  "runs with CONTENT_SCRIPTS=on.";

const IN_PICTURE = "A script in a picture will never run. Remove it from the SVG.";

/** Matches the types of `<script>` that a browser runs or obeys. A script of another type is data, such as JSON-LD. */
const CODE_TYPE =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script.*)$/i;

/** Matches the names of attributes whose value is a URL that a browser opens. */
const URL_ATTRIBUTE = /(?:^|:)(?:href|src|action|formaction|data)$/;

/**
 * Returns a warning for each kind of script that will not run, with the files that have such scripts. Another warning
 * comes first if scripts of the overlay run.
 */
export function scriptWarnings(options: ScriptWarningOptions): ScriptWarning[] {
  const { languages, pages, files, hasOverlay, contentScripts } = options;
  const faultList = createFaultList();

  for (const file of files) {
    const fault = faultOfFile(file, options);
    if (fault !== undefined) faultList.add(fault, file.label);
  }

  // Every page shows texts of `texts.yaml`, so a fault of such a text is reported for `texts.yaml`, not for each page.
  const textFaults = new Map<string, Set<string>>();
  for (const { lang, texts } of languages) {
    const html = stringsOf(texts).map((text) => renderInline(text)).join("\n");
    const faults = new Set(faultsInHtml(html, "/", options));
    textFaults.set(lang, faults);
    for (const fault of faults) faultList.add(fault, `${lang}/texts.yaml`);
  }
  for (const { page: { label, lang, path }, html } of pages) {
    for (const fault of faultsInHtml(html, path, options)) {
      if (!textFaults.get(lang)?.has(fault)) faultList.add(fault, label);
    }
  }

  const messages = faultList.messages();
  if (contentScripts && hasOverlay) messages.unshift(SCRIPTS_ARE_ON);
  return messages.map((message) => ({ about: "scripts", message }));
}

/** Returns the fault of a script file or of a picture; `undefined` if the file has no fault. */
function faultOfFile(
  file: ContentFile,
  { builtInScripts, contentScripts }: ScriptWarningOptions,
): string | undefined {
  const { name, bytes } = file;
  if (name.endsWith(".js") && !contentScripts) {
    const isBuiltIn = builtInScripts.some((script) =>
      script.name === name && hasSameBytes(script, file)
    );
    return isBuiltIn ? undefined : NEEDS_THE_VARIABLE;
  }
  if (name.endsWith(".svg") && hasScript(new TextDecoder().decode(bytes))) return IN_PICTURE;
  return undefined;
}

const hasSameBytes = (one: ContentFile, other: ContentFile): boolean =>
  one.bytes.length === other.bytes.length &&
  one.bytes.every((byte, index) => byte === other.bytes[index]);

/** Lists the scripts of a page that will not run. @param path the path of the page, for relative URLs */
function faultsInHtml(
  html: string,
  path: string,
  options: ScriptWarningOptions,
): string[] {
  const faults: string[] = [];
  for (const { name, attributes } of tagsOf(html)) {
    if (name === "script" && CODE_TYPE.test(attributes.get("type")?.trim() ?? "")) {
      const fault = faultOfSource(attributes.get("src"), path, options);
      if (fault !== undefined) faults.push(fault);
    }
    for (const [attribute, value] of attributes) {
      if (isHandler(attribute)) {
        faults.push(`The attribute ${attribute} will never run. Remove it.`);
      } else if (isScriptUrl(attribute, value)) {
        faults.push(`An address that begins with javascript: will never run. Link to a page.`);
      }
    }
  }
  return faults;
}

/** Returns the fault of a `<script>`. @param source the value of `src` @param path the path of the page */
function faultOfSource(
  source: string | undefined,
  path: string,
  { baseUrl, contentScripts, mayRun }: ScriptWarningOptions,
): string | undefined {
  if (source === undefined) return INLINE;
  const { origin, pathname = "", href } = URL.parse(source, baseUrl + path) ?? {};
  if (origin !== baseUrl) {
    return `The script '${href ?? source}' is on another host, from which no script will ever ` +
      "run. Remove the script, or put it into assets/, where it runs with CONTENT_SCRIPTS=on.";
  }
  if (contentScripts || mayRun(pathname)) return undefined;
  return `<script src="${source}">: ${NEEDS_THE_VARIABLE}`;
}

const isHandler = (attribute: string): boolean => /^on[a-z]+$/.test(attribute);

/**
 * Whether the value of an attribute is a `javascript:` URL. Browsers ignore white space and control characters in such
 * a URL.
 */
const isScriptUrl = (attribute: string, value: string): boolean =>
  // deno-lint-ignore no-control-regex -- These are the characters that browsers ignore.
  URL_ATTRIBUTE.test(attribute) && /^javascript:/i.test(value.replace(/[\x00-\x20]/g, ""));

/** Whether an SVG has a script, an event handler or a `javascript:` URL. */
const hasScript = (svg: string): boolean =>
  tagsOf(svg).some(({ name, attributes }) =>
    /^(?:\w+:)?script$/.test(name) ||
    [...attributes].some(([attribute, value]) =>
      isHandler(attribute) || isScriptUrl(attribute, value)
    )
  );

/** Finds the tags of HTML or SVG. The names of tags and attributes are in lower case. */
function tagsOf(text: string): { name: string; attributes: Map<string, string> }[] {
  const tags = text.matchAll(/<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi);
  return Array.from(tags, ([, name = "", attributesText = ""]) => {
    const pairs = attributesText.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g);
    const attributes = Array.from(pairs, ([, attribute = "", value = ""]): [string, string] => [
      attribute.toLowerCase(),
      value.replace(/^(["'])([^]*)\1$/, "$2"),
    ]);
    return { name: name.toLowerCase(), attributes: new Map(attributes) };
  });
}

/** Returns all texts in a value, at any depth. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
