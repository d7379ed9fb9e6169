/** What each of the imported people answers, in turn. */
const ROLES = ["architect", "engineer", "operator", "planner", ""];
const BUILDINGS = ["campus", "hospital", "office", ""];

const DAY = 24 * 60 * 60 * 1000;

/**
 * Writes a list as it comes from elsewhere: CSV, the addresses in no order, as an order would spare the store most of
 * the work.
 */
export async function writeListFile(path: string, signUps: number): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  await writer.write(encoder.encode("email,consentedAt,createdAt,lang,source,role,building\n"));
  const start = Date.parse("2024-01-01T00:00:00Z");
  for (let from = 0; from < signUps; from += 10_000) {
    let text = "";
    for (let n = from; n < Math.min(from + 10_000, signUps); n++) {
      // Multiplying by an odd number permutes 32 bits.
      const name = (Math.imul(n, 0x9e3779b1) >>> 0).toString(36).padStart(7, "0");
      const at = new Date(start + n % 600 * DAY + n * 7 % DAY).toISOString();
      const lang = n % 3 === 0 ? "de" : "en";
      const source = n % 2 === 0 ? "hero" : "cta";
      const [role, building] = [ROLES[n % ROLES.length], BUILDINGS[n % BUILDINGS.length]];
      text += `${name}.person@example.com,${at},${at},${lang},${source},${role},${building}\n`;
    }
    await writer.write(encoder.encode(text));
  }
  writer.releaseLock();
}
