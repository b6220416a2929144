import { ConfigError } from './config/config-error.ts'
import { packageVersion } from './version.ts'

/**
 * Runs a command line; a failure is reported on the standard error, and to a client of stdio, with exit code 1.
 * @param onSignalsTaken called once the server handles signals itself
 */
export async function main(args: readonly string[], onSignalsTaken: () => void): Promise<void> {
  try {
    await run(args, onSignalsTaken)
  } catch (error) {
    const { withoutTokens } = await import('./log/without-tokens.ts')
    const words = withoutTokens(wordsOf(error))
    // Its reader may have gone, and the client at the standard input is told all the same.
    process.stderr.on('error', () => undefined)
    process.stderr.write(`${words}\n`)
    process.exitCode = 1
    const { answerBeforeEnd } = await import('./stdio/piped-in.ts')
    await answerBeforeEnd(process.stdin, process.stdout, words)
  }
}

async function run(args: readonly string[], onSignalsTaken: () => void): Promise<void> {
  // Before the variables are loaded, of which the flags are made: no flag takes a word that begins with dashes as its
  // value.
  if (args.includes('--version')) return print(`${packageVersion()}\n`)
  const { helpText, readCommandLine } = await import('./config/argv.ts')
  const { command, flags, problems } = readCommandLine(args)
  switch (command) {
    case 'help':
      return print(helpText(packageVersion()))
    case 'version':
      return print(`${packageVersion()}\n`)
    case 'serve':
      return (await import('./serve.ts')).serve(flags, problems, onSignalsTaken)
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
      if (problems.length > 0) throw new ConfigError(problems)
      return print(await (await import('./pages.ts')).printPage(command))
  }
}

function print(text: string): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    // The reader, such as `head`, has seen enough.
    if (error.code === 'EPIPE') return
    process.stderr.write(`forge-tool-server cannot write to the standard output: ${error.message}\n`)
    process.exitCode = 1
  })
  process.stdout.write(text)
}

function wordsOf(error: unknown): string {
  if (error instanceof ConfigError)
    return `forge-tool-server cannot start:\n${error.problems.map(problem => `  - ${problem}`).join('\n')}`
  return `forge-tool-server cannot start: ${error instanceof Error ? error.message : String(error)}`
}
