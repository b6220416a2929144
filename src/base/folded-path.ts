/**
 * A path of a project or group in the letters by which it is compared: at a forge, the case of ASCII letters does not
 * count, and paths have no others. By Unicode's rules the Kelvin sign would be a k.
 */
export const foldedPath = (path: string): string => path.replace(/[A-Z]+/g, letters => letters.toLowerCase())
