import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))

t.test('the demo says what it takes where a flag or a port is none', async t => {
  for (const [flag, says] of [
    ['--port=80x', /^--port takes a number from 0 to 65535, not "80x"\n/],
    ['--onse', /^Unknown option '--onse'/]
  ] as const) {
    const { code, text } = await new Promise<{ code: unknown; text: string }>(done =>
      execFile(process.execPath, [demo, flag], { env: { PATH: process.env.PATH } }, (error, _, text) =>
        done({ code: error?.code, text })
      )
    )
    t.equal(code, 1)
    t.match(text, says)
    t.match(text, /npm run demo -- \[--once\] \[--port N\]\n$/)
  }
})
