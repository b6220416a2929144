import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { listen } from './listen.ts'

/** A span as a collector receives it, with its attributes as a record. */
export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  /** Kind of the span: 2 is SERVER, 3 is CLIENT. */
  kind: number
  attributes: Record<string, unknown>
  links?: { traceId: string; spanId: string }[]
  /** Code 2 is ERROR. */
  status: { code?: number }
}

interface Collector {
  readonly origin: string
  /** Path and headers of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Everything that was posted, unchanged. */
  text(): string
  spans(): CollectedSpan[]
  /** Attributes of the resource that sent the spans. */
  resource(): Record<string, unknown>
}

interface KeyValue {
  key: string
  value: Record<string, unknown>
}

interface Posted {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: KeyValue[] })[] }[]
  }[]
}

const recordOf = (pairs: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))

const accept = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

/**
 * A collector on loopback that keeps what it receives by OTLP/HTTP in JSON.
 * @param answer answers each post; by default it accepts the post
 */
export async function startCollector(
  t: Test,
  answer: (response: ServerResponse) => void = accept
): Promise<Collector> {
  const texts: string[] = []
  const requests: Collector['requests'] = []
  const posted = () => texts.flatMap(text => (JSON.parse(text) as Posted).resourceSpans)
  const origin = await listen(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ path: request.url ?? '', headers: request.headers })
    texts.push(Buffer.concat(chunks).toString())
    answer(response)
  })
  return {
    origin,
    requests,
    text: () => texts.join('\n'),
    spans: () =>
      posted()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(span => ({ ...span, attributes: recordOf(span.attributes) })),
    resource: () => recordOf(posted()[0]?.resource.attributes ?? [])
  }
}
