import { defineCommand } from "../command.ts";
import { OPERATOR } from "../operator/client.ts";

/** `waitlist keys rotate`: makes a new key that signs access tokens. */
export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist keys rotate", "a new key signs a minute later; no token is refused"],
    ["waitlist keys rotate --quiet", "for a timer"],
    ["waitlist keys rotate --json", "for programs"],
  ],
  parse: () => undefined,
  async run(_options, { connect, print }) {
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
