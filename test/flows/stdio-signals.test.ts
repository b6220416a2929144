import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { serviceCommand } from '../support/built.ts'
import { envelope } from '../support/modern.ts'
import { request, TOKEN } from '../support/server.ts'

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  t.test(
    `${signal} ends an idle server over stdio at once, its subscriptions answered, and nothing else was said`,
    async t => {
      const { command, args } = await serviceCommand([
        '--streamable-http=false',
        '--forge-api-url=http://127.0.0.1:9'
      ])
      const child = spawn(command, args, {
        env: { PATH: process.env.PATH, FORGE_PERSONAL_ACCESS_TOKEN: TOKEN, LOG_LEVEL: 'trace' },
        stdio: ['pipe', 'pipe', 'ignore']
      })
      t.teardown(() => child.kill('SIGKILL'))
      const lines: unknown[] = []
      const output = createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line)))
      const params = { notifications: { toolsListChanged: true }, _meta: envelope() }
      child.stdin.write(`${JSON.stringify(request('subscriptions/listen', params, 's'))}\n`)
      await once(output, 'line')
      const started = performance.now()
      child.kill(signal)
      const [code] = await once(child, 'close')
      const ms = Math.round(performance.now() - started)
      t.equal(code, 0)
      t.match(lines, [{ method: 'notifications/subscriptions/acknowledged' }, { id: 's', result: {} }])
      t.equal(lines.length, 2)
      t.comment(`${ms} ms`)
      // The bound is a second; a machine that is busy with other tests gets as long as nothing else would take.
      t.ok(ms < 30_000)
    }
  )
