import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'

/*
 * Loaded into a server process before anything else. It simulates a machine whose name servers never answer for names
 * below silent.example. As on a real machine, the system's resolver has two threads, and an unanswered question
 * occupies one for ten seconds. The variable NAMES gives the addresses of names that are answered.
 */

const THREADS = 2
const HELD_MS = 10_000

const known = new Map(Object.entries(JSON.parse(process.env.NAMES ?? '{}') as Record<string, string>))
const waiting: (() => void)[] = []
let running = 0

const done = (): void => {
  running--
  waiting.shift()?.()
}

function lookup(hostname: string, options: dns.LookupOptions, callback: (...answer: unknown[]) => void) {
  const begin = () => {
    running++
    const address = isIP(hostname) ? hostname : known.get(hostname)
    const end = () => {
      done()
      if (address === undefined) callback(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }))
      else if (options.all) callback(null, [{ address, family: 4 }])
      else callback(null, address, 4)
    }
    setTimeout(end, address === undefined ? HELD_MS : 1)
  }
  if (running < THREADS) begin()
  else waiting.push(begin)
}

const silent = createSocket('udp4')
silent.bind(0, '127.0.0.1')
silent.unref()

class Resolver extends dns.promises.Resolver {
  constructor(options?: dns.ResolverOptions) {
    super(options)
    this.setServers([`127.0.0.1:${silent.address().port}`])
  }
}

Object.assign(dns, { lookup })
Object.assign(dns.promises, { Resolver })
syncBuiltinESMExports()
