/** Shows a request's value in a message: well-formed Unicode, and cut to a length that stays readable. */
export function quote(value: unknown): string {
  if (typeof value !== "string") {
    return JSON.stringify(value)?.slice(0, 40).toWellFormed() ?? "absent";
  }
  return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`.toWellFormed();
}
