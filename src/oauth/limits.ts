/** What clients may ask in a login's steps. */
export const loginLimits = {
  windowMs: 15 * 60_000,
  /** Calls of one address in a window, of a step that names no limit of its own. One address may be a whole office. */
  calls: 300,
  /** Renewals of one login: forges give tokens for two hours. */
  renewals: 30,
  /** Renewals of all logins of one address, which begins as many as it may call. */
  renewalsOfAddress: 3_000,
  /** Client addresses whose calls are counted at once. */
  addresses: 10_000
} as const
