import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { MAX_CALL_SECONDS } from './base/longest-call.ts'
import type { LogStream } from './log/log-stream.ts'
import type { Server } from './server.ts'
import type { Stdio } from './stdio/serve.ts'
import type { StopSignal } from './stop-signals.ts'

/** How long a server may still run, in milliseconds, after its user at a terminal or its stdio client has gone. */
export const LAST_WORDS_MS = 800

/** Ends a service once: when it is told to stop, or after a failure that nothing has caught. */
export class Ending {
  readonly #server: Server
  readonly #log: LogStream
  readonly #grace: ReturnType<typeof closeWithGrace>
  /** The service of the client over stdio, once it is there: its requests are finished first. */
  stdio: Stdio | undefined
  #cause: StopSignal | 'failure' | undefined

  /**
   * Takes over the failures and signals that would end the process, but not SIGTERM and SIGINT.
   * @param log where the server logs to: what it says at the end is waited for
   * @param endsByHangUp whether SIGHUP ends the service
   */
  constructor(server: Server, log: LogStream, endsByHangUp: boolean) {
    this.#server = server
    this.#log = log
    this.#grace = closeWithGrace(
      {
        delay: (server.config.DRAIN_SECONDS + MAX_CALL_SECONDS) * 1000,
        logger: server.log,
        skip: ['SIGTERM', 'SIGINT', 'unhandledRejection', ...(endsByHangUp ? [] : ['SIGHUP' as const])]
      },
      ({ err }) => this.#end(err)
    )
  }

  /** Begins the end, if it has not begun. */
  stop(signal: StopSignal): void {
    if (this.#cause !== undefined) return
    this.#cause = signal
    void this.#grace.close()
  }

  /** Gives back what it has taken over: for a service that does not begin. */
  uninstall(): void {
    this.#grace.uninstall()
  }

  async #end(err: Error | undefined): Promise<void> {
    const { config, log } = this.#server
    if (err !== undefined) {
      this.#cause = 'failure'
      log.fatal({ err }, 'unexpected failure')
    }
    const began = performance.now()
    const isWhole = await this.#leave()
    const seconds = Math.round((performance.now() - began) / 100) / 10
    // Over stdio, the reader of the log has gone, or is about to.
    if (err === undefined && config.STREAMABLE_HTTP)
      log.info({ seconds }, isWhole ? 'ended' : 'ended, and what still ran was cut off')
    await this.#log.written()
  }

  /** Shuts down. @returns whether everything that ran was finished */
  async #leave(): Promise<boolean> {
    const { config, lifecycle } = this.#server
    const close = () => this.#server.close().then(() => true)
    // A person at a terminal waits for the prompt; a replica is taken out of service by SIGTERM.
    if (config.STREAMABLE_HTTP && this.#cause === 'SIGINT')
      return Promise.race([close(), sleep(LAST_WORDS_MS, false)])
    if (config.STREAMABLE_HTTP) await lifecycle.drain()
    else await this.stdio?.close()
    return close()
  }
}
