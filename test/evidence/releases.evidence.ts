import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { operations } from '../forge/contract.ts'
import { enter } from './support/ledger.ts'
import { newest } from './support/releases.ts'
import { keyOf } from './support/surface.ts'
import { type Voice, voices } from './support/voices.ts'

/* What moved in the clients since their releases were recorded, as far as the contract has the operations. */

/** Client → its release, and the names it sends by operation. */
type Recorded = Record<string, { release: string; operations: Record<string, string> }>

const title = '7 Releases'
const file = new URL('./recorded.json', import.meta.url)
const { heard, absent } = await voices()
const ours = [...new Set(operations.map(each => keyOf(each.method, each.path)))].sort()

t.test('what the clients send is what was recorded of them', async t => {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  const now = Object.fromEntries(heard.map(voice => [nameOf(voice), recordOf(voice)]))
  const moved = Object.entries(now).flatMap(([client, record]) => differing(client, before[client], record))
  for (const line of moved) t.comment(line)
  for (const [client, { operations }] of Object.entries(now))
    t.ok(Object.keys(operations).length > ours.length / 3, `${client} is read`)
  const count = Object.values(now).map(({ operations }) => Object.keys(operations).length)
  enter('releases', {
    title,
    source: heard.map(({ name }) => name).join(', '),
    ...(absent.length > 0 && { skipped: absent.join('; ') }),
    confirmed: { 'operations as recorded': count.reduce((a, b) => a + b, 0) },
    moved
  })
  if (process.env.CI === 'true')
    t.same(moved, [], 'npm run test:evidence records it, to be read before it lands')
  else if (!newest) writeFileSync(file, print({ ...before, ...now }))
})

function nameOf({ name }: Voice): string {
  return name.split(' ')[0]!
}

function recordOf({ name, surface }: Voice): Recorded[string] {
  const known = ours.flatMap(key => {
    const names = surface.get(key)?.names
    return names === undefined ? [] : [[key, [...names].sort().join(' ')] as const]
  })
  return { release: name.split(' ')[1]!, operations: Object.fromEntries(known) }
}

/** A line for the release, and one for each operation that sends something else now. */
function differing(client: string, before: Recorded[string] | undefined, now: Recorded[string]): string[] {
  if (before === undefined) return [`${client} ${now.release}: not recorded before`]
  const lines = ours.flatMap(key => {
    const [then, since] = [before.operations[key], now.operations[key]]
    // What the contract has taken in since is no news of the same release.
    if (then === since || (then === undefined && before.release === now.release)) return []
    if (since === undefined) return [`${client}: ${key} is gone`]
    if (then === undefined) return [`${client}: ${key} is known now`]
    const [old, fresh] = [then, since].map(names => new Set(names.split(' ').filter(Boolean)))
    const added = [...fresh!].filter(name => !old!.has(name)).map(name => `+${name}`)
    const dropped = [...old!].filter(name => !fresh!.has(name)).map(name => `-${name}`)
    return [`${client}: ${key} ${[...added, ...dropped].join(' ')}`]
  })
  return before.release === now.release ? lines : [`${client}: ${before.release} → ${now.release}`, ...lines]
}

/** An operation a line, so that what moves is read as a difference of lines. */
function print(recorded: Recorded): string {
  const clients = Object.entries(recorded).map(([client, { release, operations }]) => {
    const lines = Object.entries(operations).map(
      pair => `    ${pair.map(text => JSON.stringify(text)).join(': ')}`
    )
    return `  ${JSON.stringify(client)}: {"release": ${JSON.stringify(release)}, "operations": {\n${lines.join(',\n')}\n  }}`
  })
  return `{\n${clients.join(',\n')}\n}\n`
}
