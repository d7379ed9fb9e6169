import { defineCommand } from "../command.ts";
import { askFirst } from "../ask_first.ts";
import { UsageError } from "../errors.ts";
import { OPERATOR } from "../operator/client.ts";
import { parseOverlap } from "./clients.ts";

/** `waitlist keys rotate`: makes a new key that signs access tokens, or one that makes links to people's pages. */
export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist keys rotate", "a new key signs a minute later; no token is refused"],
    ["waitlist keys rotate --quiet", "for a timer"],
    ["waitlist keys rotate --links", "links that were sent open for 90 days more; asks first"],
    ["waitlist keys rotate --links --overlap 0s", "links that were sent open no more"],
    ["waitlist keys rotate --json", "for programs"],
  ],
  declare: (command) => {
    command
      .option("--links", "the key of the links to people's pages, in place of the signing key")
      .option("--overlap <time>", "with --links, how long older links open, up to 90d (90d)")
      .option("-y, --yes", "with --links, do not ask first");
  },
  parse({ flags }) {
    const { overlap = "90d" } = flags;
    const [links, yes] = [flags.links === true, flags.yes === true];
    if (!links && flags.overlap !== undefined) {
      throw new UsageError(
        "--overlap is for --links; tokens of an older signing key are valid for 900 s at most",
      );
    }
    return { links, overlapSeconds: parseOverlap(String(overlap)), overlap: String(overlap), yes };
  },
  async run({ links, overlapSeconds, overlap, yes }, { context, connect, print }) {
    if (links) {
      if (!yes) {
        const question = `End all links to people's pages ${
          overlapSeconds ? `in ${overlap}` : "now"
        }?`;
        await askFirst(question, context);
      }
      const body = { overlapSeconds };
      const rotated = await (await connect()).call("rotateLinkKey", { body });
      return print({
        json: rotated,
        text: () =>
          "Letters, lists and pages have new links from now on. " +
          `Links from before open until ${rotated.oldLinksUntil}.\n`,
      });
    }
    const rotation = await (await connect()).call("rotateKeys", {});
    const { outcome, keyId, signsFrom } = rotation;
    const underWay = outcome === "under_way" ? "A rotation is already under way. " : "";
    return print({
      json: rotation,
      text: () =>
        `${underWay}Key ${keyId} signs from ${signsFrom} on. ` +
        "Tokens of the key before it stay valid until they expire.\n",
    });
  },
});
