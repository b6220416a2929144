import nock from 'nock'
import t, { type Test } from 'tap'

// While nock is active, it replaces sockets. Tests of real sockets in the same process would notice, so it is off by
// default.
nock.restore()

/** A test whose forge is a script of nock's. Nothing else can be reached, and every scripted request has to be sent. */
export function scripted(title: string, run: (t: Test) => Promise<void>): void {
  t.test(title, async t => {
    nock.activate()
    nock.disableNetConnect()
    t.teardown(() => {
      nock.cleanAll()
      nock.enableNetConnect()
      nock.restore()
    })
    await run(t)
    t.same(nock.pendingMocks(), [], 'all that was scripted was asked')
  })
}

export { nock }
