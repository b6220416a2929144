import { readFileSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../support/program.ts'
import { brought, fromNpm, fromPyPI, goEnvironment } from '../support/registries.ts'
import type { ScenarioName } from './scenarios.ts'

/** How a driver is started. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
}

/** Someone's client, and how it is brought here. */
export interface Client {
  readonly name: string
  readonly version: string
  /** What it can be told about the revision to speak, each tried; the words are its driver's. */
  readonly modes: readonly string[]
  /** What it has no way to do, and why. */
  readonly cannot?: Partial<Record<ScenarioName, string>>
  /** @throws Unavailable where its toolchain or its registry is not there */
  readonly bring: () => Promise<Program>
}

const driverAt = (path: string) => fileURLToPath(new URL(`drivers/${path}`, import.meta.url))

/** Those that the tests of this project use anyway: the lock file says which release. */
const fromLockFile = (name: string, driver: string) => {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return {
    version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version,
    bring: async () => ({ file: process.execPath, args: [driverAt(`typescript/${driver}.ts`)] })
  }
}

const fromPython = (name: string, version: string, driver: string) => ({
  version,
  bring: async () => ({ file: await fromPyPI(name, version), args: [driverAt(`python/${driver}.py`)] })
})

/** The same program against each release. */
const fromGo = (version: string) => ({
  version,
  bring: async () => {
    const folder = join(brought, `go-sdk-${version}`)
    const go = (...args: string[]) => run('go', args, { cwd: folder, env: goEnvironment })
    await mkdir(folder, { recursive: true })
    await copyFile(driverAt('go/main.go'), join(folder, 'main.go'))
    const module = `module drive\n\ngo 1.25\n\nrequire github.com/modelcontextprotocol/go-sdk v${version}\n`
    await writeFile(join(folder, 'go.mod'), module)
    await go('mod', 'tidy')
    await go('build', '-o', 'drive', '.')
    return { file: join(folder, 'drive'), args: [] }
  }
})

/** Longest that its first build may take, in milliseconds; a minute or two is usual. */
const BUILD_MS = 360_000

const fromCrates = (version: string) => ({
  version,
  bring: async () => {
    const folder = join(brought, `crates-rmcp-${version}`)
    await mkdir(folder, { recursive: true })
    await cp(driverAt('rust/src'), join(folder, 'src'), { recursive: true, preserveTimestamps: true })
    const manifest = await readFile(driverAt('rust/Cargo.toml'), 'utf8')
    await writeFile(join(folder, 'Cargo.toml'), manifest.replace('version = "*"', `version = "=${version}"`))
    await run('cargo', ['build', '--quiet'], { cwd: folder, patience: BUILD_MS, givesWay: true })
    return { file: join(folder, 'target/debug/drive'), args: [] }
  }
})

const onlyListed = 'It refuses by itself what is not listed.'
const eachItsOwn = 'Each call is a connection of its own.'

/** Every client that is tried, and the release of each. */
export const clients: readonly Client[] = [
  {
    name: 'TypeScript SDK v1',
    modes: ['default'],
    ...fromLockFile('@modelcontextprotocol/sdk', 'sdk-v1')
  },
  {
    name: 'TypeScript SDK v2',
    modes: ['legacy', 'auto', '2026-07-28'],
    ...fromLockFile('@modelcontextprotocol/client', 'sdk-v2')
  },
  { name: 'Python SDK v1', modes: ['default'], ...fromPython('mcp', '1.30.0', 'sdk_v1') },
  {
    name: 'Python SDK v2',
    modes: ['legacy', 'auto', '2026-07-28'],
    ...fromPython('mcp', '2.3.0', 'sdk_v2')
  },
  { name: 'fastmcp', modes: ['legacy', 'auto'], ...fromPython('fastmcp', '4.1.2', 'fastmcp_client') },
  {
    name: 'langchain-mcp-adapters',
    modes: ['default'],
    cannot: { refused: onlyListed, activate: eachItsOwn },
    ...fromPython('langchain-mcp-adapters', '0.3.2', 'langchain')
  },
  { name: 'Go SDK', modes: ['default'], ...fromGo('1.6.1') },
  { name: 'Go SDK', modes: ['2025-11-25', 'default'], ...fromGo('1.8.0') },
  { name: 'rmcp', modes: ['initialize', 'auto', 'discover'], ...fromCrates('3.9.0') },
  {
    name: 'Inspector',
    version: '2.12.0',
    modes: ['legacy', 'modern'],
    cannot: { refused: onlyListed, activate: eachItsOwn },
    bring: async () => {
      const name = '@modelcontextprotocol/inspector'
      const program = join(
        await fromNpm(name, '2.12.0'),
        'node_modules',
        name,
        'clients/launcher/build/index.js'
      )
      return { file: process.execPath, args: [driverAt('typescript/inspector.ts'), program] }
    }
  }
]
