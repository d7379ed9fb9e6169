/** The paths that the service uses itself; `/index.md` is the Markdown of the home page, not of a page `/index/`. */
const RESERVED = /^\/(?:api|sandbox|operator|assets|\.well-known)\/|\/index\/$/;

/** Throws an Error that names the file of a page whose path is taken. */
export function checkPaths(pages: { path: string; file: string }[]): void {
  const files = new Map<string, string>();
  for (const { path, file } of pages) {
    if (RESERVED.test(path)) throw new Error(`${file}: the service uses the path ${path} itself`);
    const other = files.get(path);
    if (other) throw new Error(`${file}: ${other} has the path ${path} too`);
    files.set(path, file);
  }
}
