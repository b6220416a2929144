import t from 'tap'
import { InOrder, type Linked } from '../../src/collections/in-order.ts'

interface Item extends Linked<Item> {
  readonly name: string
}

const item = (name: string): Item => ({ name, previous: undefined, next: undefined })

function listOf(...names: string[]) {
  const list = new InOrder<Item>()
  const items = names.map(item)
  for (const one of items) list.append(one)
  return { list, items }
}

function names({ first }: InOrder<Item>): string[] {
  const found = []
  for (let one = first; one !== undefined; one = one.next) found.push(one.name)
  return found
}

t.test('keeps what is appended in order', async t => {
  t.same(names(listOf().list), [])
  t.same(names(listOf('a', 'b', 'c').list), ['a', 'b', 'c'])
})

t.test('lets go of the first, the last, one between, and the only one', async t => {
  for (const [gone, left] of [
    [0, ['b', 'c']],
    [1, ['a', 'c']],
    [2, ['a', 'b']]
  ] as const) {
    const { list, items } = listOf('a', 'b', 'c')
    list.remove(items[gone]!)
    t.same(names(list), left)
    list.append(item('d'))
    t.same(names(list), [...left, 'd'])
  }
  const { list, items } = listOf('a')
  list.remove(items[0]!)
  t.equal(list.first, undefined)
})

t.test('what is gone keeps nothing of the list, and can be appended again', async t => {
  const { list, items } = listOf('a', 'b', 'c')
  const [, b] = items
  list.remove(b!)
  t.same([b!.previous, b!.next], [undefined, undefined])
  list.append(b!)
  t.same(names(list), ['a', 'c', 'b'])
})
