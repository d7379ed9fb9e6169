import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { KEY_ROTATION } from "../../operator/shapes.ts";

/** `waitlist keys rotate`: a new key that signs access tokens. */
export default defineOperatorCommand({
  examples: [
    ["waitlist keys rotate", "a new key signs a minute later; no token is refused"],
    ["waitlist keys rotate --quiet", "for a timer"],
    ["waitlist keys rotate --json", "for programs"],
  ],
  parse: () => undefined,
  async run(_options, { settings, context: { stdout }, connect }) {
    const { http, read } = await connect();
    const rotation = await read(KEY_ROTATION, http.POST("/operator/v1/keys/rotate"));
    if (settings.json) stdout.write(`${JSON.stringify(rotation, null, 2)}\n`);
    else if (!settings.quiet) {
      const underWay = rotation.outcome === "under_way" ? "A rotation is already under way. " : "";
      stdout.write(
        `${underWay}Key ${rotation.keyId} signs from ${rotation.signsFrom} on. ` +
          "Tokens of the key before it stay valid until they expire.\n",
      );
    }
    return EXIT.fine;
  },
});
