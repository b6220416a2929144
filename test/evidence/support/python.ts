import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import versions from '../versions.json' with { type: 'json' }
import { cache } from './ledger.ts'
import { run } from './program.ts'

/* Python packages from their registry, each in an environment of its own. */

const scripts = fileURLToPath(new URL('../python/', import.meta.url))

/**
 * Runs one of the scripts of python/ where a package is installed.
 * @returns what it printed, parsed
 * @throws Unavailable without Python or its registry
 */
export async function python<T>(
  wanted: 'python-gitlab' | 'webarena-verified',
  script: string,
  env: Record<string, string> = {}
): Promise<T> {
  const version = versions[wanted]
  const folder = `${cache}${wanted}-${version}`
  if (!existsSync(`${folder}/installed`)) {
    await run('python3', ['-m', 'venv', '--clear', folder])
    await run(`${folder}/bin/pip`, [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `${wanted}==${version}`
    ])
    await run('touch', [`${folder}/installed`])
  }
  return JSON.parse(
    await run(`${folder}/bin/python`, [scripts + script], { env: { ...process.env, ...env } })
  ) as T
}
