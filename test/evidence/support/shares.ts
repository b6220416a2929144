import type { Operation } from '../../forge/contract.ts'

/** Bytes that the forge sent, and bytes that were shown of them, by tool. */
export class Shares {
  readonly #bytes = new Map<string, { sent: number; shown: number }>()

  add(tool: string, sent: unknown, shown: unknown): void {
    const bytes = this.#bytes.get(tool) ?? { sent: 0, shown: 0 }
    bytes.sent += JSON.stringify(sent).length
    bytes.shown += JSON.stringify(shown).length
    this.#bytes.set(tool, bytes)
  }

  percent(): Map<string, number> {
    return new Map([...this.#bytes].map(([tool, { sent, shown }]) => [tool, Math.ceil((100 * shown) / sent)]))
  }
}

/** Many a recorded record has a handful of fields: of those there is nothing to leave out. */
export function isWhole({ responses }: Operation, body: unknown): boolean {
  const [record] = [body].flat()
  const fields = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].key_fields ?? []
  if (typeof record !== 'object' || record === null) return false
  return fields.length > 0 && 2 * fields.filter(field => field in record).length > fields.length
}

/** Percent of the forge's bytes that a tool is to show at most, by what it does. */
export const mostOf = (tool: string): number | undefined =>
  /^(list|my|mr)_/.test(tool) ? 35 : /^get_/.test(tool) ? 60 : undefined
