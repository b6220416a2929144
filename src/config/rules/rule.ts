import { type Config, entries, type Variable } from '../schema.ts'
import { insteadOfEntries } from '../shown.ts'

/**
 * A combination of variables with which the service must not start. `broken` gets values that are each valid on their
 * own; rules about a variable whose value was already refused are not checked.
 */
export interface Rule {
  variables: readonly Variable[]
  broken: (config: Config) => boolean
  say: string | ((config: Config) => string)
  /**
   * For a file or folder: it is only checked at the start. Later changes to it must not keep secrets from being
   * rotated.
   */
  atStart?: true
}

/**
 * Makes a rule that checks each entry of a comma-separated variable; invalid entries are quoted unless they could be
 * secrets.
 * @param near returns the entry that a wrong one may mean
 * @param hint returns another sentence about a wrong entry
 */
export function entriesRule(
  variable: ListVariable,
  isRight: (entry: string) => boolean,
  say: string,
  near: (entry: string) => string | undefined = () => undefined,
  hint: (entry: string) => string | undefined = () => undefined
): Rule {
  const wrong = (config: Config) => listed(config[variable]).filter(entry => !isRight(entry))
  return {
    variables: [variable],
    broken: config => wrong(config).length > 0,
    say: config => {
      const named = wrong(config)
      if (named.length === 0) return say
      const meant = [...new Set(named.map(near).filter(name => name !== undefined))]
      const hints = [
        ...new Set(named.flatMap(entry => hint(entry) ?? []).map(more => ` ${more}`)),
        ...(meant.length > 0 ? [` ${meant.join(', ')} may be meant.`] : []),
        ...(named.some(entry => /[^,][;\s]/.test(entry)) ? [' Entries are separated by commas.'] : []),
        // As in JSON. An IPv6 address has both brackets.
        ...(named.some(entry => /^\[[^\]]*$|^[^[]*\]$|["']/.test(entry))
          ? [' A list has no brackets or quotation marks.']
          : [])
      ]
      return `${say.slice(0, -1)}${insteadOfEntries(named)}.${hints.join('')}`
    }
  }
}

/**
 * The entries. If there are only commas, the whole value counts as one entry: an empty list would switch off the
 * restriction.
 */
function listed(value: string): string[] {
  const found = entries(value)
  return found.length === 0 && value !== '' ? [value] : found
}

type ListVariable = { [V in Variable]: Config[V] extends string ? V : never }[Variable]
