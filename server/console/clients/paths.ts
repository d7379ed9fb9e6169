/** The path of the page about one client. */
export const CLIENT_PATH = "/operator/clients/client/";

/** The address of the page about a client, which may say what was done to it. */
export function clientPath(clientId: string, done?: "disabled" | "enabled"): string {
  return `${CLIENT_PATH}?${new URLSearchParams({ id: clientId, ...done && { done } })}`;
}
