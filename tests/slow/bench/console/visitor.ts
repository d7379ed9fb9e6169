/**
 * An operator who is signed in to the console, and the pages that are asked for.
 *
 * @module
 */
import { PATHS, SIGN_IN_PATH } from "../../../../server/console/layout.ts";
import type { LoadRequest } from "../wrk.ts";

/** Signs an operator in; gives the requests for the pages that are measured, by name. */
export async function signIn(baseUrl: string, key: string): Promise<Map<string, LoadRequest>> {
  const headers = { Origin: "http://localhost:8000" };
  const form = new URLSearchParams({ key });
  const signedIn = await fetch(baseUrl + SIGN_IN_PATH, {
    method: "POST",
    headers,
    body: form,
    redirect: "manual",
  });
  await signedIn.body?.cancel();
  const [cookie] = signedIn.headers.get("set-cookie")?.split(";") ?? [];
  if (!cookie) throw new Error(`${SIGN_IN_PATH} answered ${signedIn.status} without a cookie`);

  const page = (path: string, form?: string): LoadRequest => ({
    method: form === undefined ? "GET" : "POST",
    path,
    headers: {
      ...headers,
      Cookie: cookie,
      ...form !== undefined && { "Content-Type": "application/x-www-form-urlencoded" },
    },
    ...form !== undefined && { body: form },
    // The limits are not what is measured.
    varyAddress: true,
  });
  return new Map([
    ["Overview", page(PATHS.overview)],
    ["People", page(PATHS.people)],
    // Nobody in the list has it, so that as much is read as a page ever reads.
    ["People with a rare filter", page(`${PATHS.people}?lang=en`)],
    // Both lists have more of them than fit on a page.
    ["Search", page(PATHS.people, "search=seed9")],
  ]);
}

/** Makes the function that asks for a page and reads it whole; it throws where the answer is no page. */
export function pageReader(baseUrl: string): (page: LoadRequest) => Promise<void> {
  let calls = 0;
  return async ({ method, path, headers, body }) => {
    const address = `10.9.${++calls >> 8 & 255}.${calls & 255}`;
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, "X-Forwarded-For": address },
      redirect: "manual",
      ...body !== undefined && { body },
    });
    await response.bytes();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  };
}
