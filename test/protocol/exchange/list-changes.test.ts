import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { ListChanges } from '../../../src/protocol/exchange/list-changes.ts'
import { until } from '../../support/until.ts'

/** Many who watch, and whom of them was told what. */
function crowd(size: number) {
  const changes = new ListChanges()
  const told: string[] = []
  const leave = Array.from({ length: size }, (_, at) => changes.watch(list => told.push(`${at} ${list}`)))
  return { changes, told, leave }
}

t.test('a few are told at once, of all lists that changed together', async t => {
  const { changes, told } = crowd(2)
  changes.changed('tools', 'prompts')
  t.same(told, ['0 tools', '0 prompts', '1 tools', '1 prompts'])
})

t.test('thousands are told in order, some in each turn of the event loop', async t => {
  const { changes, told } = crowd(1000)
  changes.changed('tools')
  let most = 0
  for (let before = 0; before < 1000; await turn()) {
    most = Math.max(most, told.length - before)
    before = told.length
  }
  t.ok(most <= 50, `${most} in one turn`)
  t.same(
    told,
    told.map((_, at) => `${at} tools`)
  )
  t.equal(told.length, 1000)
})

t.test('who has left meanwhile is passed over, and who has come knows already', async t => {
  const { changes, told, leave } = crowd(200)
  changes.changed('tools')
  leave[150]!()
  changes.watch(() => told.push('new'))
  await until(() => told.includes('199 tools'))
  await turn()
  t.equal(told.length, 199)
  t.notOk(told.includes('150 tools'))
  t.notOk(told.includes('new'))
})

t.test('a change while others are told of one comes after it, to each', async t => {
  const { changes, told } = crowd(120)
  changes.changed('tools')
  changes.changed('prompts')
  await until(() => told.includes('119 prompts'))
  t.equal(told.length, 240)
  t.equal(told.indexOf('0 prompts'), 120)
})

t.test('one that throws keeps nothing from those of later turns', async t => {
  const changes = new ListChanges()
  const told: number[] = []
  for (let at = 0; at < 100; at++)
    changes.watch(() => {
      if (at === 0) throw new Error('a defect')
      told.push(at)
    })
  t.throws(() => changes.changed('tools'), /a defect/)
  await until(() => told.includes(99))
  t.equal(told.length, 50)
})
