import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { codeAt } from '../../../tools/pipelines/diagnosis/failing-code.ts'

t.test('no file is asked for at a commit whose name no address can hold', async t => {
  let asked = 0
  const stream = async () => {
    asked++
    throw new Error('not to be asked')
  }
  const context = { forge: { stream } } as unknown as ToolContext
  const places = [{ path: 'a.ts', line: 1 }]
  const sha = 'é'.repeat(20_000)
  t.same(await codeAt({ project_id: '1', sha }, places, context), [])
  t.equal(asked, 0)
})
