/** The first text that a list has twice. Each is looked at once: they may be as many and as long as a call has room for. */
export function firstTwice(texts: readonly string[]): string | undefined {
  const met = new Set<string>()
  return texts.find(text => met.size === met.add(text).size)
}
