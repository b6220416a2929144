import { globSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { stayAwake } from './stay-awake.ts'

/*
 * To load the service takes longer than most test files run, so those of a folder share one process: test/processes has a
 * file for each, or several for the parts of a large one by the first letters of what is in it (plugins-f-m). All processes run
 * at once: while one waits, others work. What package.json lists by itself keeps a process of its own: it changes what
 * holds for a whole one, or measures it. Any file runs alone, too.
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

/** What no process is for is in `others`. */
const processOf = (file: string): string => {
  const [, folder = '', inside = ''] = file.split('/')
  const name = processFor(folder, inside) ?? processFor('others', folder)
  if (name === undefined) throw new Error(`${file} has no process in test/processes`)
  return name
}

/**
 * Runs the test files of a process one after the other.
 * @param name of its file in test/processes
 */
export async function runProcess(name: string): Promise<void> {
  stayAwake(t)
  const files = shared.filter(file => processOf(file) === name)
  let running = ''
  // An error that nobody handles ends the test at the top, and what had not begun is no part of what it tells.
  process.once('exit', () => {
    if (files.length > 0)
      console.error(
        `process ${name} ended in ${running} or what was before it; it did not run ${files.join(' ')}`
      )
  })
  while (files.length > 0 && !t.ended) {
    const file = files.shift()!
    running = file
    // What it adds at the top comes after this, and the next file's after that.
    await t.test(file, { buffered: false }, async () => {
      // A file whose tests wait more than they work has several run at once (t.jobs); the next one has not.
      t.jobs = 1
      // The time limit is a file's, as it is where each has a process.
      t.setTimeout(LIMIT_MS)
      await import(pathToFileURL(file).href)
    })
  }
}
