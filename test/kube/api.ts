import { Agent, request } from 'undici'

/* As much of a client of the Kubernetes API as the tests need. */

/** An object as it is sent or as it is stored. */
export interface Stored {
  readonly apiVersion: string
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of every kind.
  readonly metadata: { name: string; namespace?: string; [key: string]: any }
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly [key: string]: any
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of every kind.
  readonly body: any
}

interface Sending {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** Of the body; JSON unless told. */
  readonly type?: string
}

/** Where an object lies: /api/v1/namespaces/tools/services/forge without its name, and how its kind is written there. */
interface Kind {
  readonly path: string
  readonly plural: string
  readonly namespaced: boolean
}

export class Api {
  readonly url: string
  readonly #authorization: string
  readonly #dispatcher: Agent
  readonly #kinds = new Map<string, Promise<readonly { kind: string; name: string; namespaced: boolean }[]>>()

  /** @param ca certificate of the server, as PEM */
  constructor(url: string, ca: string, token: string) {
    this.url = url
    this.#authorization = `Bearer ${token}`
    this.#dispatcher = new Agent({ connect: { ca } })
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy()
  }

  /** Sends as it is; answers of any status are returned. */
  async send(
    path: string,
    { method = 'GET', body, type = 'application/json' }: Sending = {}
  ): Promise<Answer> {
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.#dispatcher,
      method,
      headers: { authorization: this.#authorization, 'content-type': type },
      body: body === undefined ? null : JSON.stringify(body)
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, body: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }

  /** @throws Error with what the server said, unless it did as it was asked */
  async must(path: string, sending: Sending = {}): Promise<Answer['body']> {
    const { status, body } = await this.send(path, sending)
    if (status < 300) return body
    throw new Error(`${sending.method ?? 'GET'} ${path}: ${status} ${body.message ?? JSON.stringify(body)}`)
  }

  /** Server-side apply; strict, so that a field that the server does not know is an error. */
  async apply(object: Stored, dryRun = false): Promise<Answer> {
    const place = await this.pathOf(object)
    const query = `fieldManager=test&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
    return this.send(`${place}/${object.metadata.name}?${query}`, {
      method: 'PATCH',
      body: object,
      type: 'application/apply-patch+yaml'
    })
  }

  /** Makes an object. @throws as must */
  async create(object: Stored): Promise<Answer['body']> {
    return this.must(await this.pathOf(object), { method: 'POST', body: object })
  }

  /** Objects of a core or other kind in a namespace: list('apps/v1', 'Deployment', 'tools'). */
  async list(apiVersion: string, kind: string, namespace: string): Promise<Stored[]> {
    const path = await this.pathOf({ apiVersion, kind, metadata: { name: '', namespace } })
    const { items } = await this.must(path)
    return items
  }

  /** @throws Error when the server has no such kind */
  async pathOf({ apiVersion, kind, metadata }: Stored): Promise<string> {
    const { path, plural, namespaced } = await this.#kindOf(apiVersion, kind)
    return namespaced
      ? `${path}/namespaces/${metadata.namespace ?? 'default'}/${plural}`
      : `${path}/${plural}`
  }

  async #kindOf(apiVersion: string, kind: string): Promise<Kind> {
    const path = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    // What a definition brings comes later, so a failure is not kept.
    let found = this.#kinds.get(path)
    if (found === undefined) {
      found = this.must(path).then(({ resources }) => resources)
      this.#kinds.set(path, found)
      found.catch(() => this.#kinds.delete(path))
    }
    const resource = (await found).find(({ kind: its, name }) => its === kind && !name.includes('/'))
    if (resource === undefined) throw new Error(`no kind ${kind} in ${apiVersion}`)
    return { path, plural: resource.name, namespaced: resource.namespaced }
  }
}
