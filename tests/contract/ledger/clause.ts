/** One requirement on the service, and how it is met. */
export type Clause =
  & {
    /** Where it stands: `contract, "Heading"`, or an RFC's section, with the strength of its word. */
    source: string;
    requirement: string;
  }
  & (
    /** The tests that hold the service to it, by name. */
    | { tests: [string, ...string[]] }
    /** Why the service does otherwise. */
    | { deviates: string }
    /** Why the case that the requirement is about cannot come up. */
    | { neverArises: string }
  );
