/**
 * Whose an answer is. Its memory and its turns count first for the address of the caller (turnHolderOf), as anybody has
 * any number of tokens, and may name any number of forges; what counts for an address is shared by its holders.
 */
export interface Whose {
  readonly caller: string
  /** As in the Owner of a piece of work. */
  readonly from?: string | undefined
  /** The address of the forge, as given by holderOfAnswer; at the operator's, which serves everybody, the caller. */
  readonly holder: string
}

/** Whether it comes from the operator's own forge. */
export const isOperators = ({ caller, holder }: Whose): boolean => holder === caller

/**
 * The holder that an answer is counted for: for callers' forges, the address that it comes from. The name is not
 * enough, as its owner decides what DNS says, and can change it at any time: more addresses besides its own, or only
 * those of somebody else's forge.
 * @param whose with the holder if the address is not known
 * @param source as in Flight
 */
export const holderOfAnswer = (whose: Omit<Whose, 'from'>, source: string | undefined): string =>
  isOperators(whose) ? whose.caller : (source ?? whose.holder)
