import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { demoFlags } from './support/demo-flags.ts'

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))

const run = (flags: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: unknown; text: string }>(done =>
    execFile(
      process.execPath,
      [demo, ...flags],
      { env: { PATH: process.env.PATH, ...env } },
      (error, _, text) => done({ code: error?.code, text })
    )
  )

t.test('the demo says what it takes where a flag or a port is none', async t => {
  const runs = [
    [run(['--port=80x']), /^--port, or PORT, takes a number from 0 to 65535, not "80x"\n/],
    [run(['--onse']), /^Unknown option '--onse'/]
  ] as const
  for (const [running, says] of runs) {
    const { code, text } = await running
    t.equal(code, 1)
    t.match(text, says)
    t.match(text, /npm run demo -- \[--once\] \[--port N\]\n$/)
  }
})

t.test('the demo takes its flags as npm hands them on, with and without the -- before them', async t => {
  const both = { once: true, port: '4000' }
  t.same(demoFlags(['--once', '--port', '4000'], {}), both)
  t.same(demoFlags([], { npm_config_once: 'true', npm_config_port: '4000' }), both)
  t.same(demoFlags([], { npm_config_once: '', PORT: '5000' }), { once: false, port: '5000' })
  t.throws(() => demoFlags(['4000'], { npm_config_port: 'true' }), { message: /Unexpected argument '4000'/ })
})

t.test('the demo does not run on another port than the one that was asked for', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  for (const asked of [run(['--once', `--port=${port}`]), run(['--once'], { PORT: `${port}` })])
    t.same(await asked, {
      code: 1,
      text: `port ${port} is taken by another program: end that, or choose another --port.\n`
    })
})
