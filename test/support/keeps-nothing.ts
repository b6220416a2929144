/** A reader of a stream that keeps nothing. */
export const keepsNothing = { heldBytes: 0 }
