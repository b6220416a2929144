import { parseArgs } from 'node:util'
import { jobs } from './jobs/index.ts'
import { atOurs } from './ours.ts'
import { ownTable } from './page.ts'
import { grown, type Ours, type OursRecord, readOurs, writeOurs } from './record.ts'
import { type Figures, play, type Run } from './run.ts'
import { startWorld } from './world.ts'

/*
 * `npm run eval`: what each job costs with this server. It fails where one has grown by a tenth over what is recorded.
 * --write records the figures, which may have shrunk; --raise records them where they have grown, too.
 * --steps prints the calls of each job; --job NAME plays one and holds it against nothing.
 */

const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    raise: { type: 'boolean' },
    steps: { type: 'boolean' },
    job: { type: 'string' }
  }
})
const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

const costs: Record<string, Ours> = {}
for (const job of jobs) {
  if (values.job !== undefined && job.id !== values.job) continue
  const { toolsets, words, run } = job.ours
  const full = await play(
    job,
    (api, token) => atOurs(api, token, { toolsets }),
    agent => run(agent.call)
  )
  const search = await play(
    job,
    (api, token) => atOurs(api, token, { words }),
    agent => run(agent.call)
  )
  if (values.steps) print([`${job.id}: ${stepsOf(full)}`, `${job.id}, by search: ${stepsOf(search)}`])
  const { matterBytes } = full
  costs[job.id] = {
    full: figuresOf(full),
    search: figuresOf(search),
    ...(matterBytes !== undefined && { matterBytes })
  }
}

if (values.job === undefined) {
  const now: OursRecord = { defaultListingBytes: await defaultListing(), jobs: costs }
  print(ownTable(now))
  const problems = grown(now, readOurs(), values.write ? 1 : undefined)
  if (values.raise || (values.write && problems.length === 0)) writeOurs(now)
  else if (problems.length > 0) {
    print(['', 'Grown:', ...problems, values.write ? 'Nothing is recorded; --raise does.' : ''])
    process.exitCode = 1
  }
}

function figuresOf({ steps: _, matterBytes: __, ...figures }: Run): Figures {
  return figures
}

function stepsOf({ steps }: Run): string {
  return steps.map(({ tool, bytesIn, bytesOut }) => `${tool} ${bytesIn}/${bytesOut}`).join(', ')
}

async function defaultListing(): Promise<number> {
  const forge = await startWorld()
  const agent = await atOurs(forge.apiUrl, forge.tokens.ada!, {})
  await agent.close()
  await forge.close()
  return agent.listingBytes
}
