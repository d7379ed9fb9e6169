/** The laws of the architecture, read from the imports and the text of the sources. @module */
import assert from "node:assert/strict";
import { readSources, type Source } from "./support/project_files.ts";

/**
 * The floors from the top down. A module imports from its own room and from lower floors, never from a neighbour on
 * its floor.
 */
const FLOORS = [
  ["server/main.ts", "server/start.ts"],
  ["server/stop.ts"],
  ["server/service.ts"],
  ["server/operator_stores.ts", "server/start_site.ts"],
  ["server/app.ts"],
  ["server/console/"],
  ["server/api/", "server/discovery/", "server/operator/", "server/site/"],
  ["server/letters/"],
  ["server/store/expiry/"],
  ["server/store/backup/"],
  ["server/store/credentials/", "server/store/invitations/", "server/store/jobs/"],
  ["server/store/operators/"],
  ["server/store/people/"],
  ["server/store/outbox/"],
  ["server/store/audit/", "server/store/limits/"],
  ["server/store/kv/"],
  ["server/content/", "server/http/", "server/waitlist/"],
  ["server/oauth/"],
  ["server/observe/"],
  ["server/limits/"],
  ["server/config/"],
  ["server/runtime/"],
  ["shared/"],
];

/**
 * Where a program is put together: here the clock and the randomness come from. The programs of those
 * who integrate `shared/api_client.ts` are elsewhere, so it has a default of its own.
 */
const COMPOSITION_ROOTS = ["server/main.ts", "cli/main.ts", "shared/clock.ts"];

/** The engine of Deno KV. */
const KV_ENGINE = ["deno_kv", "open"]
  .map((name) => `store/kv/${name}.ts`);

const sources = await readSources(["server", "shared", "cli"]);

/** The folder or file of {@linkcode FLOORS} that a path belongs to, and its floor. */
function floorOf(path: string): { part: string; floor: number } | undefined {
  for (const [floor, parts] of FLOORS.entries()) {
    const part = parts.find((part) => isIn(path, part));
    if (part) return { part, floor };
  }
}

function isIn(path: string, part: string): boolean {
  return part.endsWith("/") ? path.startsWith(part) : path === part;
}

/** Asserts that code outside some places never matches; lists the lines that do. */
function assertOnlyIn(places: string[], pattern: RegExp, from: Source[] = sources): void {
  const violations = from
    .filter(({ path }) => !places.some((place) => isIn(path, place)))
    .flatMap(({ lines }) => lines)
    .filter(({ text }) => pattern.test(text))
    .map(({ at, text }) => `${at}: ${text}`);
  assertNone(violations);
}

/** Asserts that no import breaks a law; lists those that do. */
function assertNoImport(breaks: (path: string, to: string, typeOnly: boolean) => boolean): void {
  const violations = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ to, typeOnly }) => breaks(path, to, typeOnly))
      .map(({ at, to }) => `${at} imports ${to}`)
  );
  assertNone(violations);
}

function assertNone(violations: string[]): void {
  assert.equal(violations.length, 0, `\n  ${violations.join("\n  ")}`);
}

Deno.test("Each module of server/ and shared/ belongs to a file or folder in the list FLOORS", () => {
  const withoutFloor = sources.map(({ path }) => path)
    .filter((path) => !path.startsWith("cli/") && !floorOf(path));
  assertNone(withoutFloor);
});

Deno.test("Modules of server/ and shared/ import only from their own folder and from folders on lower floors of the list FLOORS", () => {
  assertNoImport((path, to) => {
    const from = floorOf(path);
    const target = floorOf(to);
    if (!from || !target || from.part === target.part) return false;
    return target.floor <= from.floor;
  });
});

Deno.test("cli/ and server/ do not import each other, and shared/ imports neither cli/ nor server/", async (t) => {
  const outside = { "cli/": ["server/"], "server/": ["cli/"], "shared/": ["cli/", "server/"] };
  for (const [folder, others] of Object.entries(outside)) {
    await t.step(folder, () => {
      assertNoImport((path, to) => isIn(path, folder) && others.some((other) => isIn(to, other)));
    });
  }
});

Deno.test("No module imports itself through other modules", () => {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ to }) => to)]));
  const done = new Set<string>();
  function findCircle(path: string, trail: string[]): string[] | undefined {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const target of targets.get(path) ?? []) {
      const circle = findCircle(target, [...trail, path]);
      if (circle) return circle;
    }
    done.add(path);
  }
  assertNone(sources.flatMap(({ path }) => findCircle(path, [])?.join(" → ") ?? []));
});

