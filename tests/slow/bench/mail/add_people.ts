/** Which people to add. */
export interface AddedPeople {
  people: number;
  /** How many days ago the mail server took their letters; absent where the letters still wait. */
  askedDaysAgo?: number;
}

/** Adds people who are asked to confirm to a KV file, in a process of its own that leaves nothing in memory. */
export async function addPeople(
  path: string,
  { people, askedDaysAgo }: AddedPeople,
): Promise<void> {
  const args = [path, String(people), ...askedDaysAgo === undefined ? [] : [String(askedDaysAgo)]];
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("seed.ts", import.meta.url).pathname, ...args],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
}
