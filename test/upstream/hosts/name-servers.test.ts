import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { HostFiles } from '../../../src/upstream/hosts/host-files.ts'
import { nameServerLookup } from '../../../src/upstream/hosts/name-servers.ts'

const failing = (code: string) => Object.assign(new Error(code), { code })

/** A resolver that others are asked by. */
const others = { getServers: () => ['192.0.2.53'], setServers: () => {} }

/** Name servers that know `names`: addresses, or how they fail. */
function setup(
  names: Record<string, string[] | string>,
  { hosts = {} as Record<string, string[]>, search = [] as string[], ndots = 1 } = {}
) {
  const asked: string[] = []
  const answer = (family: string) => async (name: string) => {
    asked.push(`${name} ${family}`)
    const known = names[name] ?? 'ENOTFOUND'
    if (known === 'silent') return new Promise<never>(() => {})
    if (typeof known === 'string') throw failing(known)
    const found = known.filter(address => address.includes(':') === (family === '6'))
    if (found.length === 0) throw failing('ENODATA')
    return found
  }
  const files = { read: async () => ({ hosts: new Map(Object.entries(hosts)), search, ndots, resolver: '' }) }
  const lookup = nameServerLookup(
    files,
    () => ({ ...others, resolve4: answer('4'), resolve6: answer('6') }) as never
  )
  const find = (name: string, options: object = { all: true }) =>
    new Promise<unknown>((resolve, reject) =>
      lookup(name, options, (error, found) => (error === null ? resolve(found) : reject(error)))
    )
  return { find, asked }
}

const four = { address: '192.0.2.1', family: 4 }
const six = { address: '2001:db8::1', family: 6 }

t.test('a name has the addresses of both families, the older one first', async t => {
  const { find } = setup({ 'forge.example': ['2001:db8::1', '192.0.2.1'] })
  t.same(await find('forge.example'), [four, six])
  t.same(await find('FORGE.example.', { all: true, family: 6 }), [six])
  t.equal(await find('forge.example', {}), '192.0.2.1')
})

t.test(
  'of thousands of addresses ten of a family are taken: each is kept, and checked at each connect',
  async t => {
    const many = (prefix: string) => Array.from({ length: 4000 }, (_, at) => `${prefix}${(at % 250) + 1}`)
    const { find } = setup({ 'forge.example': [...many('192.0.2.'), ...many('2001:db8::')] })
    const found = (await find('forge.example')) as { family: number }[]
    t.same(
      [4, 6].map(family => found.filter(one => one.family === family).length),
      [10, 10]
    )
  }
)

t.test('a family that is not answered does not hold up the other', async t => {
  const { find } = setup({ 'forge.example': ['192.0.2.1'] })
  t.same(await find('forge.example'), [four])
  const resolver = {
    ...others,
    resolve4: async () => ['192.0.2.1'],
    resolve6: () => new Promise<never>(() => {})
  }
  const files = { read: async () => ({ hosts: new Map(), search: [], ndots: 1, resolver: '' }) }
  const lookup = nameServerLookup(files, () => resolver as never)
  t.same(
    await new Promise((resolve, reject) =>
      lookup('forge.example', { all: true }, (error, found) =>
        error === null ? resolve(found) : reject(error)
      )
    ),
    [four]
  )
})

t.test('an answer of no address, as of another name that has none, is one that there is none', async t => {
  const answers = (four: string[], six: string[], ms = 0) => {
    const resolver = {
      ...others,
      resolve4: async () => {
        await sleep(ms)
        return four
      },
      resolve6: async () => six
    }
    const files = { read: async () => ({ hosts: new Map(), search: [], ndots: 1, resolver: '' }) }
    const lookup = nameServerLookup(files, () => resolver as never)
    return (options: object) =>
      new Promise<unknown>((resolve, reject) =>
        lookup('forge.example', options, (error, found) => (error === null ? resolve(found) : reject(error)))
      )
  }
  const none = answers([], [])
  await t.rejects(none({ all: true }), { code: 'ENODATA' })
  await t.rejects(none({}), { code: 'ENODATA' })
  const late = answers(['192.0.2.1'], [], 200)
  t.same(await late({ all: true }), [four], 'it is no reason not to wait for the other family')
})

t.test('the machine’s own files come first, and localhost is this machine', async t => {
  const { find, asked } = setup({}, { hosts: { 'forge.example': ['192.0.2.1', '2001:db8::1'] } })
  t.same(await find('forge.example'), [four, six])
  t.same(await find('forge.example', { all: true, family: 'IPv6' }), [six])
  t.same(await find('a.localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 }
  ])
  t.same(asked, [])
})

t.test('short names go through the search list first, long ones last', async t => {
  const options = { search: ['team.svc.local', 'svc.local'], ndots: 2 }
  const inside = setup({ 'forge.team.svc.local': ['192.0.2.1'], 'forge.team': ['192.0.2.9'] }, options)
  t.same(await inside.find('forge.team'), [four])
  t.same(inside.asked.slice(0, 2), ['forge.team.team.svc.local 4', 'forge.team.team.svc.local 6'])
  const outside = setup({ 'git.forge.example': ['192.0.2.1'] }, options)
  t.same(await outside.find('git.forge.example'), [four])
  t.same(outside.asked, ['git.forge.example 4', 'git.forge.example 6'])
  const dotted = setup({ 'forge.team': ['192.0.2.1'] }, options)
  t.same(await dotted.find('forge.team.'), [four], 'with a dot at its end it is whole')
  t.same(dotted.asked, ['forge.team 4', 'forge.team 6'])
})

