import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clear, type Entry, entries } from './support/ledger.ts'

/*
 * Says what the parts came to. The page in docs/ is written when every part ran: a machine without a toolchain
 * knows less than is true.
 */

/** As many facts may rest on our word alone. */
const SILENT_MAX = 20

const page = fileURLToPath(new URL('../../docs/evidence.md', import.meta.url))
const all = entries()
const skipped = all.filter(entry => entry.skipped !== undefined)

for (const { title, skipped, confirmed } of all)
  console.log(`${title}: ${skipped === undefined ? counted(confirmed) : `skipped (${skipped})`}`)
const sum = all.flatMap(({ confirmed }) => Object.values(confirmed)).reduce((a, b) => a + b, 0)
console.log(`${sum} confirmed in ${all.length - skipped.length} parts, ${skipped.length} parts skipped`)
if (skipped.length === 0) settle(print(all))
clear()

const silentFacts = all.flatMap(entry => entry.silent ?? [])
if (silentFacts.length > SILENT_MAX) {
  console.log(`${silentFacts.length} facts rest on nobody but us, and ${SILENT_MAX} may`)
  process.exitCode = 1
}

/** How many there are changes with every tool; what is confirmed, and by whom, is to be read before it is landed. */
function settle(text: string): void {
  const said = (of: string) => of.replace(/\d+/g, '#')
  if (process.env.CI !== 'true') writeFileSync(page, text)
  else if (said(readFileSync(page, 'utf8')) !== said(text)) {
    console.log('docs/evidence.md says something else: npm run test:evidence writes it')
    process.exitCode = 1
  }
}

function counted(confirmed: Record<string, number>): string {
  return Object.entries(confirmed)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

function print(entries: readonly Entry[]): string {
  const list = (heading: string, lines: readonly string[] = []) =>
    lines.length === 0 ? [] : ['', `${heading}:`, '', ...lines.map(line => `- ${line}`)]
  const silent = entries.flatMap(entry => entry.silent ?? [])
  return [
    '# Evidence',
    '',
    'What is true of the forge is not taken from our own word: `npm run test:evidence` holds what the tools send, what',
    'the sandbox forge takes and answers, and what becomes of real answers against what others have published. This',
    'page is printed by that run.',
    ...entries.flatMap(({ title, source, confirmed, differences }) => [
      '',
      `## ${title.replace(/^\d+ /, '')}`,
      '',
      `Against ${source}: ${counted(confirmed)}.`,
      ...list('Known differences', differences)
    ]),
    '',
    '## What rests on nobody but us',
    '',
    `${silent.length} facts that none of them knows, and why they stand:`,
    '',
    ...silent.map(line => `- ${line}`),
    ''
  ].join('\n')
}
