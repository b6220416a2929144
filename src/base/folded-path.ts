/**
 * The form in which paths of projects and groups are compared. A forge ignores the case of ASCII letters, and paths
 * have no other letters. By Unicode's rules, the Kelvin sign would become a k.
 */
export const foldedPath = (path: string): string => path.replace(/[A-Z]+/g, letters => letters.toLowerCase())
