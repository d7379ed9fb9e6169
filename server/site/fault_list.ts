/** Collects the faults of pages and other content files, from which the warnings of the start are made. @module */

/** Faults, each with the files that have this fault. */
interface FaultList {
  /** Adds a file to the files that have a fault. The fault is one or two sentences. */
  add: (fault: string, file: string) => void;
  /** Returns a message for each fault. The message begins with the files that have the fault. */
  messages: () => string[];
}

/** Makes an empty list of faults. */
export function createFaultList(): FaultList {
  const filesByFault = new Map<string, Set<string>>();
  return {
    add(fault, file) {
      filesByFault.set(fault, (filesByFault.get(fault) ?? new Set()).add(file));
    },
    messages: () =>
      Array.from(filesByFault, ([fault, files]) => `${[...files].join(", ")}: ${fault}`),
  };
}
