import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cache } from './ledger.ts'
import { run } from './program.ts'
import { versions } from './releases.ts'

/* Python packages from their registry, each in an environment of its own. */

const scripts = fileURLToPath(new URL('../python/', import.meta.url))

type Wanted = 'python-gitlab' | 'webarena-verified'

/** Brings a package. @throws Unavailable without Python or its registry */
export async function pythonIn(wanted: Wanted) {
  const version = versions[wanted]
  const folder = `${cache}${wanted}-${version}`
  if (!existsSync(`${folder}/installed`)) {
    await run('python3', ['-m', 'venv', '--clear', folder])
    const what = `${wanted}==${version}`
    await run(`${folder}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', what])
    await writeFile(`${folder}/installed`, '')
  }
  return { program: `${folder}/bin/python`, scripts, version }
}

/** Runs one of the scripts of python/ where a package is. @returns what it printed, parsed @throws Unavailable */
export async function python<T>(wanted: Wanted, script: string): Promise<T> {
  const { program } = await pythonIn(wanted)
  return JSON.parse(await run(program, [scripts + script])) as T
}
