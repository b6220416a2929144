import t from 'tap'
import { isLeftOut } from '../../../src/upstream/connections/proxied.ts'

t.test('NO_PROXY leaves out hosts and what is below them, at a port if it names one', async t => {
  for (const [host, no, isOut] of [
    ['forge.example', '', false],
    ['forge.example', '*', true],
    ['forge.example:8080', 'other.example, FORGE.example', true],
    ['forge.example', '.example', true],
    ['forge.example', '*.forge.example', false],
    ['a.forge.example', '*.forge.example', true],
    ['notforge.example', 'forge.example', false],
    ['forge.example:8080', 'forge.example:8080', true],
    ['forge.example:8081', 'forge.example:8080', false],
    ['[::1]:8080', '::1', true],
    ['[::1]:8080', '[::1]:8080', true],
    ['10.0.0.5', '10.0.0.0/8', false]
  ] as const)
    t.equal(isLeftOut(host, no), isOut, `${host} of ${no}`)
})
