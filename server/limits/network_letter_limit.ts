/** The limit on the letters to unconfirmed addresses that one client network causes. @module */
import { HOUR, type Runtime } from "../runtime/mod.ts";
import { type ClientAddress, isIpv4 } from "./client_address.ts";

/** The most letters to unconfirmed addresses that are sent in an hour for the calls from one client network. */
const LETTERS_AN_HOUR = 60;

/**
 * How many networks have a count in memory at most. Beyond this number, the network that was added first is deleted.
 */
const MAX_NETWORKS = 100_000;

/** The hour in which the latest letters of a network are sent. This hour is in the future if letters have to wait. */
interface NetworkHour {
  /** The beginning of the hour on the monotonic clock, in milliseconds. */
  startsAt: number;
  /** The number of letters of this hour. */
  letterCount: number;
}

/**
 * Makes the function that counts a letter under the network of a client address, an IPv4 /24 or an IPv6 /48. The
 * function gives how long the letter has to wait, in milliseconds. Each process counts only its own letters, because a
 * shared count would cost a commit for each letter.
 */
export function createNetworkLetterLimit(
  { monotonic }: Pick<Runtime, "monotonic">,
): (address: ClientAddress) => number {
  const networks = new Map<number, NetworkHour>();
  /** The moment at which the counts of past hours are next deleted, in milliseconds of the monotonic clock. */
  let sweepAt = monotonic() + HOUR;

  function deletePastHours(now: number): void {
    for (const [network, { startsAt }] of networks) {
      if (startsAt + HOUR <= now) networks.delete(network);
    }
  }

  return (address) => {
    const now = monotonic();
    if (now >= sweepAt) {
      deletePastHours(now);
      sweepAt = now + HOUR;
    }
    const network = networkOf(address);
    const hour = networks.get(network);
    if (hour === undefined) {
      if (networks.size >= MAX_NETWORKS) networks.delete(networks.keys().next().value!);
      networks.set(network, { startsAt: now, letterCount: 1 });
      return 0;
    }
    if (hour.startsAt + HOUR <= now || hour.letterCount >= LETTERS_AN_HOUR) {
      hour.startsAt = Math.max(now, hour.startsAt + HOUR);
      hour.letterCount = 0;
    }
    hour.letterCount++;
    return Math.max(0, hour.startsAt - now);
  };
}

/**
 * Gives the number of the network of a client address: its first 24 bits for IPv4, and its first 48 bits for IPv6. The
 * numbers of IPv4 networks are negative, so that they differ from those of IPv6 networks.
 */
function networkOf(address: ClientAddress): number {
  const { high, low } = address;
  return isIpv4(address) ? ~(low >>> 8) : high * 0x10000 + (low >>> 16);
}
