import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { completions as sources } from '../../completions/index.ts'
import { Cancellation } from '../../src/base/cancellation.ts'
import { Completions } from '../../src/completions/completions.ts'
import { mostInATurn } from '../support/in-turns.ts'

const projects = sources.find(({ name }) => name === 'project_id')!
const asked = { source: projects.name, typed: 'ro', given: {}, titled: false }

/** A service whose forge answers when it is told to, and one caller's requests to it. */
function setup() {
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  let asks = 0
  const use = async () => {
    asks++
    await answered
    return { result: { candidates: [{ value: 'acme/rocket' }], isWhole: true } }
  }
  const policy = { refusal: () => undefined, allowedProjects: [], defaultProject: '' }
  const catalog = { find: () => ({}), policy }
  const service = new Completions(catalog as never, { use } as never)
  service.add(projects)
  const session = { credential: { kind: 'bearer', token: 'x'.repeat(20) }, activated: 0 }
  const complete = (signal = new Cancellation()) =>
    service.complete(asked, { session, signal, holder: '192.0.2.1' } as never)
  return { complete, answer, asks: () => asks }
}

t.test('those who have waited for one answer have it a few in a turn of the event loop', async t => {
  const { complete, answer, asks } = setup()
  const all = Array.from({ length: 40 }, async () => t.same((await complete()).values, ['acme/rocket']))
  await setImmediate()
  answer()
  const most = await mostInATurn(all)
  await Promise.all(all)
  t.ok(most < 10, `${most} in a turn`)
  t.equal(asks(), 1)
})

t.test('whoever has gone meanwhile has nothing looked for', async t => {
  const { complete, answer } = setup()
  const gone = new Cancellation()
  const first = complete()
  const second = complete(gone)
  gone.abort()
  answer()
  await first
  await t.rejects(second, { name: 'CancelledError' })
})
