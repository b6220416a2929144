/** Headers of answers that are one caller's, or an error's: nobody keeps them, and no browser guesses what they are. */
export const unkept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
