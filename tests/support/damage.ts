/** Damage to the SQLite file of a store that nobody has open, as a fault of the disk would do it. @module */
import { DatabaseSync } from "node:sqlite";

/** What of an entry is damaged; `encoding` is what KV knows the type of a value by. */
export type DamagedPart = "value" | "encoding" | "key";

/** How keys begin with texts. */
const beginningOf = (parts: string[]) =>
  new TextEncoder().encode(parts.map((part) => `\x02${part}\x00`).join(""));

/**
 * Flips bits of the entry whose key or value holds a text, so that KV cannot read it. Where several entries hold it,
 * the one whose key begins with `first` is meant, which is the record of a sign-up unless told otherwise.
 */
export function damageEntry(
  path: string,
  text: string,
  part: DamagedPart = "value",
  first = ["sign_up"],
): void {
  const db = new DatabaseSync(path);
  try {
    const found = db
      .prepare("select k, v from kv where instr(k || v, cast(? as blob)) > 0")
      .all(text) as { k: Uint8Array; v: Uint8Array }[];
    const isMeant = ({ k }: { k: Uint8Array }) =>
      beginningOf(first).every((byte, at) => k[at] === byte);
    const [row, ...others] = found.length > 1 ? found.filter(isMeant) : found;
    if (!row || others.length > 0) throw new Error(`Not one entry has '${text}' in its key`);
    const { k, v } = row;
    if (part === "value") {
      db.prepare("update kv set v = ? where k = ?").run(flipped(v, 0, 0x01), k);
    } else if (part === "encoding") {
      db.prepare("update kv set v_encoding = v_encoding | 4 where k = ?").run(k);
    } else {
      // The first character of the text, which is ASCII, becomes a byte that no UTF-8 text has there.
      const at = k.length - 1 - new TextEncoder().encode(text).length;
      db.prepare("update kv set k = ? where k = ?").run(flipped(k, at, 0x80), k);
    }
  } finally {
    db.close();
  }
}

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[at]! ^= bit;
  return copy;
}
