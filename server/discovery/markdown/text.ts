/** Puts paragraphs, tables and code blocks under each other; absent ones are left out. */
export function paragraphs(...blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== "")
    .map((block) => block!.trim()).join("\n\n");
}

/** A table. Line breaks in cells become spaces. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.trim().replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** A fenced code block. */
export function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** The fragment by which renderers address a heading: GitHub's rule, for ASCII. */
export function anchor(heading: string): string {
  return `#${heading.toLowerCase().replace(/[^a-z0-9 _-]/g, "").replaceAll(" ", "-")}`;
}

/** A value as JSON on one line, with spaces for the eye. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
