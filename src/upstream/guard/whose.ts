/**
 * Whose an answer is. Its memory and its turns count first for the address of the caller (turnHolderOf), because
 * anybody can have any number of tokens, and may name any number of forges. What an address may use is shared by its
 * holders.
 */
export interface Whose {
  readonly caller: string
  /** As in WorkOwner (fairness/fair-queue.ts). */
  readonly from?: string | undefined
  /**
   * The address of the forge, as given by holderOfAnswer. At the operator's forge, which serves everybody, the caller.
   */
  readonly holder: string
}

/** Whether it comes from the operator's own forge. */
export const isOperators = ({ caller, holder }: Whose): boolean => holder === caller

/**
 * The holder that an answer is counted for: at callers' forges, the address that it comes from. The name of the forge
 * is not enough, because its owner decides what DNS says, and can change it at any time. It may have more addresses
 * than its own, or only those of somebody else's forge.
 * @param whose with the holder that counts if the address is not known
 * @param source as in SentRequest
 */
export const holderOfAnswer = (whose: Omit<Whose, 'from'>, source: string | undefined): string =>
  isOperators(whose) ? whose.caller : (source ?? whose.holder)
