import { inspect } from 'node:util'
import { toolNames } from './app.ts'
import { ConfigError } from './config/config-error.ts'
import { readEnvironment } from './config/environment.ts'
import type { Settings } from './config/load.ts'
import { type Loaded, loadSettings } from './config/secret-files.ts'
import { Ending, LAST_WORDS_MS } from './ending.ts'
import { startLog } from './log/log.ts'
import { logStream } from './log/log-stream.ts'
import { listen, type Server, serverWith } from './server.ts'
import { startWords } from './start-words.ts'
import { answerPipedIn, answerUnheard } from './stdio/piped-in.ts'
import type { Stdio } from './stdio/serve.ts'
import { onStopSignals } from './stop-signals.ts'

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
  const { loaded, notes } = await settingsOf(flags, problems)
  const { STREAMABLE_HTTP } = loaded.config
  const log = logStream(STREAMABLE_HTTP ? 1 : 2)
  process.once('exit', () => log.flushSync())
  const fastify = await serverWith(loaded, log)
  process.prependOnceListener('exit', () => fastify.toolCalls.cut())
  // Before the first handler is removed: a signal that came while modules were loaded still waits for a handler. And
  // before the first request is let in, which a signal would otherwise cut off.
  // SIGHUP also comes when a terminal is closed, and from a client of stdio: in these cases it ends the service.
  const rereads = STREAMABLE_HTTP && !process.stdin.isTTY
  if (rereads) process.on('SIGHUP', () => void fastify.readSettingsAgain())
  outliveRejections(fastify)
  const ending = new Ending(fastify, log, !rereads)
  onStopSignals(process, {
    stop: signal => ending.stop(signal),
    insist(signal) {
      fastify.log.error(`second ${signal}, exiting`)
      process.exit(1)
    },
    now: () => performance.now()
  })
  onSignalsTaken()
  // Before it listens: if the port is taken, the cause may be a misspelt variable that nobody reads.
  const sayer = startLog(fastify.log, loaded.config)
  for (const note of notes) sayer.warn(note)
  let address = 'stdio'
  if (STREAMABLE_HTTP) address = await listenUntil(ending, fastify)
  else ending.stdio = await serveClient(fastify)
  const { says, facts } = startWords(fastify, address)
  sayer.info(facts, says)
}

/**
 * Reads the settings of the environment, its files and the command line.
 * @returns them, and what is to be said of the variables; what is to be said of their values is among what was loaded
 * @throws ConfigError, for all problems with them at once
 */
async function settingsOf(
  flags: Settings,
  problems: readonly string[]
): Promise<{ loaded: Loaded; notes: readonly string[] }> {
  const { given, unread, ...read } = await readEnvironment(process.env, flags)
  const found = [...problems, ...read.problems]
  const loaded = await loadSettings(given, { problems: found, tools: toolNames }).catch(error => {
    throw error instanceof ConfigError ? new ConfigError([...error.problems, ...unread]) : error
  })
  return { loaded, notes: [...unread, ...read.notes] }
}

/**
 * Logs and counts rejections that nobody handles. A mistake in the code of one call must not end what everybody uses;
 * what it left half done belongs to that call.
 */
function outliveRejections(fastify: Server): void {
  const mistakes = fastify.sampledLog('error', { kind: 'name', more: 'more unhandled rejections' })
  process.on('unhandledRejection', thrown => {
    fastify.metrics.faults.count()
    const err = thrown instanceof Error ? thrown : new Error(inspect(thrown))
    mistakes.add(err.name, 'unhandled rejection', () => ({ err }))
  })
}

/** Listens, until a client that has started it with pipes has gone. @returns the address @throws as `listen` */
async function listenUntil(ending: Ending, fastify: Server): Promise<string> {
  const address = await listen(fastify).catch(async error => {
    ending.uninstall()
    // What is already open, such as METRICS_PORT, would keep a process alive that serves nothing.
    await fastify.close()
    await answerUnheard(process.stdin, process.stdout, (error as Error).message)
    throw error
  })
  // Not before it listens: what a client asks until then is answered with the reason if it cannot. When its client has
  // gone it ends, or else it would hold its port for ever, and for nobody.
  answerPipedIn(process.stdin, process.stdout, process.stderr).then(() => ending.stop('SIGINT'))
  return address
}

/** Serves the client at the standard input and output, with the token that is set, also when it is replaced. */
async function serveClient(fastify: Server): Promise<Stdio> {
  const { serveStdio } = await import('./stdio/serve.ts')
  const stdio = serveStdio({
    service: fastify.mcp,
    view: fastify.baseView,
    token: fastify.config.FORGE_PERSONAL_ACCESS_TOKEN,
    input: process.stdin,
    output: process.stdout,
    onEnd: () => {
      const end = () => void setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
      fastify.close().then(end, end)
    }
  })
  fastify.onNewSettings({
    variables: ['FORGE_PERSONAL_ACCESS_TOKEN'],
    use: config => stdio.renew(config.FORGE_PERSONAL_ACCESS_TOKEN)
  })
  return stdio
}
