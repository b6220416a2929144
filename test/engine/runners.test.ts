import t from 'tap'
import { Type } from 'typebox'
import { Catalog } from '../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { collect } from '../support/collect.ts'
import { toolRunner } from '../support/run-tool.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'

t.test(
  'the answer of a write is not kept while its row waits for the outcome: thousands of calls wait so',
  async t => {
    const kept: boolean[] = []
    const outcome = async (answer: WeakRef<object>) => {
      // What was made in the same turn is held until it ends.
      await new Promise(setImmediate)
      collect()
      kept.push(answer.deref() !== undefined)
      return { status: 'done' }
    }
    const catalog = new Catalog()
    catalog.addTool(
      rest({
        name: 'start_thing',
        class: 'write',
        title: 'Start',
        summary: 'Start a thing.',
        input: Type.Object({}),
        request: 'PUT /thing',
        shape: record => outcome(new WeakRef(record as object))
      })
    )
    const dispatcher = new ScriptedDispatcher([{ body: { started: true } }])
    const run = await toolRunner({ catalog, dispatcher, patterns: new PatternMatcher() })('start_thing', {})
    t.equal(run.outcome, 'ok')
    t.same(kept, [false])
  }
)
