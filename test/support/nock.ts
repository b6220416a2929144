import nock from 'nock'
import t, { type Test } from 'tap'

// While it is active it stands in for sockets, which tests of real ones in the same process would notice.
nock.restore()

/** A test whose forge is a script of nock's: nothing else is reached, and all of the script has to be asked for. */
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
