/**
 * `waitlist keys rotate`: makes a new key for access tokens, or a new key for the links to self-service pages.
 *
 * @module
 */
import { askFirst } from "../ask_first.ts";
import { defineCommand, type Session } from "../command.ts";
import { type ExitCode, UsageError } from "../errors.ts";
import { parseOverlap } from "../flag_values.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";

/** The options with `--links`: how to rotate the key of the links to self-service pages. */
interface LinkRotation {
  /** How long older links work, as the user gave it, such as `90d`. */
  overlap: string;
  overlapSeconds: number;
  /** Whether to rotate without asking. */
  yes: boolean;
}

/**
 * With `--links`, the options are a {@linkcode LinkRotation}. Without the flag they are `undefined`, and the command
 * rotates the key that signs access tokens.
 */
export default defineCommand<LinkRotation | undefined, OperatorClient>({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist keys rotate", "a new key signs a minute later; issued tokens stay valid"],
    ["waitlist keys rotate --quiet", "for a timer"],
    ["waitlist keys rotate --links", "older links work for 90 more days; asks first"],
    ["waitlist keys rotate --links --overlap 0s", "older links stop at once; asks first"],
    ["waitlist keys rotate --json", "for programs"],
  ],
  declare: (command) => {
    command
      .option("--links", "rotate the key of the links to self-service pages, not the signing key")
      .option("--overlap <time>", "with --links, how long older links work, up to 90d (90d)")
      .option("-y, --yes", "with --links, do not ask first");
  },
  parse({ flags }) {
    if (flags.links === true) {
      const overlap = String(flags.overlap ?? "90d");
      return { overlap, overlapSeconds: parseOverlap(overlap), yes: flags.yes === true };
    }
    if (flags.overlap === undefined) return undefined;
    throw new UsageError(
      "--overlap works only with --links; leave out --overlap, because access tokens that were signed with an older key " +
        "stay valid without it until they expire",
    );
  },
  run: (linkRotation, session) =>
    linkRotation ? rotateLinkKey(linkRotation, session) : rotateSigningKey(session),
});

/**
 * Makes a new key for the links to self-service pages. Unless `--yes` is given, the user must first confirm that older
 * links will stop working.
 */
async function rotateLinkKey(
  { overlap, overlapSeconds, yes }: LinkRotation,
  { context, connect, print }: Session<OperatorClient>,
): Promise<ExitCode> {
  if (!yes) {
    const when = overlapSeconds ? `in ${overlap}` : "now";
    await askFirst(`End all present links to self-service pages ${when}?`, context);
  }
  const body = { overlapSeconds };
  const rotation = await (await connect()).call("rotateLinkKey", { body });
  return print({
    json: rotation,
    text: () =>
      "E-mails, lists and pages have new links from now on. " +
      `Older links work until ${rotation.oldLinksUntil}.\n`,
  });
}

/** Makes a new key that signs access tokens. */
async function rotateSigningKey({ connect, print }: Session<OperatorClient>): Promise<ExitCode> {
  const rotation = await (await connect()).call("rotateKeys", {});
  const { outcome, keyId, signsFrom } = rotation;
  const underWay = outcome === "under_way" ? "A rotation is already under way. " : "";
  return print({
    json: rotation,
    text: () =>
      `${underWay}Key ${keyId} signs from ${signsFrom} on. ` +
      "Tokens of the older key stay valid until they expire.\n",
  });
}
