import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { filesOf, root, textOf } from '../support/sources.ts'

/** Names of files in comments, in quotes none: these are examples. */
const named = /(?<![\w'"`*/.-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts\b/g

const above = (file: string): string[] => (file === '.' ? [] : [dirname(file), ...above(dirname(file))])

const isComment = (line: string): boolean => /^\s*(?:\*|\/\*|\/\/)/.test(line)

t.test('a file that a comment names is beside it, or there from a folder above it or from src', async t => {
  const missing: string[] = []
  let seen = 0
  for (const file of filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions'))
    for (const line of textOf(file).split('\n').filter(isComment))
      for (const [name] of line.matchAll(named)) {
        if (![...above(file), 'src'].some(place => existsSync(join(root, place, name))))
          missing.push(`${file}: ${name}`)
        seen++
      }
  t.same(missing, [])
  t.ok(seen > 50, `${seen}`)
})
