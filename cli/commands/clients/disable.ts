import { defineSwitch } from "../../operator/client_switch.ts";

/** `waitlist clients disable`: gives a client no more tokens. */
export default defineSwitch("disable", {
  examples: [
    ["waitlist clients disable kVx2Qd0nRzM4aTfW", "no new token within 5 s"],
    ["waitlist clients disable kVx2Qd0nRzM4aTfW --json", "the client afterwards"],
    ["waitlist clients list --json | jq '.clients[] | select(.disabled)'", "which ones are"],
  ],
  done: "Disabled: it gets no new token within 5 s; the ones that it has end within 15 min.",
});
