/**
 * The first text that occurs twice in a list. Each text is visited only once: a call may contain many and long ones.
 */
export function firstTwice(texts: readonly string[]): string | undefined {
  const met = new Set<string>()
  return texts.find(text => met.size === met.add(text).size)
}
