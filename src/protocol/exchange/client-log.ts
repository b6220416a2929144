import { isToldOf, type LogLevel } from '../../session/client.ts'
import { notificationText } from '../messages/jsonrpc.ts'

/** Most messages of one call. */
const MAX_MESSAGES = 100

/** Sends the client of a call log messages that a person may want to see, if the client asked for that severity. */
export class ClientLog {
  readonly #wanted: LogLevel
  readonly #notify: (message: string) => void
  readonly #meta: object
  #left = MAX_MESSAGES

  /** @param meta `_meta` or other fields that each message has */
  constructor(wanted: LogLevel, notify: (message: string) => void, meta: object = {}) {
    this.#wanted = wanted
    this.#notify = notify
    this.#meta = meta
  }

  /** @param text one sentence, without a token */
  log(level: LogLevel, text: string): void {
    if (!isToldOf(this.#wanted, level) || this.#left-- <= 0) return
    this.#notify(
      notificationText('notifications/message', {
        ...this.#meta,
        level,
        logger: 'forge-tool-server',
        data: text
      })
    )
  }
}
