import { jobs } from './jobs/index.ts'
import { type OursRecord, type PeerRecord, readOurs, readPeer } from './record.ts'
import { tokensOf } from './run.ts'

/* docs/efficiency.md, printed from what was recorded. */

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, at) => (at === 0 ? '---' : '--:')).join('|')}|`,
  ...rows.map(row => `| ${row.join(' | ')} |`)
]

const share = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** The cost of each job with ours, as Markdown. */
export const ownTable = ({ jobs: costs }: OursRecord): string[] =>
  table(
    [
      'Job',
      'Calls',
      'Bytes in',
      'Bytes out',
      'Listing',
      'Tokens',
      'Calls',
      'Bytes in',
      'Bytes out',
      'Listing',
      'Tokens'
    ],
    jobs.map(({ id, title }) => {
      const { full, search } = costs[id]!
      const cells = [full, search].flatMap(cost => [
        cost.calls,
        cost.bytesIn,
        cost.bytesOut,
        cost.listingBytes,
        cost.tokens
      ])
      return [title, ...cells]
    })
  )

const spoken = ({ bytesIn, bytesOut }: { bytesIn: number; bytesOut: number }) => bytesIn + bytesOut

/** The same jobs side by side, as Markdown; the sum leaves out what the peer cannot do whole. */
export function peerTable(ours: OursRecord, peer: PeerRecord): string[] {
  const rows = jobs.map(({ id, title }) => {
    const [{ full, search }, theirs] = [ours.jobs[id]!, peer.jobs[id]!]
    const named = tokensOf(spoken(theirs) + theirs.namedBytes)
    const numbers = [full.calls, theirs.calls, spoken(full), spoken(theirs)]
    return {
      title,
      whole: theirs.cannot === undefined,
      numbers: [...numbers, full.tokens, search.tokens, theirs.tokens, named]
    }
  })
  const all = rows.filter(({ whole }) => whole)
  const total = all[0]!.numbers.map((_, at) => sum(all.map(({ numbers }) => numbers[at]!)))
  const cells = ([a, b, c, d, ...tokens]: readonly number[]) => [
    `${a} / ${b}`,
    share(a!, b!),
    `${c} / ${d}`,
    share(c!, d!),
    ...tokens
  ]
  return table(
    ['Job', 'Calls', '', 'Bytes in and out', '', 'Tokens', 'with search', 'of the peer', 'by named tools'],
    [
      ...rows.map(({ title, whole, numbers }) => [whole ? title : `${title} ¹`, ...cells(numbers)]),
      ['**All but ¹**', ...cells(total)]
    ]
  )
}

/** What the aim is: so much of the peer's calls and bytes. */
const AIM = { calls: 1 / 2, bytes: 1 / 3 }

/** The jobs that cost more than is aimed at, though the peer does them whole, each with why. */
export function missed(
  ours: OursRecord,
  peer: PeerRecord
): readonly { id: string; why: string | undefined }[] {
  return jobs.flatMap(({ id, title, matter }) => {
    const [{ full, matterBytes }, theirs] = [ours.jobs[id]!, peer.jobs[id]!]
    const [calls, bytes] = [full.calls / theirs.calls, spoken(full) / spoken(theirs)]
    // As the table prints it.
    if (theirs.cannot !== undefined || (calls <= AIM.calls && bytes < AIM.bytes + 0.005)) return []
    const why =
      matter && matterBytes
        ? `${title} needs ${matter.what}: ${matterBytes} of the ${spoken(theirs)} bytes that the peer takes, and of our ${spoken(full)}. What is beside that is ${share(spoken(full) - matterBytes, spoken(theirs) - matterBytes)} of the peer's. ${matter.besides}`
        : undefined
    return [{ id, why }]
  })
}

export function page(ours: OursRecord, peer: PeerRecord): string {
  const notes = jobs.flatMap(({ id, title }) =>
    peer.jobs[id]?.cannot === undefined ? [] : [`¹ ${title}: of the peer ${peer.jobs[id].cannot}.`]
  )
  const missing = missed(ours, peer).map(({ id, why }) => why ?? `${id} takes more.`)
  return [
    '# What a job costs',
    '',
    'Printed from what `npm run eval -- --write` and `npm run eval:peers -- --write` recorded.',
    '',
    'Each job is what somebody asks of an agent, done by a script through an official MCP client against the sandbox',
    'forge, in the shortest sequence of calls that the tools allow; whatever a call is given stands in the task or in an',
    "earlier answer. At its end the forge's own state says whether the work is done. `.ci/run` fails when a job takes a",
    'tenth more calls, bytes of answers or tokens than recorded.',
    '',
    ...jobs.map(({ title, task }) => `- **${title}.** ${task}`),
    '',
    'Bytes in are the calls as a model writes them (name and arguments), bytes out the texts of the results, the listing',
    'is tools/list with the instructions. Tokens are all of that, at four bytes a token: an estimate that is the same for',
    'everybody. A listing is counted once, though a model reads it again with each turn.',
    '',
    '## This server',
    '',
    'On the left with the toolsets that the job needs, on the right with `FORGE_TOOL_SURFACE=search`, whose first call',
    'looks for all that the job needs.',
    '',
    ...ownTable(ours),
    '',
    `## The same jobs through ${peer.peer}`,
    '',
    'Ours / theirs, each with the smallest set of toolsets that has the tools, and theirs once more with nothing but the',
    'tools that are called, named one by one (which is another configuration for each job). Where nothing is chosen,',
    `ours lists ${ours.defaultListingBytes} bytes and theirs ${peer.defaultListingBytes}. The sandbox serves every request that theirs`,
    'makes in these jobs; what a step cannot do for want of a tool is said below.',
    '',
    ...peerTable(ours, peer),
    '',
    ...notes,
    ...(missing.length === 0
      ? []
      : ['', 'Half of the calls and a third of the bytes are aimed at in each job.', ...missing]),
    ''
  ].join('\n')
}

if (import.meta.main) process.stdout.write(page(readOurs(), readPeer()))
