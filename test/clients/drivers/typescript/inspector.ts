import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Called, type Connecting, drive, type Open } from './driving.ts'

/* The Inspector on the command line: each thing asked of it is a process, and a connection, of its own. */

const [, , program] = process.argv

interface Failure {
  readonly error?: { readonly message: string; readonly cause?: { readonly code?: number } }
}

await drive(async (to, open) => {
  // What it remembers of logins stands below the home folder.
  const home = mkdtempSync(join(tmpdir(), 'inspector-'))
  const ask = (args: readonly string[], signal?: AbortSignal) => run(to, open, home, args, signal)
  return {
    list: async () => {
      const { tools } = (await ask(['--method', 'tools/list'])) as { tools: { name: string }[] }
      return tools.map(({ name }) => name)
    },
    call: async (name, args, signal): Promise<Called> => {
      const how = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)]
      const { content, isError = false } = (await ask(how, signal)) as {
        content: { text: string }[]
        isError?: boolean
      }
      return { text: content[0]!.text, isError }
    },
    close: () => rm(home, { recursive: true })
  }
})

function run(to: Connecting, open: Open, home: string, args: readonly string[], signal?: AbortSignal) {
  const credential =
    to.redirect === undefined ? ['--header', `Private-Token: ${to.token}`] : ['--callback-url', to.redirect]
  const how = ['--transport', 'http', '--protocol-era', to.mode, '--format', 'json', ...credential]
  const env = {
    ...process.env,
    HOME: home,
    MCP_INSPECTOR_SECRET_STORE: 'file',
    // It logs in only where it may open a browser, which is one that does nothing.
    MCP_AUTO_OPEN_ENABLED: 'true',
    BROWSER: 'true'
  }
  return new Promise<unknown>((resolve, reject) => {
    const all = [program!, '--cli', to.url, ...how, ...args]
    const child = execFile(
      process.execPath,
      all,
      { env, maxBuffer: 10_000_000 },
      (error, printed, complaints) => {
        // A tool's own error ends it with a code of its own, and is a result all the same.
        if (printed.trim() !== '') resolve((JSON.parse(printed) as { result: unknown }).result)
        else reject(failureOf(complaints, error))
      }
    )
    let said = ''
    child.stderr!.on('data', async chunk => {
      said += chunk
      const [, url] = /navigate to: (\S+)\s/.exec(said) ?? []
      if (url === undefined) return
      said = ''
      await fetch(await open(url))
    })
    signal?.addEventListener('abort', () => child.kill('SIGINT'))
  })
}

function failureOf(said: string, error: Error | null): Error {
  const line = said.split('\n').findLast(line => line.startsWith('{'))
  const told = line === undefined ? undefined : (JSON.parse(line) as Failure).error
  return Object.assign(new Error(told?.message ?? `${error?.message} ${said.slice(-500)}`), {
    code: told?.cause?.code
  })
}
