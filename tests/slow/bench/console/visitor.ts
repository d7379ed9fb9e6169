/** An operator who is signed in to the console, and the pages that are asked for. @module */
import { PATHS, SIGN_IN_PATH } from "../../../../server/console/page_context.ts";
import type { LoadRequest } from "../wrk.ts";

const ORIGIN = "http://localhost:8000";

/** Signs an operator in; gives the requests for the pages that are measured, by name. */
export async function signIn(baseUrl: string, key: string): Promise<Map<string, LoadRequest>> {
  const session = await sendForm(baseUrl, SIGN_IN_PATH, { key });
  // Both lists have more of them than fit on a page.
  const find = (part: string) => sendForm(baseUrl, PATHS.people, { search: part }, session.cookie);
  const [search, vain] = await Promise.all(["seed9", "nobody"].map(find));
  const page = (path: string): LoadRequest => ({
    method: "GET",
    path,
    headers: { Cookie: session.cookie },
    // The limits are not what is measured.
    varyAddress: true,
  });
  return new Map([
    ["Overview", page(PATHS.overview)],
    ["People", page(PATHS.people)],
    // Nobody in the list has it, so that as much is read as a page ever reads.
    ["People with a rare filter", page(`${PATHS.people}?lang=en`)],
    ["People with many referrals", page(`${PATHS.people}?referrals=99`)],
    ["Search", page(search!.location)],
    ["Search for nobody", page(vain!.location)],
  ]);
}

/** Sends a form; gives the page that it leads to, and the cookie that the answer sets, or an empty one. */
async function sendForm(
  baseUrl: string,
  path: string,
  fields: Record<string, string>,
  cookie = "",
): Promise<{ location: string; cookie: string }> {
  const { status, headers, body } = await fetch(baseUrl + path, {
    method: "POST",
    headers: { Origin: ORIGIN, Cookie: cookie },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  await body?.cancel();
  const location = headers.get("location");
  if (!location) throw new Error(`${path} answered ${status} and leads nowhere`);
  const [given = ""] = headers.get("set-cookie")?.split(";") ?? [];
  return { location, cookie: given };
}

/** Makes the function that asks for a page and reads it whole; it throws where the answer is no page. */
export function pageReader(baseUrl: string): (page: LoadRequest) => Promise<void> {
  let calls = 0;
  return async ({ path, headers }) => {
    const address = `10.9.${++calls >> 8 & 255}.${calls & 255}`;
    const response = await fetch(baseUrl + path, {
      headers: { ...headers, "X-Forwarded-For": address },
      redirect: "manual",
    });
    await response.bytes();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  };
}
