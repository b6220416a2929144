/**
 * How often clients may call the steps of a login. A holder is an address, or the pages that are viewed there (LoginCaller).
 */
export const loginLimits = {
  windowMs: 15 * 60_000,
  /** Calls of one holder in a window, for steps without a limit of their own. One address may be a whole office. */
  calls: 300,
  /** Renewals of one login: forges give tokens for two hours. */
  renewals: 30,
  /** Renewals with one refresh token that the forge refuses; they do not count for the login, which may have another. */
  refused: 5,
  /** Renewals of all logins of one holder, who can begin as many logins as they may make calls. */
  renewalsOfHolder: 3_000,
  /**
   * So many renewals of a login in a window are its first; firstOfHolder of them are let in beyond renewalsOfHolder.
   */
  first: 2,
  firstOfHolder: 3_000,
  /**
   * So many renewals that failed at the forge do not count: without a limit, repeating them would flood a forge that is
   * down.
   */
  givenBack: 3_000,
  /** Most holders that are counted at once, for each kind of limit. */
  holders: 10_000
} as const
