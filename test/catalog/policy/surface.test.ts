import t from 'tap'
import { targetOf } from '../../../src/catalog/policy/surface.ts'

t.test('the arguments of a tool that is called through another are taken as they were meant', async t => {
  const args = { project_id: 'acme/rocket' }
  const called = { name: 'get_project', args }
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: args }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: JSON.stringify(args) }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', ...args }), called)
  for (const other of ['args', 'input', 'inputs', 'parameters', 'params'])
    t.same(targetOf('call_read_tool', { name: 'get_project', [other]: args }), called, other)
  t.same(targetOf('call_read_tool', { name: 'get_project', params: JSON.stringify(args) }), called)
  t.same(targetOf('call_read_tool', { name: 'get_project', input: null }), { name: 'get_project', args: {} })
  t.same(targetOf('call_read_tool', { name: 'get_project' }), { name: 'get_project', args: undefined })
  t.same(targetOf('call_read_tool', { name: 'get_project', arguments: '{' }).args, '{')
})

t.test('what stands beside the arguments belongs to them, and is not dropped without a word', async t => {
  const target = (more: object) => targetOf('call_write_tool', { name: 'create_issue', ...more })
  const given = { project_id: '1', title: 'Boom' }
  const beside = { labels: ['bug'], confidential: true }
  const args = { ...given, ...beside }
  t.same(target({ arguments: given, ...beside }), { name: 'create_issue', args })
  t.same(target({ arguments: JSON.stringify(given), ...beside }).args, args)
  t.same(target({ arguments: {}, ...args }).args, args)
  t.same(target({ arguments: null, ...args }).args, args)
  t.same(target({ arguments: args, ...beside, weight: null }).args, args, 'given twice alike')
  t.same(target({ arguments: { ...given, labels: null }, ...beside }).args, args, 'null is not given')
  t.same(target({ arguments: [], ...beside }).args, [], 'what is no record is for its reader to refuse')
  t.match(target({ arguments: args, labels: ['feature'] }), {
    problem:
      'Invalid arguments: "labels" stands in arguments and, with another value, beside them: give it once.'
  })
  const own = { arguments: given, ...JSON.parse('{"__proto__": {"title": "x"}, "constructor": "x"}') }
  t.equal(target(own).problem, undefined)
  t.same(Object.keys(target(own).args as object), ['project_id', 'title', '__proto__', 'constructor'])
})

t.test('a tool that is called by itself keeps what it was given', async t => {
  const args = { name: 'get_project', arguments: '{}' }
  t.same(targetOf('get_project', args), { name: 'get_project', args })
  t.same(targetOf('call_read_tool', { name: 'call_write_tool' }).name, 'call_read_tool')
})

t.test('a text in the place of the arguments is not taken apart: each character would be one', async t => {
  const text = 'x'.repeat(4_000_000)
  const before = process.cpuUsage()
  t.equal(targetOf('call_read_tool', text).args, text)
  const { user, system } = process.cpuUsage(before)
  t.ok(user + system < 1_000_000, 'it took some seconds of one core, and the memory of the container')
  t.same(targetOf('call_read_tool', ['get_project']).name, 'call_read_tool')
})
