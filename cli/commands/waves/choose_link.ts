/**
 * Chooses the link in the letters with invitations, for `waitlist signups invite`, `waitlist waves schedule` and `waitlist
 * invitations test`.
 *
 * @module
 */
import { UsageError } from "../../errors.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";

/**
 * Returns the link from the command line or, if there is none, the link of the last wave.
 *
 * @param link the value of `--link`
 */
export async function chooseLink(link: string | undefined, tools: WorkTools): Promise<string> {
  if (link !== undefined) return link;
  const [last] = (await tools.client.call("listWaves", { query: {} })).waves;
  if (!last) {
    throw new UsageError(
      "There is no earlier wave whose link this command could use; give --link with an https: URL",
    );
  }
  tools.progress.note(`The link is that of the last wave: ${last.link}`);
  return last.link;
}
