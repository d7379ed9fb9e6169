/** The limit on letters to unconfirmed addresses that one client network causes. @module */
import { HOUR, type Runtime } from "../runtime/mod.ts";
import type { ClientAddress } from "./window_counts.ts";

/** The letters to unconfirmed addresses that one client network causes in an hour. */
const LETTERS_AN_HOUR = 60;

/** The most networks that are counted; beyond it, the one that was counted first is forgotten. */
const MAX_NETWORKS = 100_000;

/** The hour in which the latest letters of a network are sent, and how many they are. */
interface NetworkHour {
  /** Monotonic milliseconds; the hour is ahead where letters wait for it. */
  from: number;
  letters: number;
}

/**
 * Makes the function that counts a letter of a client address's network, an IPv4 /24 or an IPv6 /48, and gives how
 * long the letter waits, in milliseconds. Only this process counts, and only in memory.
 */
export function createNetworkLetterLimit(
  { monotonic }: Pick<Runtime, "monotonic">,
): (address: ClientAddress) => number {
  const networks = new Map<number, NetworkHour>();
  let sweepAt = monotonic() + HOUR;
  return (address) => {
    const now = monotonic();
    if (now >= sweepAt) {
      for (const [network, { from }] of networks) if (from + HOUR <= now) networks.delete(network);
      sweepAt = now + HOUR;
    }
    const network = networkOf(address);
    const hour = networks.get(network) ?? { from: now, letters: 0 };
    if (hour.letters === 0) {
      if (networks.size >= MAX_NETWORKS) networks.delete(networks.keys().next().value!);
      networks.set(network, hour);
    } else if (hour.from + HOUR <= now || hour.letters >= LETTERS_AN_HOUR) {
      hour.from = Math.max(now, hour.from + HOUR);
      hour.letters = 0;
    }
    hour.letters++;
    return Math.max(0, hour.from - now);
  };
}

/** See `ipv4Address()` and `ipv6Network()` for the two forms of an address; only IPv4 networks are below zero. */
function networkOf({ high, low }: ClientAddress): number {
  return high === 0xffff ? ~(low >>> 8) : high * 0x10000 + (low >>> 16);
}
