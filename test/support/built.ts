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
 * The service as processes run it: built like the package, once for each state of its sources. It starts in a third of
 * the time that the source takes, and many tests begin by starting it.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILDS = join(ROOT, 'node_modules/.cache/service')
const SOURCES =
  '{{src,plugins,tools,prompts,resources,completions}/**/*.ts,esbuild.config.ts,package.json,package-lock.json}'
/** Builds that are no older than this are kept, because other runs of the tests may still use them. */
const KEPT_MS = 3_600_000

/** When coverage is measured, the source itself has to run. */
const countsLines = process.env._TAPJS_PROCESSINFO_COVERAGE_ === '1'

let program: Promise<string> | undefined

/**
 * The command line of the service.
 * @param args its arguments
 * @param env the NODE_OPTIONS that it gets; those of the tests, which load hooks of their own, are not passed on
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

/** The command that starts the service over stdio, in the form that the transports of the SDKs take. */
export const stdioCommand = async (apiUrl: string, token: string) => ({
  ...(await serviceCommand(['--streamable-http=false', `--forge-api-url=${apiUrl}`])),
  env: { FORGE_PERSONAL_ACCESS_TOKEN: token, LOG_LEVEL: 'warn' }
})

/**
 * Builds the service unless this state of the sources has been built.
 * @returns the folder of the build
 */
async function builtProgram(): Promise<string> {
  const state = globSync(SOURCES, { cwd: ROOT }).map(file => {
    const { mtimeMs, size } = statSync(join(ROOT, file))
    return `${file} ${mtimeMs} ${size}`
  })
  const folder = join(BUILDS, hash('sha256', state.sort().join('\n')).slice(0, 16))
  if (existsSync(folder)) return folder
  const { build, stop } = await import('esbuild')
  const { options } = await import('../../esbuild.config.ts')
  // Other processes may build at the same time. The build that is first in its place is used.
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
    // Other processes may rename or remove their builds meanwhile.
    const made = statSync(build, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - made > KEPT_MS) rmSync(build, { recursive: true, force: true })
  }
  return folder
}
