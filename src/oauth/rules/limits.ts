/**
 * How often clients may call the steps of a login. A holder is an address, or the pages that are open at that address
 * (LoginCaller).
 */
export const loginLimits = {
  windowMs: 15 * 60_000,
  /** Calls of one holder in a window, for each step without a limit of its own. One address may be a whole office. */
  calls: 300,
  /** Renewals of one login in a window: forges issue tokens that are valid for two hours. */
  renewals: 30,
  /**
   * Renewals with one refresh token that the forge refuses. They do not count for the login, which may have another
   * token.
   */
  refused: 5,
  /** Renewals of all logins of one holder, who can begin as many logins as `calls` allows. */
  renewalsOfHolder: 3_000,
  /**
   * How many renewals of a login count as its first ones in a window. Beyond renewalsOfHolder, `firstOfHolder` of these
   * are still accepted.
   */
  first: 2,
  firstOfHolder: 3_000,
  /**
   * How many renewals that failed at the forge do not count. Without this limit, repeating them would flood a forge
   * that is down.
   */
  givenBack: 3_000,
  /** Most holders that are counted at once, for each kind of limit. */
  holders: 10_000
} as const
