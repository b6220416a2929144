import { mkdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { quietly, run } from '../../support/program.ts'
import { goEnvironment as anyGo, brought } from '../../support/registries.ts'
import pinned from '../versions.json' with { type: 'json' }

/*
 * Which release of each artefact is asked: the one that is pinned, or, with EVIDENCE_RELEASES=newest, the one its
 * registry has now. What the newest one says is compared and printed, and recorded nowhere.
 */

type Artefact = keyof typeof pinned

export const newest = process.env.EVIDENCE_RELEASES === 'newest'

/** Below what is fetched of an artefact: two releases do not overwrite each other. */
export const versions: Readonly<Record<Artefact, string>> = newest ? await askRegistries() : pinned

async function askRegistries(): Promise<Record<Artefact, string>> {
  const found = { ...pinned }
  for (const name of Object.keys(pinned) as Artefact[]) {
    if (name.startsWith('@')) found[name] = (await run('npm', ['view', ...quietly, name, 'version'])).trim()
    else {
      const said = await run('python3', ['-m', 'pip', 'index', 'versions', name])
      found[name] = /\(([^)]+)\)/.exec(said)?.[1] ?? pinned[name]
    }
  }
  return found
}

export const goFolder = fileURLToPath(new URL('../client-go/', import.meta.url))

/** How Go is run in client-go/; its go.mod pins the official client. */
export async function goEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { GOFLAGS: flags, ...env } = anyGo
  if (!newest) return { ...env, GOFLAGS: `${flags} -mod=readonly` }
  const folder = `${brought}client-go-newest/`
  const modfile = `-modfile=${folder}go.mod`
  mkdirSync(folder, { recursive: true })
  for (const file of ['go.mod', 'go.sum']) await copyFile(goFolder + file, folder + file)
  const wanted = 'gitlab.com/gitlab-org/api/client-go/v2@latest'
  await run('go', ['get', modfile, wanted], { cwd: goFolder, env: { ...env, GOFLAGS: flags } })
  return { ...env, GOFLAGS: `${flags} -mod=mod ${modfile}` }
}
