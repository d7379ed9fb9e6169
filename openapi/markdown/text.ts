/**
 * Writes the building blocks of Markdown: paragraphs, tables and code.
 *
 * @module
 */

/** Joins blocks by empty lines. Absent and empty blocks are left out. */
export function paragraphs(...blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== "")
    .map((block) => block!.trim()).join("\n\n");
}

/** Writes a table. Line breaks in cells become spaces. */
export function table(head: string[], rows: string[][]): string {
  const rowOf = (cells: string[]) => `| ${cells.map(cellOf).join(" | ")} |`;
  const separator = `|${head.map(() => "---").join("|")}|`;
  return [rowOf(head), separator, ...rows.map(rowOf)].join("\n");
}

function cellOf(text: string): string {
  return text.trim().replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Writes a fenced code block. */
export function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns the URL fragment of a heading, by GitHub's rule for ASCII. */
export function anchor(heading: string): string {
  return `#${heading.toLowerCase().replace(/[^a-z0-9 _-]/g, "").replaceAll(" ", "-")}`;
}

/** Writes a value as JSON on one line, with spaces between its parts. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
