import t from 'tap'
import { startForge } from '../forge/index.ts'
import { outdated } from './differences.ts'
import { bareDriver } from './support/drivers.ts'
import { exercise } from './support/exercise.ts'
import { enter } from './support/ledger.ts'
import { breaches, recordOf, source } from './support/schema-facts.ts'
import { keyOf } from './support/surface.ts'

/* The sandbox forge's answers against what the forge's makers hold their own answers to in their tests. */

t.test("the sandbox forge's records are as the forge's own test schemas want them", async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const confirmed = { operations: 0, records: 0, fields: 0 }
  const used = new Set<string>()
  for (const { operation, outcome, sent } of await exercise(forge, bareDriver(forge))) {
    const name = recordOf(keyOf(operation.method, operation.path))
    const answer = sent ?? outcome?.value
    if (name === undefined || answer === undefined || answer === '') continue
    confirmed.operations++
    const found = [answer].flat().flatMap(record => {
      confirmed.records++
      return breaches(name, record, facts => {
        confirmed.fields += facts
      })
    })
    const wrong = [...new Set(found)].filter(breach => {
      const field = Object.keys(outdated).find(each => breach.endsWith(each))
      if (field !== undefined) used.add(field)
      return field === undefined
    })
    t.same(wrong, [], operation.operation)
  }
  t.same(
    Object.keys(outdated).filter(field => !used.has(field)),
    [],
    'what needs no explaining any more is not explained'
  )
  const differences = Object.entries(outdated).map(([field, why]) => `${field}: ${why}`)
  enter('schemas', { title: "4 The forge's own test schemas", source, confirmed, differences })
})
