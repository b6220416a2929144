import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t, { type Test } from 'tap'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { run, Unavailable } from '../support/program.ts'
import { fromNpm } from '../support/registries.ts'
import { TOKEN } from '../support/server.ts'

/*
 * npm run test:connect: what the pages of docs/connect tell people to write is taken by the programs that they are
 * about, in a home of its own, and where those try a connection, it comes about. A program whose registry cannot be had
 * is skipped.
 */

/** As it stands in a page: the nth of its blocks in a language. */
async function snippet(page: string, language: string, at = 0): Promise<string> {
  const text = await readFile(`docs/connect/${page}.md`, 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))][at]![1]!
}

/** The commands of those whose scripts have other names. */
const commands: Readonly<Record<string, string>> = { 'cli-wrapper': 'claude', index: 'mcp-inspector' }

/** A program of npm's registry on a PATH, a home, a folder to work in, and a service to connect to. */
async function scene(
  t: Test,
  name: string,
  version: string,
  script: string,
  FORGE_API_URL = 'http://127.0.0.1:9'
) {
  let folder: string
  try {
    folder = await fromNpm(name, version)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    t.pass('it is not to be had', { skip: error.message })
    return undefined
  }
  const home = t.testdir({ work: {}, bin: {} })
  const program = script.split('/').at(-1)!.replace(/\..*/, '')
  const server = await startServer(t, { FORGE_API_URL })
  const env = {
    PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: home,
    FORGE_TOKEN: TOKEN,
    // None of them calls home from here, nor asks about a folder that was made for it.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false'
  }
  const command = join(home, 'bin', commands[program] ?? program)
  await writeFile(
    command,
    `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'node_modules', name, script)}" "$@"\n`
  )
  await chmod(command, 0o755)
  return {
    command,
    env,
    here: (text: string) => text.replaceAll('https://mcp.example.com', server.url),
    url: `${server.url}/mcp`,
    sh: (line: string) => run('sh', ['-c', line], { cwd: join(home, 'work'), env }),
    async file(path: string, text: string) {
      const place = join(home, path)
      await mkdir(join(place, '..'), { recursive: true })
      await writeFile(place, text)
    }
  }
}

t.test('Claude Code takes the command of its page, and connects', async t => {
  const on = await scene(t, '@anthropic-ai/claude-code', '2.1.197', 'cli-wrapper.cjs')
  if (on === undefined) return
  await on.sh(on.here(await snippet('claude-code', 'sh')))
  t.match(await on.sh('claude mcp list'), new RegExp(`forge: ${on.url} \\(HTTP\\) - .*Connected`))
})

t.test('Claude Code knows the server of the file for a team', async t => {
  const on = await scene(t, '@anthropic-ai/claude-code', '2.1.197', 'cli-wrapper.cjs')
  if (on === undefined) return
  await on.file('work/.mcp.json', on.here(await snippet('claude-code', 'json')))
  t.match(
    await on.sh('claude mcp get forge'),
    new RegExp(`Scope: Project.*URL: ${on.url}.*Private-Token`, 's')
  )
})

t.test('Codex reads the configuration of its page', async t => {
  const on = await scene(t, '@openai/codex', '0.169.0', 'bin/codex.js')
  if (on === undefined) return
  await on.file('.codex/config.toml', on.here(await snippet('codex', 'toml')))
  t.match(JSON.parse(await on.sh('codex mcp list --json')), [
    {
      name: 'forge',
      enabled: true,
      transport: {
        type: 'streamable_http',
        url: on.url,
        env_http_headers: { 'Private-Token': 'FORGE_TOKEN' }
      }
    }
  ])
})

t.test('Gemini CLI reads the configuration of its page, and connects', async t => {
  const on = await scene(t, '@google/gemini-cli', '0.61.0', 'bundle/gemini.js')
  if (on === undefined) return
  await on.file('.gemini/settings.json', on.here(await snippet('gemini', 'json')))
  t.match(await on.sh('gemini mcp list 2>&1'), new RegExp(`forge: ${on.url} \\(http\\) - Connected`))
})

t.test('Gemini CLI takes the command of its page, and connects', async t => {
  const on = await scene(t, '@google/gemini-cli', '0.61.0', 'bundle/gemini.js')
  if (on === undefined) return
  await on.sh(on.here(await snippet('gemini', 'sh')))
  t.match(await on.sh('gemini mcp list 2>&1'), new RegExp(`forge: ${on.url} \\(http\\) - Connected`))
})

t.test('mcp-remote takes the arguments of its page, and connects', async t => {
  const on = await scene(t, 'mcp-remote', '0.15.1', 'dist/proxy.js')
  if (on === undefined) return
  const page = JSON.parse(on.here(await snippet('mcp-remote', 'json')))
  const args = page.mcpServers.forge.args as string[]
  const client = new Client({ name: 'test', version: '1' })
  t.teardown(() => client.close())
  const own = args.slice(args.indexOf('mcp-remote') + 1)
  await client.connect(
    new StdioClientTransport({ command: on.command, args: own, env: on.env, stderr: 'ignore' })
  )
  t.ok((await client.listTools()).tools.length > 0)
})

const inspector = ['@modelcontextprotocol/inspector', '2.12.0', 'clients/launcher/build/index.js'] as const

t.test('the Inspector takes the command of its page, and calls a tool', async t => {
  const forge = await listen(t, (_request, response) =>
    response.setHeader('content-type', 'application/json').end('[{"iid":5,"title":"Say hello"}]')
  )
  const on = await scene(t, ...inspector, forge)
  if (on === undefined) return
  const line = on.here(await snippet('inspector', 'sh')).trim()
  t.match(await on.sh(line), 'Say hello')
  t.match(
    await on.sh(`FORGE_TOKEN=short; ${line} --stored-auth-only 2>&1 || true`),
    /auth_required.*A token has 20 to/
  )
})

t.test('the Inspector takes the file of its page, and connects', async t => {
  const on = await scene(t, ...inspector)
  if (on === undefined) return
  await on.file('work/mcp.json', on.here(await snippet('inspector', 'json')).replace('glpat-…', TOKEN))
  t.match(
    await on.sh('mcp-inspector --cli --config mcp.json --server forge --method tools/list'),
    'list_merge_requests'
  )
})
