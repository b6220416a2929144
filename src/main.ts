import { setTimeout as sleep } from 'node:timers/promises'
import { helpText, readCommandLine } from './config/argv.ts'
import { ConfigError } from './config/config-error.ts'
import type { Settings } from './config/load.ts'
import type { Config } from './config/schema.ts'
import type { Stdio } from './stdio/serve.ts'
import { packageVersion } from './version.ts'

/** How long a server may still run when whoever it served at a terminal or over stdio has gone. */
const LAST_WORDS_MS = 800

// What only serving needs is loaded then, as that of the printed pages is: --help and --version answer at once.
async function serve(
  settings: Settings,
  { STREAMABLE_HTTP }: Config,
  onSignalsTaken: () => void
): Promise<void> {
  const { createServer, listen } = await import('./server.ts')
  const { startWords } = await import('./start-words.ts')
  const { misspelt } = await import('./config/misspelt.ts')
  const { LONGEST_CALL_SECONDS } = await import('./longest-call.ts')
  const { logStream } = await import('./log.ts')
  const { default: closeWithGrace } = await import('close-with-grace')
  const log = logStream(STREAMABLE_HTTP ? 1 : 2)
  process.once('exit', () => log.flushSync())
  const fastify = await createServer(settings, log)
  const { DRAIN_SECONDS, FORGE_PERSONAL_ACCESS_TOKEN } = fastify.config
  let stdio: Stdio | undefined
  const leave = async (signal: string | undefined) => {
    // Somebody at a terminal waits for the prompt; who takes a replica out of service sends SIGTERM.
    if (STREAMABLE_HTTP && signal === 'SIGINT') return Promise.race([fastify.close(), sleep(LAST_WORDS_MS)])
    if (STREAMABLE_HTTP) return fastify.lifecycle.drain()
    await stdio?.close()
    await fastify.close()
  }
  // Before the first handler goes: a signal that came while modules were loaded still waits for one. And before the
  // first request is let in, which a signal would else cut off.
  // A terminal that is closed hangs up too, and so does a client of stdio: those end it.
  const rereads = STREAMABLE_HTTP && !process.stdin.isTTY
  if (rereads) process.on('SIGHUP', () => void fastify.readSettingsAgain())
  const grace = closeWithGrace(
    {
      delay: (DRAIN_SECONDS + LONGEST_CALL_SECONDS) * 1000,
      logger: fastify.log,
      skip: rereads ? ['SIGHUP'] : []
    },
    async ({ err, signal }) => {
      if (err !== undefined) fastify.log.fatal({ err }, 'unexpected failure')
      await leave(signal)
    }
  )
  onSignalsTaken()
  let address = 'stdio'
  if (STREAMABLE_HTTP)
    address = await listen(fastify).catch(async error => {
      grace.uninstall()
      // What is open already, such as METRICS_PORT, would keep a process that serves nothing.
      await fastify.close()
      throw error
    })
  else {
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
  fastify.log.info(facts, says)
  for (const note of misspelt(process.env)) fastify.log.warn(note)
}

/**
 * Runs a command line; a failure is told on the standard error, with exit code 1.
 * @param onSignalsTaken called once the server answers signals itself
 */
export async function main(args: readonly string[], onSignalsTaken: () => void): Promise<void> {
  try {
    await run(args, onSignalsTaken)
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`)
    process.exitCode = 1
  }
}

async function run(args: readonly string[], onSignalsTaken: () => void): Promise<void> {
  const { command, flags, problems } = readCommandLine(args)
  switch (command) {
    case 'help':
      return print(helpText(packageVersion()))
    case 'version':
      return print(`${packageVersion()}\n`)
    case 'serve': {
      const { gatherSettings } = await import('./config/load.ts')
      const { loadSettings } = await import('./config/secret-files.ts')
      const settings = gatherSettings(process.env, flags)
      return serve(settings, (await loadSettings(settings, problems)).config, onSignalsTaken)
    }
    case 'doctor': {
      const { examine } = await import('./doctor/doctor.ts')
      const { text, isWell } = await examine(process.env, flags, problems)
      if (!isWell) process.exitCode = 1
      return print(text)
    }
    case 'make-secret': {
      const { makeSecret } = await import('./kubernetes/make-secret.ts')
      const { says, isThere } = await makeSecret(process.env)
      if (!isThere) process.exitCode = 1
      return print(`${says}\n`)
    }
    default:
      return print(await (await import('./pages.ts')).printPage(command))
  }
}

const print = (text: string): void => void process.stdout.write(text)

function wordsOf(error: unknown): string {
  if (error instanceof ConfigError)
    return `forge-tool-server cannot start:\n${error.problems.map(problem => `  - ${problem}`).join('\n')}`
  return `forge-tool-server cannot start: ${error instanceof Error ? error.message : String(error)}`
}
