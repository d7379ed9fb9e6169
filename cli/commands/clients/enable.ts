import { defineSwitch } from "../../operator/client_switch.ts";

/** `waitlist clients enable`: gives a disabled client tokens again. */
export default defineSwitch("enable", {
  examples: [
    ["waitlist clients enable kVx2Qd0nRzM4aTfW", "it gets tokens again"],
    ["waitlist clients enable kVx2Qd0nRzM4aTfW --json", "the client afterwards"],
    ["waitlist clients list", "see which ones are disabled"],
  ],
  done: "Enabled: within a second it gets tokens again.",
});
