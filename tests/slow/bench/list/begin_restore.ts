import type { OperatorAccess } from "./measure_command.ts";

/** How many bytes the last line of a backup may have. */
const LAST_LINE_BYTES = 1_000;

/** Begins to restore a backup, which gives the store to it; its lines are sent by the command. */
export async function beginRestoreOf(
  path: string,
  { baseUrl, key }: OperatorAccess,
): Promise<void> {
  const { counts, sha256 } = JSON.parse(await readLastLine(path));
  const response = await fetch(`${baseUrl}/operator/v1/restores`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ checksum: sha256, counts }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

async function readLastLine(path: string): Promise<string> {
  using file = await Deno.open(path);
  await file.seek(-LAST_LINE_BYTES, Deno.SeekMode.End);
  const bytes = new Uint8Array(LAST_LINE_BYTES);
  let length = 0;
  for (let read; (read = await file.read(bytes.subarray(length))); length += read);
  return new TextDecoder().decode(bytes.subarray(0, length)).trimEnd().split("\n").at(-1) ?? "";
}
