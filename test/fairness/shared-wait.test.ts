import t from 'tap'
import { Cancellation } from '../../src/base/cancellation.ts'
import { SharedWait } from '../../src/fairness/shared-wait.ts'

/** Something that is found when it is told to. */
function search() {
  let resolve = (_: string): void => {}
  const promise = new Promise<string>(found => {
    resolve = found
  })
  return { promise, resolve }
}

t.test('all who wait get the result, once nobody else begins to wait for it', async t => {
  const order: string[] = []
  const running = search()
  const shared = new SharedWait(running.promise, () => order.push('end'))
  const waits = [shared.wait(undefined), shared.wait(new Cancellation())].map(wait =>
    wait.then(value => order.push(value))
  )
  running.resolve('found')
  await Promise.all(waits)
  t.same(order, ['end', 'found', 'found'])
})

t.test('all learn of a failure', async t => {
  const shared = new SharedWait(Promise.reject(new Error('none')), () => {})
  await t.rejects(shared.wait(undefined), { message: 'none' })
})

t.test('who goes waits no longer, and the others do', async t => {
  const running = search()
  const shared = new SharedWait(running.promise, () => {})
  const gone = new Cancellation()
  const [left, stays] = [shared.wait(gone), shared.wait(undefined)]
  gone.abort()
  await t.rejects(left, { name: 'CancelledError' })
  await t.rejects(shared.wait(gone), { name: 'CancelledError' }, 'who has gone before, too')
  running.resolve('found')
  t.equal(await stays, 'found')
})
