import t from 'tap'
import { targetOf } from '../../src/catalog/surface.ts'

t.test('the arguments of a tool that is called through another are taken as they were meant', async t => {
  const args = { project_id: 'acme/rocket' }
  const called = { name: 'get_project', args }
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: args }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: JSON.stringify(args) }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', ...args }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', args }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', params: JSON.stringify(args) }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', input: null }), { name: 'get_project', args: {} })
  t.same(targetOf('call_read_tool', { name: 'get_project' }), { name: 'get_project', args: undefined })
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: '{' }).args, '{')
})

t.test('a tool that is called by itself keeps what it was given', async t => {
  const args = { name: 'get_project', arguments: '{}' }
  t.same(targetOf('get_project', args), { name: 'get_project', args })
  t.same(targetOf('call_read_tool', { name: 'call_write_tool' }).name, 'call_read_tool')
})
