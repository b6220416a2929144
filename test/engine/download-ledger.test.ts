import t from 'tap'
import { DownloadLedger } from '../../src/engine/downloads/ledger.ts'

const MIB = 1024 * 1024

t.test('an address fills the folder for itself, as however many callers', async t => {
  const ledger = new DownloadLedger({ caller: 10 * MIB, all: 20 * MIB, keepMs: 60_000 })
  const gone: string[] = []
  const save = (owner: string, from: string, size: number) => {
    const { file, gone: first } = ledger.begin(owner, from)
    gone.push(...first, ...ledger.grow(file, size))
    ledger.end(file, { path: `/${owner}`, owner, size, since: 1 })
  }
  save('neighbour', '192.0.2.2', 5 * MIB)
  for (let at = 0; at < 30; at++) save(`made up ${at}`, '192.0.2.1', 1)
  t.notOk(gone.includes('/neighbour'))
  t.equal(gone.length, 15)
  const kept = [{ path: '/neighbour', owner: 'neighbour', size: 5 * MIB, since: 1 }]
  const made = Array.from({ length: 20 }, (_, at) => `made up ${at + 10}`)
  const found = made.map(owner => ({ path: `/${owner}`, owner, size: 1, since: 1 }))
  t.notOk(ledger.adopt([...kept, ...found], 2, 3).includes('/neighbour'), 'nor by what is found later')
})
