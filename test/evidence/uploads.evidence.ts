import t from 'tap'
import { type Forge, startForge } from '../forge/index.ts'
import { Unavailable } from '../support/program.ts'
import type { Driver } from './support/driver.ts'
import { clientGoDriver, gitbeakerDriver, pythonDriver } from './support/drivers.ts'
import { enter } from './support/ledger.ts'

/* Files that others send as forms, and what the sandbox forge keeps of them. */

/** All bytes there are, and what ends a part of a form, in a name that a header has to escape. */
const filename = 'Prüf "bericht" 1.bin'
const content = Buffer.concat([Buffer.from([...Array(256).keys()]), Buffer.from('\r\n--boundary--\r\n\r\n')])

for (const [name, start] of [
  ['client-go', clientGoDriver],
  ['python-gitlab', pythonDriver],
  ['@gitbeaker/rest', gitbeakerDriver]
] as const)
  t.test(`a file that ${name} uploads is kept byte for byte`, async t => {
    const title = `3 Clients of the sandbox forge: ${name}, files`
    const forge: Forge = await startForge({ sample: true })
    t.teardown(() => forge.close())
    const driver: Driver | string = await start(forge).catch(error => {
      if (error instanceof Unavailable) return error.message
      throw error
    })
    const part = `uploads-${name.replace(/\W/g, '')}`
    if (typeof driver === 'string') {
      enter(part, { title, source: name, skipped: driver, confirmed: {} })
      return t.comment(`skipped: ${driver}`)
    }
    const { value, error } = await driver.upload!('acme/rocket', { filename, content })
    await driver.close()
    t.equal(error, undefined)
    t.same(forge.violations, [], 'and the form is as the contract has it')
    const { url = '', markdown } = value as { url?: string; markdown?: string }
    t.match(markdown, new RegExp(`\\(${url}\\)$`), 'its address in a text is read')
    const path = `/projects/acme%2Frocket${url.replace(/[^/]+$/, encodeURIComponent)}`
    const answer = await fetch(forge.apiUrl + path, { headers: { 'private-token': forge.tokens.margaret! } })
    const kept = Buffer.from(await answer.arrayBuffer())
    t.ok(kept.equals(content), 'what was sent')
    enter(part, { title, source: driver.name, confirmed: { 'bytes of an upload kept': kept.length } })
  })
