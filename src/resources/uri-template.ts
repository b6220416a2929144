import type { Variables } from './row.ts'

/*
 * The part of RFC 6570 that resources need: `{name}`, where everything except unreserved characters is percent-encoded,
 * and `{+name}` at the end, where slashes are kept.
 */

export interface UriTemplate {
  /** Names, in the order of the template. */
  readonly variables: readonly string[]
  /** Matches a URI. @returns its variables; undefined if it does not match, or has a malformed escape */
  match(uri: string): Variables | undefined
  /** Makes a URI. @param values one for each variable */
  expand(values: Readonly<Record<string, unknown>>): string
}

/** Parses a template. @throws Error for a template that uses anything else */
export function uriTemplate(source: string): UriTemplate {
  const variables: string[] = []
  const pattern = source.replace(/\{(\+?)(\w+)\}|[^{]+|\{/g, (part, rest?: string, name?: string) => {
    if (part === '{') throw new Error(`"${source}" is not a URI template`)
    if (name === undefined) return part.replace(/[.*+?^$()[\]|\\]/g, '\\$&')
    variables.push(name)
    return rest === '+' ? '(.+)' : '([^/?#]+)'
  })
  if (/\{\+\w+\}./.test(source)) throw new Error(`"${source}" has {+…} before its end`)
  const form = new RegExp(`^${pattern}$`, 's')
  return {
    variables,
    match(uri) {
      const values = form.exec(uri)?.slice(1).map(decoded)
      if (values === undefined || values.includes(undefined)) return undefined
      return Object.fromEntries(variables.map((name, at) => [name, values[at]!]))
    },
    expand: values =>
      source.replace(/\{(\+?)(\w+)\}/g, (_, rest: string, name: string) => {
        const value = encoded(String(values[name]))
        return rest === '+' ? value.replaceAll('%2F', '/') : value
      })
  }
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
