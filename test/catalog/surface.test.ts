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

t.test('a text in the place of the arguments is not taken apart: each character would be one', async t => {
  const text = 'x'.repeat(4_000_000)
  const began = performance.now()
  t.equal(targetOf('call_read_tool', text).args, text)
  t.ok(performance.now() - began < 300, 'it took some seconds, and the memory of the container')
  t.same(targetOf('call_read_tool', ['get_project']).name, 'call_read_tool')
})
