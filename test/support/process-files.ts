import { globSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { stayAwake } from './stay-awake.ts'

/*
 * Loading the service takes longer than most test files run, so the files of a folder share one process. test/processes
 * has a file for each folder. A large folder has several, for parts by the first letters of their names (plugins-f-m).
 * All processes run at once: while one waits, others work. Files that package.json lists by themselves get a process of
 * their own, because they change or measure something of a whole process. Any file also runs alone.
 */

const { tap } = JSON.parse(readFileSync('package.json', 'utf8'))
const alone = new Set(globSync(tap.files as string[]))
const shared = globSync('test/**/*.test.ts', { exclude: ['test/{long,attack}/**'] })
  .filter(file => !alone.has(file))
  .sort()
const processes = readdirSync('test/processes').map(file => file.replace(/\.ts$/, ''))
const LIMIT_MS = Number(process.env.TAP_TIMEOUT ?? tap.timeout) * 1000

/** The process of a folder, or of its part by the first letters of what is in it. */
const processFor = (folder: string, inside: string): string | undefined =>
  processes.find(name => {
    const [prefix, first = '', last = ''] = name.split('-')
    return prefix === folder && inside.slice(0, first.length) >= first && inside.slice(0, last.length) <= last
  })

/** The process of a file. Files for which there is no other process are in `others`. */
const processOf = (file: string): string => {
  const [, folder = '', inside = ''] = file.split('/')
  const name = processFor(folder, inside) ?? processFor('others', folder)
  if (name === undefined) throw new Error(`${file} has no process in test/processes`)
  return name
}

/**
 * Runs the test files of a process one after the other.
 * @param name of the process's file in test/processes
 */
export async function runProcess(name: string): Promise<void> {
  stayAwake(t)
  const files = shared.filter(file => processOf(file) === name)
  let running = ''
  // An unhandled error ends the whole test. Its report would not mention the files that had not begun.
  process.once('exit', () => {
    if (files.length > 0)
      console.error(
        `process ${name} ended in ${running} or what was before it; it did not run ${files.join(' ')}`
      )
  })
  while (files.length > 0 && !t.ended) {
    const file = files.shift()!
    running = file
    // Top-level tests of the file are added after this line, and those of the next file after them.
    await t.test(file, { buffered: false }, async () => {
      // A file whose tests mostly wait runs several at once (t.jobs). The setting must not carry over to the next file.
      t.jobs = 1
      // The time limit applies to each file, as it does where each file has its own process.
      t.setTimeout(LIMIT_MS)
      await import(pathToFileURL(file).href)
    })
  }
}
