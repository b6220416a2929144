import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { holdsNobody } from '../support/callers-forge.ts'
import { dearChain } from '../support/dear-certificates.ts'

/* Forges of callers whose certificates are dear to check: half a second of the event loop for each connection. */

/** Runs in a process of its own, as sending and signing take time too. */
const program = `
const { key, cert } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const server = require('node:https').createServer({ key, cert }, (request, response) => {
  response.writeHead(200, { connection: 'close' }).end('{"name":"main"}')
})
server.listen(0, '127.0.0.3', () => console.log(server.address().port))
`

async function dearForge(t: Test, authorities: number): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], { env: { PATH: process.env.PATH } })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin.end(JSON.stringify(dearChain(authorities)))
  const [port] = await once(child.stdout, 'data')
  return `https://127.0.0.3:${String(port).trim()}`
}

for (const [title, authorities] of [
  ['the longest that TLS takes', 74],
  ['those of any forge', 1]
] as const)
  t.test(`certificates as long as ${title} hold nobody for longer than two yardsticks`, async t => {
    const says = new Set<string>()
    await holdsNobody(t, await dearForge(t, authorities), 10, answer => {
      says.add(/\((\w+)\)\./.exec(JSON.stringify(answer))?.[1] ?? '')
    })
    t.ok(
      says.has(authorities > 10 ? 'ERR_TLS_LONG_HANDSHAKE' : 'SELF_SIGNED_CERT_IN_CHAIN'),
      [...says].join(' ')
    )
  })
