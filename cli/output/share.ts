/** How much of a whole is done, as `42 %`. */
export function formatShare(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor(100 * part / whole)} %`;
}
