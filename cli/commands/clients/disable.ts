import { defineSwitch } from "../../operator/client_switch.ts";

/** `waitlist clients disable`: gives a client no more tokens. */
export default defineSwitch("disable", {
  examples: [
    ["waitlist clients disable kVx2Qd0nRzM4aTfW", "it gets no new token"],
    ["waitlist clients disable kVx2Qd0nRzM4aTfW --json", "the client afterwards"],
    ["waitlist clients list --json | jq '.clients[] | select(.disabled)'", "which ones are"],
  ],
  done: "Disabled: within a second it gets no new token; the ones that it has end within 15 min.",
});
