/** What a client has to know of the two environments, as data. */
export const ENVIRONMENTS = {
  production: { path: "", publishesClient: false },
  sandbox: { path: "/sandbox", publishesClient: true },
} as const;

/** The name of an environment. */
export type EnvironmentName = keyof typeof ENVIRONMENTS;

/** Where an environment's paths start, without a slash at the end. */
export function environmentBase(baseUrl: string, environment: EnvironmentName): string {
  return baseUrl.replace(/\/$/, "") + ENVIRONMENTS[environment].path;
}
