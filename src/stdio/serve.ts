import type { Readable, Writable } from 'node:stream'
import type { View } from '../catalog/policy/view.ts'
import { changedMethod } from '../protocol/exchange/list-changes.ts'
import { closeHeld, type Service } from '../protocol/exchange/service.ts'
import { maxBodyBytes } from '../protocol/messages/body-refusals.ts'
import { notificationText } from '../protocol/messages/jsonrpc.ts'
import { LineAnswers } from './line-answers.ts'
import { Lines } from './lines.ts'
import { ProcessSession } from './process-session.ts'

interface StdioOptions {
  readonly service: Service
  /** Returns what is offered at present, which may change. */
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
   * Stops reading, finishes the running requests, each of which has a deadline of its own, refuses the waiting ones,
   * and waits until the client has taken the answers.
   */
  close(): Promise<void>
}

/**
 * Serves one local client, with one message per line in each direction. Service and protocol are the same as over HTTP,
 * and the process stands for the session. Every line gets an answer, or an error that says why it cannot be answered,
 * and then the next line is read.
 */
export function serveStdio({ service, view, token, input, output, onEnd }: StdioOptions): Stdio {
  const session = new ProcessSession(view, token)
  const lines = new Lines(maxBodyBytes)
  const answers = new LineAnswers(service, session, input, output)
  const begin = (line: Buffer | undefined): void => answers.begin(line)

  const take = (chunk: Buffer): void => lines.take(chunk).forEach(begin)
  const end = async (): Promise<void> => {
    lines.rest().forEach(begin)
    answers.last()
    await finish()
    onEnd()
  }
  const finish = async (): Promise<void> => {
    input.off('data', take).off('end', end).pause()
    closeHeld(service)
    await answers.taken()
  }

  // For clients of the initialize era; clients of later revisions subscribe.
  service.changes.watch(list => {
    if (session.isNegotiated) answers.send(notificationText(changedMethod(list)))
  })
  input.on('error', end).on('end', end).on('data', take)
  return {
    renew: token => session.renew(token),
    close() {
      answers.refuseWaiting()
      return finish()
    }
  }
}