t.test('a name that is not there is told so; a server that fails ends the search', async t => {
  await t.rejects(setup({}).find('forge.example'), { code: 'ENOTFOUND' })
  const options = { search: ['svc.local'], ndots: 5 }
  const names = { 'forge.svc.local': 'ESERVFAIL', forge: ['192.0.2.1'] }
  // Another host would get the token.
  await t.rejects(setup(names, options).find('forge'), { code: 'ESERVFAIL' })
})

t.test('a look-up that breaks off ends no other, where the one name server is this machine’s', async t => {
  // Node looks for another one then, unless it was told of this, and ends what is under way.
  const toldOf = async (servers: string[]) => {
    const told: string[][] = []
    const resolver = {
      getServers: () => servers,
      setServers: (servers: string[]) => told.push(servers),
      resolve4: async () => ['192.0.2.1'],
      resolve6: async () => []
    }
    const files = { read: async () => ({ hosts: new Map(), search: [], ndots: 1, resolver: '' }) }
    const lookup = nameServerLookup(files, () => resolver as never)
    for (const name of ['forge.example', 'other.example'])
      await new Promise(resolve => lookup(name, { all: true }, resolve))
    return told
  }
  t.same(await toldOf(['127.0.0.1']), [['127.0.0.1']])
  // One may have a zone, which cannot be told.
  t.same(await toldOf(['fe80::1%eth0']), [])
  t.same(await toldOf(['127.0.0.1', '192.0.2.53']), [])
})

/** A look-up at a name server that knows every name; those with `slow` take so long, and answers for `broken` are damaged. */
async function lookupOfAll(slowMs: number) {
  const server = createSocket('udp4').on('message', (question, { port }) => {
    const end = question.indexOf(0, 12) + 5
    const isSlow = question.subarray(12, end).includes('slow')
    const isBroken = question.subarray(12, end).includes('broken')
    const isFour = question.readUInt16BE(end - 4) === 1
    const answer = Buffer.concat([
      question.subarray(0, 2),
      Buffer.from([0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0]),
      question.subarray(12, end),
      Buffer.from(isFour ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, isBroken ? 3 : 4, 192, 0, 2, 1] : [])
    ])
    setTimeout(() => server.send(answer, port, '127.0.0.1'), isSlow ? slowMs : 0)
  })
  // Not closed: a second answer to the slow question may still be to come.
  server.bind(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const files = { read: async () => ({ hosts: new Map(), search: [], ndots: 1, resolver: '' }) }
  const lookup = nameServerLookup(files, how => {
    const resolver = new promises.Resolver(how)
    resolver.setServers([`127.0.0.1:${server.address().port}`])
    return resolver
  })
  return (name: string) =>
    new Promise<unknown>((resolve, reject) =>
      lookup(name, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)))
    )
}

t.test('a name that takes a second is found beside many that are there at once', async t => {
  const find = await lookupOfAll(1000)
  let isOver = false
  const quick = async () => {
    for (let at = 0; !isOver; at++) await find(`quick${at}.example`).catch(() => undefined)
  }
  const others = quick()
  await sleep(200)
  const found = await find('slow.example').finally(() => {
    isOver = true
  })
  t.same(found, [four])
  await others
})

t.test('answers that cannot be read fail no other look-up', async t => {
  const find = await lookupOfAll(200)
  let isOver = false
  const broken = async (of: number) => {
    for (let at = 0; !isOver; at++)
      await find(`broken${of}-${at}.example`).catch(({ code }) => code === 'EBADRESP' || t.fail(code))
  }
  const others = [1, 2, 3, 4].map(broken)
  await sleep(50)
  t.same(
    await find('slow.example').finally(() => {
      isOver = true
    }),
    [four]
  )
  await Promise.all(others)
})

t.test('the machine’s own files', async t => {
  const dir = t.testdir({
    hosts:
      '127.0.0.1 localhost\n# 192.0.2.9 not.example\n192.0.2.1\tForge.Example forge # alias\n2001:db8::1 forge\n',
    resolver:
      'nameserver 192.0.2.53\ndomain old.example\nsearch a.example b.example ; c\noptions edns0 ndots:5\n'
  })
  let now = 0
  const paths = { hosts: join(dir, 'hosts'), resolver: join(dir, 'resolver') }
  const files = new HostFiles(paths, () => now)
  const { hosts, search, ndots } = await files.read()
  t.same(
    [hosts.get('forge.example'), hosts.get('forge'), hosts.get('not.example')],
    [['192.0.2.1'], ['192.0.2.1', '2001:db8::1'], undefined]
  )
  t.same([search, ndots], [['a.example', 'b.example'], 5])

  t.test('are read again after a while', async t => {
    writeFileSync(paths.hosts, '192.0.2.2 forge\n')
    t.same((await files.read()).hosts.get('forge'), ['192.0.2.1', '2001:db8::1'])
    now = 10_000
    t.same((await files.read()).hosts.get('forge'), ['192.0.2.2'])
  })
  t.test('need not be there', async t => {
    const none = new HostFiles({ hosts: join(dir, 'none'), resolver: join(dir, 'none') })
    t.match(await none.read(), { search: [], ndots: 1, resolver: '' })
  })
})
