#!/usr/bin/env node
import closeWithGrace from 'close-with-grace'
import { helpText, readCommandLine } from './config/argv.ts'
import { ConfigError, checkSettings, gatherSettings, type Settings } from './config/load.ts'
import { printConfig, printTools } from './docs.ts'
import { createServer, listen } from './server.ts'
import { serveStdio } from './stdio.ts'
import { packageVersion } from './version.ts'

/** Longest an upstream call may still run after the listener has closed, in milliseconds. */
const IN_FLIGHT_MS = 65_000

async function serve(settings: Settings): Promise<void> {
  const fastify = await createServer(settings)
  const { DRAIN_SECONDS, STREAMABLE_HTTP } = fastify.config
  closeWithGrace({ delay: DRAIN_SECONDS * 1000 + IN_FLIGHT_MS, logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'unexpected failure')
    await fastify.lifecycle.drain()
  })
  if (STREAMABLE_HTTP) await listen(fastify)
  else
    await serveStdio({
      service: fastify.mcp,
      view: fastify.baseView(),
      token: fastify.config.FORGE_PERSONAL_ACCESS_TOKEN,
      onFault: err => fastify.log.error({ err }, 'request failed'),
      onEnd: () => void fastify.close()
    })
}

async function main(args: readonly string[]): Promise<void> {
  const { command, flags, problems } = readCommandLine(args)
  switch (command) {
    case 'help':
      return print(helpText(packageVersion()))
    case 'version':
      return print(`${packageVersion()}\n`)
    case 'config':
      return print(printConfig())
    case 'tools':
      return printCatalog()
    case 'serve': {
      const settings = gatherSettings(process.env, flags)
      checkSettings(settings, problems)
      return serve(settings)
    }
  }
}

async function printCatalog(): Promise<void> {
  const fastify = await createServer({ LOG_LEVEL: 'silent' })
  print(printTools(fastify.catalog.toolsets))
  await fastify.close()
}

const print = (text: string): void => void process.stdout.write(text)

main(process.argv.slice(2)).catch((error: unknown) => {
  const text =
    error instanceof ConfigError
      ? `forge-tool-server cannot start:\n${error.problems.map(problem => `  - ${problem}`).join('\n')}`
      : `forge-tool-server cannot start: ${error instanceof Error ? error.message : String(error)}`
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
})
