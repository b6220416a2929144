import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Command, publishing, tagging } from './commands.ts'
import { atHome, notesOf, released, releasedFiles, type Texts } from './version.ts'

/*
 * npm run release -- prepare 1.2.3 [--dry-run]   versions, changelog, commit and tag, on this machine
 * npm run release -- publish --image=… --charts=… --namespace=… --repository=… [--dry-run]   image, chart, package and
 *   registry entry of the version that is checked out; what .github/workflows/release.yml runs
 * With --dry-run all is checked and told, and nothing is written or run.
 */

const OUT = 'release'
const usage =
  'Usage: npm run release -- prepare VERSION [--dry-run]\n' +
  '       npm run release -- publish --image=NAME --charts=oci://… --namespace=io.github.OWNER --repository=URL [--dry-run]'

const { positionals, values } = told(() =>
  parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      image: { type: 'string' },
      charts: { type: 'string' },
      namespace: { type: 'string' },
      repository: { type: 'string' }
    }
  })
)
const isDry = values['dry-run']
const ask = (...words: string[]) => execFileSync(words[0]!, words.slice(1), { encoding: 'utf8' }).trim()
const read = (files: readonly string[]): Texts =>
  Object.fromEntries(files.map(file => [file, readFileSync(file, 'utf8')]))

function write(texts: Texts): void {
  for (const [file, text] of Object.entries(texts)) {
    console.log(`${isDry ? 'would write' : 'writing'} ${file}`)
    if (!isDry) writeFileSync(file, text)
  }
}

function run(commands: readonly Command[]): void {
  for (const { words, into, unless } of commands) {
    const shown = words.map(word => (/[\s]/.test(word) ? JSON.stringify(word) : word)).join(' ')
    console.log(`${isDry ? 'would run' : 'running'} ${shown}${into === undefined ? '' : ` > ${into}`}`)
    if (isDry) continue
    if (unless !== undefined && isDone(unless)) {
      console.log('  done by an earlier run')
      continue
    }
    const output = execFileSync(words[0]!, words.slice(1), {
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      stdio: ['ignore', into === undefined ? 'inherit' : 'pipe', 'inherit']
    })
    if (into !== undefined) writeFileSync(into, output)
  }
}

/** A program that fails says that it has not been done: a registry knows nothing of what was never published. */
function isDone(words: readonly string[]): boolean {
  const { status, stdout } = spawnSync(words[0]!, words.slice(1), { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== ''
}

function prepare(version: string): void {
  if (ask('git', 'status', '--porcelain') !== '') throw new Error('there are changes that are not committed')
  if (ask('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is tagged already`)
  const texts = released(read(releasedFiles), version, new Date().toISOString().slice(0, 10))
  const notes = notesOf(texts['CHANGELOG.md']!, version)
  write(texts)
  run(tagging(version, releasedFiles, notes))
  console.log(`Next: git push --follow-tags. The release workflow publishes v${version}.`)
}

function publish(): void {
  const { image, charts, namespace, repository } = values
  if (image === undefined || charts === undefined || namespace === undefined || repository === undefined)
    throw new Error(usage)
  if (!charts.startsWith('oci://')) throw new Error(`--charts is no oci:// address: ${charts}`)
  const version = JSON.parse(readFileSync('package.json', 'utf8')).version
  if (!ask('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`) && !isDry)
    throw new Error(`what is checked out is not v${version}`)
  const revision = ask('git', 'rev-parse', 'HEAD')
  const created = ask('git', 'show', '--no-patch', '--format=%cI', 'HEAD')
  if (!isDry) for (const part of ['chart', 'package']) mkdirSync(`${OUT}/${part}`, { recursive: true })
  write(atHome(read(['package.json', 'server.json']), { namespace, repository }))
  write({ [`${OUT}/notes.md`]: notesOf(readFileSync('CHANGELOG.md', 'utf8'), version) })
  run(publishing(version, { image, charts, revision, created }, OUT))
}

/** @returns what `work` does; a failure is told in its own words and ends this */
function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isOfWords = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') === true
    console.error(`${error instanceof Error ? error.message : error}${isOfWords ? `\n${usage}` : ''}`)
    process.exit(1)
  }
}

told(() => {
  const [command, version] = positionals
  if (command === 'prepare' && version !== undefined) prepare(version)
  else if (command === 'publish') publish()
  else throw new Error(usage)
})
