import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../support/listen.ts'
import { startServer } from '../../support/process.ts'

/** More than the 512 that Node asks the kernel for, and fewer than the 4,096 that Linux lets a program ask for. */
const COUNT = 700

/** What the kernel lets a program ask for is a setting of the machine: of older ones, 128. */
const isLet = () => Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) > COUNT

t.test(
  'the kernel keeps hundreds of connections, at both ports, while the process is busy',
  { skip: process.platform !== 'linux' || !isLet() },
  async t => {
    const metrics = await freePort()
    const server = await startServer(t, { METRICS_PORT: String(metrics) })
    server.child.kill('SIGSTOP')
    for (const port of [Number(new URL(server.url).port), metrics]) {
      let connected = 0
      const sockets = Array.from({ length: COUNT }, () =>
        connect(port, '127.0.0.1', () => connected++).on('error', () => {})
      )
      t.teardown(() => {
        for (const socket of sockets) socket.destroy()
      })
      // Attempts beyond it are dropped, and made again for longer than this.
      for (const end = performance.now() + 10_000; connected < COUNT && performance.now() < end; )
        await sleep(20)
      t.equal(connected, COUNT)
    }
  }
)
