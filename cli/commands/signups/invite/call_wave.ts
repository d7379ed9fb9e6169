import type {
  InvitationRequest,
  InvitedSignup,
  NotInvited,
  WouldInvite,
} from "../../../../shared/operator_schemas.ts";
import { isObject } from "../../../../shared/schemas.ts";
import { checkedLines } from "../../../operator/checked_lines.ts";
import { cutError, isCut } from "../../../operator/lines.ts";
import { shareOf, type Work } from "../../../operator/progress.ts";

/** What came of a wave. */
export interface WaveOutcome {
  wave: string;
  /** The people that the wave has invited, in this call and in earlier ones. */
  invited: number;
  notInvited: NotInvited["notInvited"][];
  /** The people whom a dry run would invite. */
  wouldInvite: WouldInvite["wouldInvite"][];
}

/**
 * Calls a wave, shows its progress, and gives its outcome.
 *
 * @param onPerson takes each person in the wave
 * @throws {CliError} whose message names the wave, where the answer is cut
 */
export async function callWave(
  body: InvitationRequest,
  { client, progress }: Work,
  onPerson?: (person: InvitedSignup) => Promise<void> | undefined,
): Promise<WaveOutcome> {
  const { wave, next, emails, dryRun } = body;
  const notInvited: WaveOutcome["notInvited"] = [];
  const wouldInvite: WaveOutcome["wouldInvite"] = [];
  try {
    for await (const value of checkedLines("inviteSignups", { body }, { client })) {
      if (value.complete === true) {
        return { wave, invited: Number(value.invited), notInvited, wouldInvite };
      }
      if (typeof value.email === "string") await onPerson?.(value as InvitedSignup);
      else if (isObject(value.notInvited)) {
        notInvited.push(value.notInvited as NotInvited["notInvited"]);
      } else if (isObject(value.wouldInvite)) {
        wouldInvite.push(value.wouldInvite as WouldInvite["wouldInvite"]);
      } else {
        const invited = Number(value.progress);
        const state = `${invited.toLocaleString("en")} invited`;
        progress.show(state, shareOf(invited, next ?? emails?.length));
      }
    }
    throw cutError("The answer ended before the wave was complete");
  } catch (error) {
    if (!isCut(error) || dryRun) throw error;
    throw cutError(`${error.message}; go on with --wave ${wave}`);
  }
}
