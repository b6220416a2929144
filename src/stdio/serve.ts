import type { Readable, Writable } from 'node:stream'
import { Cancellation } from '../base/cancellation.ts'
import type { View } from '../catalog/policy/view.ts'
import { answer } from '../protocol/eras/dispatch.ts'
import { refusalBy, refusalOf } from '../protocol/eras/refusal-name.ts'
import type { Exchange } from '../protocol/exchange/exchange.ts'
import { exchangeOf } from '../protocol/exchange/exchange-of.ts'
import { changedMethod } from '../protocol/exchange/list-changes.ts'
import { closeHeld, type Service } from '../protocol/exchange/service.ts'
import { maxBodyBytes, oversizedBody } from '../protocol/messages/body-refusals.ts'
import { classify, code, errorText, idOf, notificationText } from '../protocol/messages/jsonrpc.ts'
import { readLine } from '../protocol/messages/read-message.ts'
import { failureText, type LoggedRefusal, Refusal } from '../protocol/messages/refusal.ts'
import { unnegotiated } from '../protocol/messages/versions.ts'
import type { Credential } from '../session/credential.ts'
import type { Session } from '../session/store.ts'
import { Backlog, type Turn } from './backlog.ts'
import { Lines } from './lines.ts'
import { Outbox } from './outbox.ts'

/** A client that takes no answer for as long, in milliseconds, is not waited for at the end. */
const PATIENCE_MS = 3_000

/** Requests that cost nothing, or are held open: they wait for none of the others. */
const atOnce: ReadonlySet<string> = new Set(['ping', 'subscriptions/listen'])

const ENDING = 'The server is ending, and has not begun this. Start it again, and ask again.'

export interface StdioOptions {
  readonly service: Service
  /** What is offered at present; it may change. */
  readonly view: () => View
  /** FORGE_PERSONAL_ACCESS_TOKEN, used for every call. */
  readonly token: string
  readonly input: Readable
  readonly output: Writable
  /** Called when the client has gone and its requests are finished. */
  readonly onEnd: () => void
}

/** The service of one local client. */
export interface Stdio {
  /** Uses another token for all later calls. */
  renew(token: string): void
  /**
   * Stops reading, finishes the requests that run, each of which is bounded by its own deadline, refuses those that
   * wait, and waits until the client has taken the answers.
   */
  close(): Promise<void>
}

/**
 * Serves one local client, with one message a line in each direction: the same service and protocol as over HTTP, and
 * the process is the session. Every line is answered, or told why it cannot be, and then the next one is read.
 */
export function serveStdio({ service, view, token, input, output, onEnd }: StdioOptions): Stdio {
  const credentialOf = (token: string): Credential => ({ kind: 'private-token', token })
  let session: Session = {
    credential: credentialOf(token),
    apiUrl: undefined,
    activated: 0,
    version: unnegotiated
  }
  let count = 0
  const lines = new Lines(maxBodyBytes)
  const running = new Set<Promise<void>>()
  const readOn = (): void => {
    if (outbox.hasRoom && !backlog.isFull) input.resume()
  }
  const outbox = new Outbox(output, () => {
    backlog.next()
    readOn()
  })
  const backlog = new Backlog(() => outbox.hasRoom, readOn)

  // Requests of a client that does not read its answers are not read either.
  const send = (message: string): void => {
    if (!outbox.send(`${message}\n`)) input.pause()
  }

  const exchangeFor = (requestId: string): Exchange => {
    // What was begun with a token is served with it, and told without it, though another has come since.
    const { credential } = session
    return exchangeOf(
      {
        get session() {
          return session.credential === credential ? session : { ...session, credential }
        },
        // Calls run concurrently, and each sees at once what another has changed.
        set session(changed) {
          session = { ...changed, credential: session.credential }
        },
        view: view(),
        resumed: false,
        headers: undefined,
        holder: 'stdio',
        sessionKey: 'stdio',
        shared: false,
        warnings: [],
        requestId,
        streams: true
      },
      new Cancellation(),
      send
    )
  }

  /** @returns undefined for what does not wait */
  const turnFor = (message: unknown, bytes: number): Promise<Turn> | undefined => {
    const incoming = classify(message)
    if (incoming.kind === 'notification' && incoming.message.method === 'notifications/cancelled')
      backlog.cancel(incoming.message.params.requestId)
    const waits =
      Array.isArray(message) || (incoming.kind === 'request' && !atOnce.has(incoming.message.method))
    if (!waits) return undefined
    const turn = backlog.turn(idOf(message), bytes)
    if (backlog.isFull) input.pause()
    return turn
  }

  const tell = (refusal: LoggedRefusal | undefined, requestId: string): void => {
    if (refusal !== undefined) service.onRefused(refusal, { requestId, credential: session.credential })
  }

  const fail = (error: unknown, requestId: string): void =>
    error instanceof Refusal ? tell(refusalBy(error), requestId) : service.onFailure(error, requestId)

  const serve = async (line: Buffer | undefined): Promise<void> => {
    const requestId = `stdio-${++count}`
    let message: unknown
    let turn: Turn | undefined
    try {
      if (line === undefined) throw oversizedBody()
      message = readLine(line)
      turn = await turnFor(message, line.length)
      if (turn === 'ending') return send(errorText(idOf(message), code.refused, ENDING))
      if (turn === 'cancelled') return
      const answered = await answer(message, exchangeFor(requestId), service)
      tell(refusalOf(answered, answered.status), requestId)
      if (answered.text !== undefined) send(answered.text)
    } catch (error) {
      fail(error, requestId)
      send(failureText(error, idOf(message), requestId))
    } finally {
      if (turn === 'begin') backlog.done(line!.length)
    }
  }

  const start = (line: Buffer | undefined): void => {
    const done = serve(line).finally(() => running.delete(done))
    running.add(done)
  }

  const take = (chunk: Buffer): void => lines.take(chunk).forEach(start)
  const end = async (): Promise<void> => {
    lines.rest().forEach(start)
    backlog.last()
    await finish()
    onEnd()
  }
  const close = (): Promise<void> => {
    backlog.stop()
    return finish()
  }
  const finish = async (): Promise<void> => {
    input.off('data', take).off('end', end).pause()
    closeHeld(service)
    await Promise.allSettled(running)
    await outbox.taken(PATIENCE_MS)
  }

  // For clients of the 2025 revisions; those of later ones subscribe.
  service.changes.watch(list => {
    if (session.version !== unnegotiated) send(notificationText(changedMethod(list)))
  })
  input.on('error', end).on('end', end).on('data', take)
  const renew = (token: string): void => {
    session = { ...session, credential: credentialOf(token) }
  }
  return { close, renew }
}
