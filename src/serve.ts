import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { toolNames } from './app.ts'
import { LONGEST_CALL_SECONDS } from './base/longest-call.ts'
import { ConfigError } from './config/config-error.ts'
import { readEnvironment } from './config/environment.ts'
import type { Settings } from './config/load.ts'
import { loadSettings } from './config/secret-files.ts'
import { startLog } from './log/log.ts'
import { logStream } from './log/log-stream.ts'
import { listen, serverWith } from './server.ts'
import { startWords } from './start-words.ts'
import { answerPipedIn, answerUnheard } from './stdio/piped-in.ts'
import type { Stdio } from './stdio/serve.ts'
import { onStopSignals, type StopSignal } from './stop-signals.ts'

/** How long a server may still run, in milliseconds, after its user at a terminal or its stdio client has gone. */
const LAST_WORDS_MS = 800

/**
 * Serves until a signal or the stdio client ends it.
 * @param flags variables of the command line
 * @param problems what was wrong with it
 * @param onSignalsTaken called once the server handles signals itself
 * @throws ConfigError, and whatever keeps it from listening
 */
export async function serve(
  flags: Settings,
  problems: readonly string[],
  onSignalsTaken: () => void
): Promise<void> {
  const { given, unread, ...read } = await readEnvironment(process.env, flags)
  const found = [...problems, ...read.problems]
  const loaded = await loadSettings(given, { problems: found, tools: toolNames }).catch(error => {
    throw error instanceof ConfigError ? new ConfigError([...error.problems, ...unread]) : error
  })
  const { STREAMABLE_HTTP } = loaded.config
  const log = logStream(STREAMABLE_HTTP ? 1 : 2)
  process.once('exit', () => log.flushSync())
  const fastify = await serverWith(loaded, log)
  process.prependOnceListener('exit', () => fastify.toolCalls.cut())
  const { DRAIN_SECONDS, FORGE_PERSONAL_ACCESS_TOKEN } = fastify.config
  let stdio: Stdio | undefined
  let ends: StopSignal | 'failure' | undefined
  const close = () => fastify.close().then(() => true)
  /** Shuts down. @returns whether everything that ran was finished */
  const leave = async (cause: typeof ends): Promise<boolean> => {
    // A person at a terminal waits for the prompt; a replica is taken out of service by SIGTERM.
    if (STREAMABLE_HTTP && cause === 'SIGINT') return Promise.race([close(), sleep(LAST_WORDS_MS, false)])
    if (STREAMABLE_HTTP) await fastify.lifecycle.drain()
    else await stdio?.close()
    return close()
  }
  // Before the first handler is removed: a signal that came while modules were loaded still waits for a handler. And
  // before the first request is let in, which a signal would otherwise cut off.
  // SIGHUP also comes when a terminal is closed, and from a client of stdio: in these cases it ends the service.
  const rereads = STREAMABLE_HTTP && !process.stdin.isTTY
  if (rereads) process.on('SIGHUP', () => void fastify.readSettingsAgain())
  // A mistake in the code of one call must not end what everybody uses; what it left half done belongs to that call.
  const mistakes = fastify.sampledLog('error', { kind: 'name', more: 'more unhandled rejections' })
  process.on('unhandledRejection', thrown => {
    fastify.metrics.faults.count()
    const err = thrown instanceof Error ? thrown : new Error(inspect(thrown))
    mistakes.add(err.name, 'unhandled rejection', () => ({ err }))
  })
  const grace = closeWithGrace(
    {
      delay: (DRAIN_SECONDS + LONGEST_CALL_SECONDS) * 1000,
      logger: fastify.log,
      skip: ['SIGTERM', 'SIGINT', 'unhandledRejection', ...(rereads ? ['SIGHUP' as const] : [])]
    },
    async ({ err }) => {
      if (err !== undefined) {
        ends = 'failure'
        fastify.log.fatal({ err }, 'unexpected failure')
      }
      const began = performance.now()
      const isWhole = await leave(ends)
      const seconds = Math.round((performance.now() - began) / 100) / 10
      // Over stdio, the reader of the log has gone, or is about to.
      if (err === undefined && STREAMABLE_HTTP)
        fastify.log.info({ seconds }, isWhole ? 'ended' : 'ended, and what still ran was cut off')
      await log.written()
    }
  )
  const stop = (signal: StopSignal) => {
    if (ends !== undefined) return
    ends = signal
    void grace.close()
  }
  onStopSignals(process, {
    stop,
    insist(signal) {
      fastify.log.error(`second ${signal}, exiting`)
      process.exit(1)
    },
    now: () => performance.now()
  })
  onSignalsTaken()
  // Before it listens: if the port is taken, the cause may be a misspelt variable that nobody reads.
  const sayer = startLog(fastify.log, loaded.config)
  for (const note of [...unread, ...read.notes]) sayer.warn(note)
  let address = 'stdio'
  if (STREAMABLE_HTTP) {
    address = await listen(fastify).catch(async error => {
      grace.uninstall()
      // What is already open, such as METRICS_PORT, would keep a process alive that serves nothing.
      await fastify.close()
      await answerUnheard(process.stdin, process.stdout, (error as Error).message)
      throw error
    })
    // Not before it listens: what a client asks until then is answered with the reason if it cannot. When its client has
    // gone it ends, or else it would hold its port for ever, and for nobody.
    answerPipedIn(process.stdin, process.stdout, process.stderr).then(() => stop('SIGINT'))
  } else {
    const { serveStdio } = await import('./stdio/serve.ts')
    stdio = serveStdio({
      service: fastify.mcp,
      view: fastify.baseView,
      token: FORGE_PERSONAL_ACCESS_TOKEN,
      input: process.stdin,
      output: process.stdout,
      onEnd: () => {
        const end = () => void setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
        fastify.close().then(end, end)
      }
    })
    fastify.onNewSettings({
      variables: ['FORGE_PERSONAL_ACCESS_TOKEN'],
      use: config => stdio?.renew(config.FORGE_PERSONAL_ACCESS_TOKEN)
    })
  }
  const { says, facts } = startWords(fastify, address)
  sayer.info(facts, says)
}
