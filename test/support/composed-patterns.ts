/*
 * Regular expressions that are not written as literals: those that code composes from texts, and the patterns of
 * schemas.
 */

export interface Pattern {
  readonly where: string
  /** Written as a literal, with its flags. */
  readonly text: string
}

const literal = (source: string, flags: string): string => `/${source}/${flags}`

/**
 * The regular expressions that our own code composes while `run` runs. Literals and those of dependencies do not count.
 * @param root folder of our code, with a slash at its end
 */
export async function composedIn(root: string, run: () => Promise<void>): Promise<readonly Pattern[]> {
  const found = new Map<string, Pattern>()
  const Real = globalThis.RegExp
  const composed = (made: RegExp): RegExp => {
    const by =
      (new Error().stack ?? '').split('\n').find(line => /:\d+:\d+\)?$/.test(line) && !isHere(line)) ?? ''
    const where = by.split(root)[1]?.replace(/:\d+:\d+\)?$/, '')
    if (where === undefined || where.startsWith('node_modules/')) return made
    const text = literal(made.source, made.flags)
    found.set(text, { where, text })
    return made
  }
  globalThis.RegExp = new Proxy(Real, {
    construct: (target, given) => composed(Reflect.construct(target, given)),
    apply: (target, self, given) => composed(Reflect.apply(target, self, given))
  })
  try {
    await run()
  } finally {
    globalThis.RegExp = Real
  }
  return [...found.values()]
}

const isHere = (line: string): boolean => line.includes(import.meta.url)

/**
 * The patterns in the schemas of rows, at any depth. They have the flag u, as the validator reads them by code points.
 * @param rows of tools
 */
export function ofSchemas(rows: readonly { readonly name: string; readonly input: object }[]): Pattern[] {
  const places = new Map<string, string>()
  const visit = (schema: object, where: string): void => {
    for (const [key, value] of Object.entries(schema))
      if (key === 'pattern' && typeof value === 'string') places.set(value, places.get(value) ?? where)
      else if (typeof value === 'object' && value !== null) visit(value, `${where}.${key}`)
  }
  for (const { name, input } of rows) visit((input as { properties: object }).properties, name)
  return [...places].map(([pattern, where]) => ({ where, text: literal(pattern, 'u') }))
}
