import { readLines } from "../../../shared/lines.ts";
import { LINE_FAULTS, type Row } from "./rows.ts";

/** Reads rows from NDJSON. What they say is judged by the service. */
export async function* readNdjsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  for await (const lines of readLines(bytes)) {
    const rows: Row[] = [];
    for (const line of lines) {
      const { number } = line;
      if ("fault" in line) rows.push({ number, reason: LINE_FAULTS[line.fault] });
      else if (line.text.trim() !== "") {
        rows.push({ number, json: line.text, address: addressIn(line.text) });
      }
    }
    yield rows;
  }
}

/** The address that a line names, empty where it names none. */
function addressIn(json: string): string {
  try {
    return String(JSON.parse(json).email).toLowerCase();
  } catch {
    return "";
  }
}
