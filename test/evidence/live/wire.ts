import { Agent, type Dispatcher } from 'undici'
import { type Operation, operations } from '../../forge/contract.ts'
import { finder, keyOf } from '../support/surface.ts'

/** What was seen of one operation: how its answers differ from what the contract says of them. */
interface Seen {
  statuses: Set<number>
  /** Fields of the records that the contract does not name. */
  unknown: Set<string>
  /** Fields that it names and that no record had. */
  missing: Set<string>
}

/** Connections on which every JSON answer is held against the contract. */
export class Wire {
  readonly seen = new Map<string, Seen>()
  readonly #agent = new Agent()
  readonly #find = finder(new Map(operations.map(each => [keyOf(each.method, each.path), each])))
  readonly dispatcher: Dispatcher = this.#agent.compose(dispatch => (options, handler) => {
    const chunks: Buffer[] = []
    let status = 0
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (controller, code, ...rest) => {
        status = code
        handler.onResponseStart?.(controller, code, ...rest)
      },
      onResponseData: (controller, chunk) => {
        chunks.push(chunk)
        handler.onResponseData?.(controller, chunk)
      },
      onResponseEnd: (controller, trailers) => {
        this.#note(String(options.method), String(options.path), status, Buffer.concat(chunks).toString())
        handler.onResponseEnd?.(controller, trailers)
      },
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error)
    })
  })

  #note(method: string, path: string, status: number, text: string): void {
    const [key = `${method} ${path}`, operation] =
      this.#find(method, path.replace(/^.*(?=\/api\/v4\/)/, '')) ?? []
    const seen = this.seen.get(key) ?? { statuses: new Set(), unknown: new Set(), missing: new Set() }
    this.seen.set(key, seen)
    seen.statuses.add(status)
    if (operation !== undefined && status < 300 && /^[[{]/.test(text))
      compare(operation, JSON.parse(text), seen)
  }

  /** In words, over all that was seen. */
  differences(): string {
    return [...this.seen]
      .flatMap(([key, { unknown, missing }]) => [
        ...(unknown.size > 0 ? [`${key} also has ${[...unknown].join(', ')}`] : []),
        ...(missing.size > 0 ? [`${key} lacks ${[...missing].join(', ')}`] : [])
      ])
      .join('; ')
  }

  close(): Promise<void> {
    return this.#agent.close()
  }
}

function compare({ responses }: Operation, answer: unknown, seen: Seen): void {
  const declared = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].key_fields ?? []
  const records = [answer]
    .flat()
    .filter((record): record is object => typeof record === 'object' && record !== null)
  if (declared.length === 0 || records.length === 0) return
  const fields = new Set(records.flatMap(record => Object.keys(record)))
  for (const field of fields) if (!declared.includes(field)) seen.unknown.add(field)
  for (const field of declared) if (!fields.has(field)) seen.missing.add(field)
}
