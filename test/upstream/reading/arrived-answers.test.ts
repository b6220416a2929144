import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Whose } from '../../../src/upstream/guard/whose.ts'
import { ArrivedAnswers } from '../../../src/upstream/reading/arrived-answers.ts'
import { spend } from '../../support/event-loop.ts'

const WHOLE = 5_000
const PAGE = 40_000
const SMALL = 4_000

/** Answers that come at once. @returns the holders of those that went on, turn by turn */
async function turnsOf(come: readonly Whose[], bytes: number): Promise<string[][]> {
  const arrived = new ArrivedAnswers()
  const turns: string[][] = [[]]
  let left = come.length
  for (const whose of come)
    arrived.next(whose, bytes, () => {
      turns.at(-1)!.push(whose.holder)
      left--
    })
  while (left > 0) {
    turns.push([])
    await setImmediate()
  }
  return turns.filter(({ length }) => length > 0)
}

const most = (turns: string[][]): number => Math.max(...turns.map(({ length }) => length))
const many = <T>(count: number, each: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => each(at))
const ofForge = (holder: string, from = 'a'): Whose => ({ caller: 'c', from, holder })
const ofOwn = (caller: string, from = 'a'): Whose => ({ caller, from, holder: caller })
const forges = (count: number) => many(count, at => ofForge(`forge ${at}`))

t.test('of answers of callers’ forges one goes on in a turn, however many forges they are of', async t => {
  t.equal(
    most(
      await turnsOf(
        many(3, () => ofForge('forge')),
        WHOLE
      )
    ),
    1
  )
  t.equal(most(await turnsOf(forges(9), WHOLE)), 1)
})

t.test('of small ones a few go on in a turn, however many forges they are of', async t => {
  t.equal(
    most(
      await turnsOf(
        many(20, () => ofForge('forge')),
        SMALL
      )
    ),
    8
  )
  t.equal(most(await turnsOf(forges(20), SMALL)), 8)
})

t.test('an address of callers has one share of the turns, however many forges it names', async t => {
  const turns = await turnsOf([...forges(9), ofForge('another', 'b')], WHOLE)
  t.ok(turns.slice(0, 3).flat().includes('another'))
})

t.test(
  'of the operator’s forge one of an address goes on in a turn, and those of a few addresses',
  async t => {
    const [first, second] = await turnsOf([ofOwn('a'), ofOwn('b'), ofOwn('c', 'b')], WHOLE)
    t.same([first, second], [['a', 'c'], ['b']])
    const mostOf = async (count: number, bytes: number, address: (at: number) => string) =>
      most(
        await turnsOf(
          many(count, at => ofOwn(`${at}`, address(at))),
          bytes
        )
      )
    t.same(
      [await mostOf(9, WHOLE, () => 'a'), await mostOf(9, WHOLE, at => `${at}`)],
      [1, 4],
      'however many tokens it has'
    )
    t.same(
      [await mostOf(99, SMALL, () => 'a'), await mostOf(99, SMALL, at => `${at}`)],
      [8, 32],
      'small ones'
    )
  }
)

t.test('a caller waits for one of each other at its address, however many these have', async t => {
  const turns = await turnsOf([...many(20, at => ofOwn(at < 10 ? 'a' : 'b')), ofOwn('c')], WHOLE)
  t.ok(turns.slice(0, 4).flat().includes('c'), turns.flat().join(' '))
})

t.test('where they take long, fewer of all addresses go on in a turn, down to one', async t => {
  const arrived = new ArrivedAnswers()
  const begun = [0]
  let left = 12
  for (const at of Array(left).keys())
    arrived.next(ofOwn(`${at}`, `${at}`), WHOLE, () => {
      spend(6)
      left--
      begun[begun.length - 1]!++
    })
  while (left > 0) {
    begun.push(0)
    await setImmediate()
  }
  t.same(begun.slice(-4), [1, 1, 1, 1])
})

t.test('they do not queue behind those of callers’ forges', async t => {
  const [first] = await turnsOf([...forges(9), ofOwn('own')], WHOLE)
  t.same(first, ['forge 0', 'own'])
})

t.test(
  'an answer that took long has the next ones of its caller’s address, and pages of its forge, read elsewhere',
  async t => {
    const arrived = new ArrivedAnswers()
    const isBusy = (whose: Whose) => arrived.isBusy(whose, WHOLE)
    const next = (whose: Whose) =>
      new Promise<void>(resolve =>
        arrived.next(whose, WHOLE, () => {
          spend(30)
          resolve()
        })
      )
    await next(ofForge('forge'))
    await setImmediate()
    t.ok(arrived.isBusy(ofForge('forge', 'b'), PAGE), 'of that forge')
    t.notOk(isBusy(ofForge('forge', 'b')), 'but not short lists that another address asks for there')
    t.ok(isBusy(ofForge('another')), 'of another forge')
    t.notOk(isBusy(ofForge('another', 'b')), 'but not of another address')
    t.notOk(isBusy(ofOwn('own')), 'or of the operator’s forge')
    t.notOk(arrived.isBusy(ofForge('forge'), SMALL), 'or small ones')
  }
)

t.test('so has one of the operator’s forge that took longer, whichever token asked', async t => {
  const arrived = new ArrivedAnswers()
  await new Promise<void>(resolve =>
    arrived.next(ofOwn('one'), WHOLE, () => {
      spend(30)
      resolve()
    })
  )
  await setImmediate()
  t.ok(arrived.isBusy(ofOwn('another'), WHOLE))
  t.notOk(arrived.isBusy(ofOwn('another'), SMALL), 'small ones are read at once')
  t.notOk(arrived.isBusy(ofOwn('another', 'b'), WHOLE), 'and those of another address')
})
