import { hash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * The service as processes run it: built like the package, once for a state of its sources. Its start takes a third of
 * the source's, and a process of the service is what many tests begin with.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILDS = join(ROOT, 'node_modules/.cache/service')
const SOURCES =
  '{{src,plugins,tools,prompts,resources,completions}/**/*.ts,esbuild.config.ts,package.json,package-lock.json}'
/** Other runs of the tests may still use what is no older. */
const KEPT_MS = 3_600_000

/** Lines of the source that run are counted in the source. */
const countsLines = process.env._TAPJS_PROCESSINFO_COVERAGE_ === '1'

let program: Promise<string> | undefined

/**
 * The command line of the service.
 * @param args of it
 * @param env what NODE_OPTIONS it shall have; those of the tests, which load their own hooks, are not for it
 */
export async function serviceCommand(
  args: readonly string[] = [],
  { NODE_OPTIONS = '' }: { readonly NODE_OPTIONS?: string } = {}
): Promise<{ readonly command: string; readonly args: string[] }> {
  if (countsLines) return { command: process.execPath, args: [join(ROOT, 'src/cli.ts'), ...args] }
  program ??= builtProgram()
  const folder = await program
  const settings = [`NODE_OPTIONS=${NODE_OPTIONS}`, `NODE_COMPILE_CACHE=${join(folder, 'compiled')}`]
  return { command: 'env', args: [...settings, process.execPath, join(folder, 'src/cli.js'), ...args] }
}

/** The service over stdio, as the transports of the SDKs start it. */
export const stdioCommand = async (apiUrl: string, token: string) => ({
  ...(await serviceCommand(['--streamable-http=false', `--forge-api-url=${apiUrl}`])),
  env: { FORGE_PERSONAL_ACCESS_TOKEN: token, LOG_LEVEL: 'warn' }
})

/** @returns the folder of the build */
async function builtProgram(): Promise<string> {
  const state = globSync(SOURCES, { cwd: ROOT }).map(file => {
    const { mtimeMs, size } = statSync(join(ROOT, file))
    return `${file} ${mtimeMs} ${size}`
  })
  const folder = join(BUILDS, hash('sha256', state.sort().join('\n')).slice(0, 16))
  if (existsSync(folder)) return folder
  const { build, stop } = await import('esbuild')
  const { options } = await import('../../esbuild.config.ts')
  // Others may build at the same time: whoever is first is used.
  mkdirSync(BUILDS, { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  await build({ ...options, absWorkingDir: ROOT, outdir: join(own, 'src') })
  await stop()
  copyFileSync(join(ROOT, 'package.json'), join(own, 'package.json'))
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, { recursive: true })
  }
  for (const name of readdirSync(BUILDS)) {
    const build = join(BUILDS, name)
    // Others may rename or remove theirs meanwhile.
    const made = statSync(build, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - made > KEPT_MS) rmSync(build, { recursive: true, force: true })
  }
  return folder
}
