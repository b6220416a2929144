/** What clients may ask in a login's steps. Who asks is an address, or the pages that are looked at there (Asker). */
export const loginLimits = {
  windowMs: 15 * 60_000,
  /** Calls of one who asks in a window, of a step that names no limit of its own. One address may be a whole office. */
  calls: 300,
  /** Renewals of one login: forges give tokens for two hours. */
  renewals: 30,
  /** As how many one counts whose token the forge refuses. */
  refused: 6,
  /** Renewals of all logins that one asks for, who begins as many as they may call. */
  renewalsOfHolder: 3_000,
  /** So many of a login in a window are its first, and so many of these are let in beyond the others. */
  first: 2,
  firstOfHolder: 3_000,
  /**
   * So many that came to nothing at the forge do not count: renewed on and on, they would be a storm on a forge that is
   * down.
   */
  givenBack: 3_000,
  /** Those who are counted at once, of each kind. */
  holders: 10_000
} as const