Deno.test("Only server/store/ calls operations of the service's KV, and only the engine for Deno KV calls Deno's KV API", () => {
  assertOnlyIn(["server/store/"], /\bkv\.(get|list|commit|watch|sweep)\(/);
  assertOnlyIn(
    KV_ENGINE.map((path) => `server/${path}`),
    /\bDeno\.(openKv|Kv|Atomic)|\.(atomic|getMany)\(|\bkv\.enqueue\(/,
  );
});

Deno.test("Only server/start.ts, runtime/deno.ts and the engine for Deno KV use the global `Deno`", () => {
  const places = ["start.ts", "runtime/deno.ts", ...KV_ENGINE].map((path) => `server/${path}`);
  assertOnlyIn(places, /\bDeno\.[a-zA-Z]|\bglobalThis\.Deno\b/);
});

Deno.test("Other folders import a folder of server/ only through its mod.ts, or through the file that has the folder's name", () => {
  assertNoImport((path, to) => {
    const isFace = /^server\/(store\/)?\w+\/mod\.ts$/.test(to) || to.endsWith("/mod.ts");
    if (!to.startsWith("server/") || isFace) return false;
    const folder = to.slice(0, to.lastIndexOf("/") + 1);
    return folder !== "server/" && !path.startsWith(folder);
  });
});

Deno.test("No file in server/ has more than 400 lines", () => {
  const long = sources
    .map(({ path, text }) => ({ path, length: text.split("\n").length - 1 }))
    .filter(({ path, length }) => path.startsWith("server/") && length > 400)
    .map(({ path, length }) => `${path}: ${length} lines`);
  assertNone(long);
});

Deno.test("No file imports the same module by two statements", () => {
  const repeated = sources.flatMap(({ path, text }) => {
    const specifiers = Array.from(
      text.matchAll(/^import (?:type )?\{[^}]*\} from "([^"]+)";$/gm),
      ([, specifier]) => specifier!,
    );
    const twice = specifiers.filter((each, index) => specifiers.indexOf(each) < index);
    return twice.map((each) => `${path} imports ${each} by several statements`);
  });
  assertNone(repeated);
});

Deno.test("Only the environments, server/letters/, server/operator/ and the composition root import server/store/", () => {
  const allowed = [
    "server/store/",
    "server/api/environment.ts",
    "server/letters/",
    "server/operator/",
    "server/operator_stores.ts",
    "server/service.ts",
    "server/start_site.ts",
    "server/main.ts",
  ];
  assertNoImport((path, to) =>
    isIn(to, "server/store/") && !allowed.some((part) => isIn(path, part))
  );
});

Deno.test("Only server/main.ts, server/start.ts and cli/main.ts read environment variables", () => {
  assertOnlyIn(["server/main.ts", "server/start.ts", "cli/main.ts"], /\b(Deno|process)\.env\b/);
});

Deno.test("Only app.ts, site/, discovery/ and console/ import Hono", () => {
  const parts = ["console/", "site/", "discovery/", "app.ts"];
  const forItsType = ["server/service.ts", "server/main.ts"];
  assertNoImport((path, to, typeOnly) => {
    if (!/^(@hono\/)?hono\b/.test(to)) return false;
    if (forItsType.includes(path)) return !typeOnly;
    return !parts.some((part) => isIn(path, `server/${part}`));
  });
});

Deno.test("The pure rules (waitlist/, oauth/, limits/) import no HTTP module", () => {
  const rules = sources.filter(({ path }) => /^server\/(waitlist|oauth|limits)\//.test(path));
  assertOnlyIn([], /\b(Request|Response|Headers|fetch)\b/, rules);
});

Deno.test("Only composition roots read the clock or draw random numbers", () => {
  const clock = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bTemporal\.Now\b/;
  assertOnlyIn(COMPOSITION_ROOTS, clock);
  assertOnlyIn(
    COMPOSITION_ROOTS,
    /\bMath\.random\b|\bgetRandomValues\b|\brandom(UUID|Bytes|Int)\b/,
  );
});

Deno.test("Only api/environment.ts has code that depends on the name 'sandbox' or 'production'", () => {
  const comparison =
    /[!=]== "(sandbox|production)"|"(sandbox|production)" [!=]==|\b(if|case) \(?.*\b"?sandbox\b/;
  assertOnlyIn(["server/api/environment.ts", "cli/"], comparison);
});
