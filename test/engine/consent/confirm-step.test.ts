import t from 'tap'
import { confirmStep } from '../../../src/engine/consent/confirm.ts'
import type { ToolContext } from '../../../src/engine/context.ts'

const step = confirmStep({
  read: 'GET /packages/{package_id}',
  field: 'name',
  noun: 'package',
  beside: 'version'
})

/** What a person is shown of a record with these fields, whose name is given. */
function shownOf(record: { readonly name: string; readonly version?: string }) {
  const forge = { send: async () => ({ value: record }) } as unknown as ToolContext['forge']
  const names = {} as ToolContext['names']
  const known = {} as ToolContext['known']
  return step({ package_id: 1, confirm: record.name }, { forge, names, known })
}

t.test('a record that shares its name is shown with what tells it from the others', async t => {
  t.equal(await shownOf({ name: 'rocket', version: '1.4.0' }), 'rocket 1.4.0')
  t.equal(await shownOf({ name: 'rocket' }), 'rocket')
  t.match(await shownOf({ name: 'r'.repeat(250), version: '1.4.0' }), /^r{120}… 1\.4\.0$/)
})
