/**
 * Tries what the service may and may not do, under whatever permissions it is started with, and prints what it was
 * allowed, as JSON. Its argument is the project's folder. @module
 */
const [project = ""] = Deno.args;
const tries: Record<string, () => unknown> = {
  "read content/": () => Deno.readTextFileSync(`${project}/content/en/index.md`),
  "read CONTENT_PATH": () => Deno.readTextFileSync(`${Deno.env.get("CONTENT_PATH")}/brand.yaml`),
  "write CONTENT_PATH": () => Deno.writeTextFileSync(`${Deno.env.get("CONTENT_PATH")}/probe`, ""),
  "read OPERATOR_KEY_FILE": () => Deno.readTextFileSync(Deno.env.get("OPERATOR_KEY_FILE")!),
  "read another file of secrets": () =>
    Deno.readTextFileSync(`${Deno.env.get("OPERATOR_KEY_FILE")}/../current/key`),
  "write BACKUP_URL": () => Deno.writeTextFileSync(`${Deno.env.get("BACKUP_URL")}/probe`, ""),
  "read BACKUP_URL": () => Deno.readTextFileSync(`${Deno.env.get("BACKUP_URL")}/probe`),
  "write content/": () => Deno.writeTextFileSync(`${project}/content/en/probe.md`, ""),
  "read the sources": () => Deno.readTextFileSync(`${project}/deno.json`),
  "read the system's files": () => Deno.readTextFileSync("/etc/passwd"),
  "read out of its folder by ..": () => Deno.readTextFileSync("../outside"),
  "list the folder above": () => [...Deno.readDirSync("..")],
  "write elsewhere": () => Deno.writeTextFileSync("/tmp/waitlist-permission-probe", ""),
  "link out of its folder": () => Deno.symlinkSync("/etc/passwd", "link"),
  "write the KV folder": () => Deno.writeTextFileSync("probe", ""),
  "read the KV folder": () => Deno.readTextFileSync("probe"),
  "read its variables": () => [Deno.env.get("OPERATOR_KEY"), Deno.env.get("KV_PATH")],
  "read another variable": () => Deno.env.get("HOME"),
  "read all variables": () => Deno.env.toObject(),
  "start a process": () => new Deno.Command("true").outputSync(),
  "start itself": () => new Deno.Command(Deno.execPath(), { args: ["-V"] }).outputSync(),
  "load a native library": () => Deno.dlopen("libc.so.6", {}),
  "read the system's names": () => Deno.hostname(),
  "signal another process": () => Deno.kill(1, "SIGCONT"),
};
const allowed = Object.entries(tries).filter(([, attempt]) => {
  try {
    attempt();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}).map(([name]) => name);
console.log(JSON.stringify(allowed));
