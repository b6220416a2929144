import { fileURLToPath } from 'node:url'
import { run } from '../../support/program.ts'
import { fromPyPI } from '../../support/registries.ts'
import { versions } from './releases.ts'

/* Python packages from their registry, each in an environment of its own. */

const scripts = fileURLToPath(new URL('../python/', import.meta.url))

type Wanted = 'python-gitlab' | 'webarena-verified'

/** Brings a package. @throws Unavailable without Python or its registry */
export async function pythonIn(wanted: Wanted) {
  const version = versions[wanted]
  return { program: await fromPyPI(wanted, version), scripts, version }
}

/** Runs one of the scripts of python/ where a package is. @returns what it printed, parsed @throws Unavailable */
export async function python<T>(wanted: Wanted, script: string): Promise<T> {
  const { program } = await pythonIn(wanted)
  return JSON.parse(await run(program, [scripts + script])) as T
}
