import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { serviceCommand } from './built.ts'

export interface ServerProcess {
  readonly child: ChildProcess
  /** http://127.0.0.1:PORT */
  readonly url: string
  /** Everything that it has written so far. It waits, because the log holds lines back for some milliseconds. */
  output(): Promise<string>
  /** Ends the process with a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Milliseconds after which a command line is killed. Its exit code is then null. */
const RUN_MS = 120_000

const { PATH, HOME } = process.env
const quiet = { PATH, HOME }
/**
 * The test machine may be busy with other tests, so the limit on event loop delay is off. Load shedding has tests of
 * its own.
 */
const patient = { PORT: '0', DRAIN_SECONDS: '0', MAX_EVENT_LOOP_DELAY_MS: '0' }

/** Runs the command line until it ends. */
export async function runCli(args: string[], env: Record<string, string> = {}) {
  const service = await serviceCommand(args, env)
  const child = spawn(service.command, service.args, { env: { ...quiet, ...env }, timeout: RUN_MS })
  const text = { out: '', err: '' }
  child.stdout.on('data', chunk => (text.out += chunk))
  child.stderr.on('data', chunk => (text.err += chunk))
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...text }
}

/**
 * Starts a server process on a free port and waits until it listens. It is killed after the test.
 * @param program another file to run instead of the service
 */
export async function startServer(
  t: Pick<Test, 'teardown'>,
  env: Record<string, string>,
  program?: string
): Promise<ServerProcess> {
  const { command, args } =
    program === undefined ? await serviceCommand([], env) : { command: process.execPath, args: [program] }
  const child = spawn(command, args, { env: { ...quiet, ...patient, ...env } })
  let output = ''
  t.teardown(() => child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const address = /Server listening at (http:[^"]+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    child,
    url,
    output: async () => {
      await sleep(100)
      return output
    },
    async stop(signal = 'SIGTERM') {
      const ended = once(child, 'exit')
      child.kill(signal)
      const [code] = await ended
      return code as number | null
    }
  }
}
