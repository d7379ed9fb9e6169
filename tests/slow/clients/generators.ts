/** The client generators that `.ci/install_generators` installs, and what a project does with each of them. @module */
import { join } from "node:path";
import { INSTALLED, isInstalled } from "./installed.ts";
import {
  DATAMODEL_CODEGEN,
  HEY_API,
  OAPI_CODEGEN,
  OGEN,
  OPENAPI_PYTHON_CLIENT,
  OPENAPI_TYPESCRIPT,
  ORVAL,
} from "./programs.ts";

/** What a generator makes clients of, and how a program imports them: the file is `<name>.json`. */
export const DOCUMENTS = ["waitlist_public", "waitlist_operator"];

/** A generator, and the commands of a project that uses it, which run in the project's folder. */
export interface Generator {
  name: string;
  /** The folder that it is installed in. */
  installed: string;
  /** The files of the project. */
  files: Record<string, string>;
  /** What the project takes from the installed folder. */
  links?: string[];
  /** The folder of its programs, in front of those of {@linkcode VARIABLES}. Generators in Python have one each. */
  programs?: string;
  /** Makes the client of a document. */
  generate: (document: string) => string[];
  /** The warnings of the generator that are no faults of the documents. */
  knownWarnings?: RegExp;
  /** Compiles clients and program, or imports every module of the clients. */
  compile: string[];
  /** Runs the program. */
  run: string[];
}

/** The variables that the commands run with: their programs are those that are installed. */
export const VARIABLES = {
  PATH: ["npm/node_modules/.bin", "go/bin"].map((path) => join(INSTALLED, path))
    .concat(Deno.env.get("PATH") ?? "").join(":"),
  NO_COLOR: "1",
};

const IMPORT_ALL = `
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
`;

/** A project in TypeScript. */
function typeScript(program: string): Pick<Generator, "files" | "links" | "compile" | "run"> {
  const compilerOptions = {
    strict: true,
    target: "es2022",
    module: "nodenext",
    outDir: "out",
    skipLibCheck: true,
  };
  return {
    files: {
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["program.ts"] }),
      "program.ts": program,
    },
    links: ["node_modules"],
    compile: ["tsc"],
    run: ["node", "out/program.js"],
  };
}

/** A project in Python with openapi-python-client. @param folder what a version is installed in */
function pythonClient(name: string, folder: string): Generator {
  return {
    name,
    installed: join(INSTALLED, folder),
    programs: join(INSTALLED, folder, "bin"),
    files: { "program.py": OPENAPI_PYTHON_CLIENT },
    generate: (document) =>
      ["openapi-python-client", "generate", "--meta", "none"]
        .concat("--path", `${document}.json`, "--output-path", document),
    knownWarnings: /Unsupported content.type.+application\/x-ndjson/,
    compile: ["python", "-c", IMPORT_ALL, ...DOCUMENTS],
    run: ["python", "program.py"],
  };
}

/** Clients alone. ogen does not know NDJSON, nor the two ways to start a wave, and leaves these operations out. */
const OGEN_OPTIONS = `
generator:
  features: { disable_all: true, enable: [paths/client] }
  ignore_not_implemented: [all]
`;

export const GENERATORS: Generator[] = [
  {
    name: "openapi-typescript",
    installed: join(INSTALLED, "npm"),
    ...typeScript(OPENAPI_TYPESCRIPT),
    generate: (name) => ["openapi-typescript", `${name}.json`, "--output", `${name}.ts`],
  },
  {
    name: "@hey-api/openapi-ts",
    installed: join(INSTALLED, "npm"),
    ...typeScript(HEY_API),
    generate: (name) => ["openapi-ts", "--silent", "--input", `./${name}.json`, "--output", name],
  },
  {
    name: "orval",
    installed: join(INSTALLED, "npm"),
    ...typeScript(ORVAL),
    generate: (
      name,
    ) => ["orval", "--client", "fetch", "--input", `${name}.json`, "--output", `${name}.ts`],
  },
  pythonClient("openapi-python-client 0.29", "python"),
  pythonClient("openapi-python-client 0.28", "python28"),
  {
    name: "datamodel-codegen",
    installed: join(INSTALLED, "datamodel"),
    programs: join(INSTALLED, "datamodel", "bin"),
    files: { "program.py": DATAMODEL_CODEGEN },
    generate: (name) =>
      ["datamodel-codegen", "--input-file-type", "openapi", "--formatters", "builtin"]
        .concat("--output-model-type", "pydantic_v2.BaseModel")
        .concat("--input", `${name}.json`, "--output", `${name}.py`),
    compile: ["python", "-c", `import ${DOCUMENTS.join(", ")}`],
    run: ["python", "program.py"],
  },
  {
    name: "oapi-codegen",
    installed: join(INSTALLED, "go"),
    files: { "main.go": OAPI_CODEGEN },
    links: ["go.mod", "go.sum"],
    generate: (name) =>
      ["oapi-codegen", "-generate", "types,client", "-package", name]
        .concat("-o", `${name}/client.go`, `${name}.json`),
    compile: ["go", "build", "-o", "program", "."],
    run: ["./program"],
  },
  {
    name: "ogen",
    installed: join(INSTALLED, "ogen"),
    programs: join(INSTALLED, "ogen", "bin"),
    files: { "main.go": OGEN, "ogen.yml": OGEN_OPTIONS },
    links: ["go.mod", "go.sum"],
    generate: (
      name,
    ) => ["ogen", "--config", "ogen.yml", "--target", name, "--package", name, `${name}.json`],
    knownWarnings: /Header name is not canonical/,
    // Without optimisations, the compiler needs half the time.
    compile: ["go", "build", "-gcflags=example.com/clients/...=-N -l", "-o", "program", "."],
    run: ["./program"],
  },
];

/** The generators that are not here; where there are any, that is said once. */
export const MISSING: Generator[] = GENERATORS.filter(({ installed }) => !isInstalled(installed));
if (MISSING.length > 0) {
  const names = MISSING.map(({ name }) => name).join(", ");
  console.log(
    `Clients of ${names} are not tried, as these are not here: run .ci/install_generators`,
  );
}
