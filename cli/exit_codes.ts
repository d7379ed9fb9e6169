/** What the exit code of every command says. */
export const EXIT = {
  /** Done, and every check holds. */
  fine: 0,
  /** A check failed, or the service answered what it should not. */
  failedCheck: 1,
  /** The command line, a setting or the given data is wrong, or something needed was not given. */
  usage: 2,
  /** No answer, or only half of one: name, network, TLS, time-out. */
  cannotConnect: 3,
  /** The credentials or the token were not accepted, or lack the scope. */
  notAuthorised: 4,
  /** The limit of requests is used up. */
  limited: 5,
  /** The service does not have what was asked for, such as an address or a client. */
  notFound: 6,
} as const;

/** An exit code of this program. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
