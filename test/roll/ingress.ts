import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/listen.ts'

/*
 * haproxy as an ingress: endpoints come and go by its run-time interface, without a reload, as they do in an
 * ingress controller. It knows nothing of a pod's health; it does what the list of endpoints says.
 */

const SLOTS = 10

export interface Ingress {
  /** Sends each request once: what an unready endpoint refuses is lost. */
  readonly strict: string
  /** Tries another endpoint when one does not even accept the connection, as ingress controllers do. */
  readonly retrying: string
  /** Adds the endpoint http://127.0.0.1:PORT. @returns what takes it out again */
  add(url: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

const configuration = (socket: string, strict: number, retrying: number): string => `
global
  stats socket ${socket} mode 600 level admin
  nbthread 1
  maxconn 512
defaults
  mode http
  # Kept connections to pods are shared by all clients, which is where a pod that closes one too early shows.
  http-reuse always
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout queue 2s
  timeout http-keep-alive 60s
frontend strict
  http-after-response set-header x-pod %[srv_name]
  bind 127.0.0.1:${strict}
  default_backend strict
frontend retrying
  http-after-response set-header x-pod %[srv_name]
  bind 127.0.0.1:${retrying}
  default_backend retrying
backend strict
  balance roundrobin
  retries 0
  server-template pod 1-${SLOTS} 127.0.0.1:1 disabled
backend retrying
  balance roundrobin
  retries 3
  retry-on conn-failure
  option redispatch 1
  server-template pod 1-${SLOTS} 127.0.0.1:1 disabled
`

/** Starts haproxy on two free loopback ports. */
export async function startIngress(): Promise<Ingress> {
  const folder = mkdtempSync(join(tmpdir(), 'roll-'))
  const socket = join(folder, 'admin.sock')
  const [strict, retrying] = [await freePort(), await freePort()]
  writeFileSync(join(folder, 'haproxy.cfg'), configuration(socket, strict, retrying))
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let complaints = ''
  child.stderr.on('data', chunk => (complaints += chunk))
  await once(child, 'spawn').catch(() => {
    throw new Error('haproxy is needed: apt-get install haproxy')
  })
  // Its own socket has its name a little later than the ports are open.
  for (const place of [{ port: strict, host: '127.0.0.1' }, { path: socket }])
    await listening(child, place, () => complaints)

  const free = Array.from({ length: SLOTS }, (_, index) => `pod${index + 1}`)
  const tell = (words: string) => command(socket, words)
  const both = async (slot: string, words: string) => {
    for (const backend of ['strict', 'retrying']) await tell(`set server ${backend}/${slot} ${words}`)
  }
  return {
    strict: `http://127.0.0.1:${strict}/mcp`,
    retrying: `http://127.0.0.1:${retrying}/mcp`,
    async add(url) {
      const slot = free.shift()
      if (slot === undefined) throw new Error('more pods than the proxy has room for')
      await both(slot, `addr 127.0.0.1 port ${new URL(url).port}`)
      await both(slot, 'state ready')
      return async () => {
        await both(slot, 'state maint')
        free.push(slot)
      }
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** One command of the run-time interface; an answer is a complaint, but for what it says about an address. */
async function command(socket: string, words: string): Promise<void> {
  const connection = connect(socket)
  connection.end(`${words}\n`)
  let answer = ''
  for await (const chunk of connection) answer += chunk
  if (answer.trim() !== '' && !/changed from|no need to change/.test(answer))
    throw new Error(`haproxy, on "${words}": ${answer.trim()}`)
}

async function listening(
  child: ChildProcess,
  place: NetConnectOpts,
  complaints: () => string
): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${complaints()}`)
    const socket = connect(place)
    const open = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (open) return
    await sleep(50)
  }
  throw new Error('haproxy does not listen')
}
