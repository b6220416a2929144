import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Entry, entries } from './support/ledger.ts'
import { newest } from './support/releases.ts'

/** As many facts may rest on our word alone. */
const SILENT_MAX = 20

const page = fileURLToPath(new URL('../../docs/evidence.md', import.meta.url))

/**
 * Says what the parts came to. The page in docs/ is written when every part ran and nothing failed: a machine
 * without a toolchain knows less than is true, and a finding is to be put right first.
 * @param passed whether no part failed
 * @returns whether the run is green
 */
export function report(passed: boolean): boolean {
  const all = entries()
  const skipped = all.filter(entry => entry.skipped !== undefined)
  for (const { title, source, skipped, confirmed, moved = [] } of all) {
    console.log(
      `${title}: ${skipped === undefined ? `${counted(confirmed)} (${source})` : `skipped (${skipped})`}`
    )
    for (const line of moved) console.log(`  moved: ${line}`)
  }
  const sum = all.flatMap(({ confirmed }) => Object.values(confirmed)).reduce((a, b) => a + b, 0)
  const silent = all.flatMap(entry => entry.silent ?? [])
  console.log(
    `${sum} confirmed in ${all.length - skipped.length} parts, ${skipped.length} parts skipped, ` +
      `${silent.length} facts rest on nobody but us`
  )
  for (const line of silent) console.log(`  ${line}`)
  if (silent.length > SILENT_MAX) console.log(`${SILENT_MAX} such facts may be; name who else knows them`)
  if (passed && !newest && skipped.length === 0) settle(print(all))
  return passed && silent.length <= SILENT_MAX
}

/**
 * How many there are, and where others differ, changes with every tool; who was asked, and what rests on us, is to
 * be read again, and is told. It breaks nothing that the page is a tool behind.
 */
function settle(text: string): void {
  const said = (of: string) =>
    of.replace(/^Known differences:\n\n(- .*\n)+/gm, '').replace(/^(Against .*): .*$/gm, '$1')
  if (process.env.CI !== 'true') writeFileSync(page, text)
  else if (said(readFileSync(page, 'utf8')) !== said(text))
    console.log('docs/evidence.md says something else: npm run test:evidence writes it')
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
    ...(silent.length === 0
      ? ['Nothing.']
      : [
          `${silent.length} facts that none of them knows, and why they stand:`,
          '',
          ...silent.map(line => `- ${line}`)
        ]),
    ''
  ].join('\n')
}
