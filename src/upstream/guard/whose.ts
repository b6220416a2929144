/** Whose an answer is. */
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

/**
 * The share of memory and of turns that an answer counts in. At the operator's forge each caller has one; at any other,
 * where anybody can make up callers, each address that they come from: who reads much there costs only itself.
 */
export const shareOf = (whose: Whose): string =>
  isOperators(whose) ? whose.caller : `${whose.from ?? whose.caller} at ${whose.holder}`
