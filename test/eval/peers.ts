import { parseArgs } from 'node:util'
import { jobs } from './jobs/index.ts'
import { peerTable } from './page.ts'
import { atPeer, installPeer, PEER } from './peer.ts'
import { type PeerJob, type PeerRecord, readOurs, writePeer } from './record.ts'
import { play } from './run.ts'
import { startWorld } from './world.ts'

/*
 * `npm run eval:peers`: the same jobs through another server of this kind, against the same sandbox forge, beside
 * what is recorded of ours. --write records it; --steps prints the calls of each job.
 */

const { values } = parseArgs({ options: { write: { type: 'boolean' }, steps: { type: 'boolean' } } })

const reason = await installPeer()
if (reason !== undefined) {
  process.stdout.write(`skipped: ${PEER} cannot be had here: ${reason}\n`)
  process.exit(0)
}

const costs: Record<string, PeerJob> = {}
for (const job of jobs) {
  const { toolsets, cannot, run } = job.peer
  const {
    steps,
    matterBytes: _,
    ...figures
  } = await play(
    job,
    (api, token) => atPeer(api, token, { toolsets }),
    agent => run(agent.call),
    cannot !== undefined
  )
  if (values.steps)
    process.stdout.write(
      `${job.id}: ${steps.map(({ tool, bytesIn, bytesOut }) => `${tool} ${bytesIn}/${bytesOut}`).join(', ')}\n`
    )
  const namedBytes = await listingOf({ tools: [...new Set(steps.map(({ tool }) => tool))] })
  costs[job.id] = { ...figures, namedBytes, ...(cannot !== undefined && { cannot }) }
}

const now: PeerRecord = { peer: PEER, defaultListingBytes: await listingOf({}), jobs: costs }
process.stdout.write(`${peerTable(readOurs(), now).join('\n')}\n`)
if (values.write) writePeer(now)

async function listingOf(choice: { tools?: readonly string[] }): Promise<number> {
  const forge = await startWorld()
  const agent = await atPeer(forge.apiUrl, forge.tokens.ada!, choice)
  await agent.close()
  await forge.close()
  return agent.listingBytes
}
