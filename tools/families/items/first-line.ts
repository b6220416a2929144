/** The first line of a text that is too long for a name. */
export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.trim()
