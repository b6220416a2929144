import t from 'tap'
import { fillTemplate, parseTemplate } from '../../../src/engine/requests/template.ts'

const fill = (source: string, args: Record<string, unknown>) => fillTemplate(parseTemplate(source), args)
const project = (project_id: unknown) => fill('GET /projects/{project_id}/issues', { project_id })
const branch = (branch_name: string) => fill('GET /b/{.branch_name}', { branch_name })
const file = (artifact_path: string) => fill('GET /a/{+artifact_path}', { artifact_path })

t.test('a project is one segment, however it is spelled', async t => {
  t.equal(project('12'), '/projects/12/issues')
  t.equal(project('a/b'), '/projects/a%2Fb/issues')
  t.equal(project('a%2Fb'), '/projects/a%2Fb/issues')
  t.equal(project('a/b/c.d-e_f'), '/projects/a%2Fb%2Fc.d-e_f/issues')
  t.equal(project('größe/ß'), `/projects/${encodeURIComponent('größe/ß')}/issues`)
})

t.test('no spelling of a project climbs, hides or breaks out', async t => {
  for (const value of [
    '..',
    '../x',
    'a/..',
    '%2e%2e',
    '%2E%2E/x',
    '%252e%252e',
    '%25252e',
    'a%2f..%2fb',
    '.',
    'a/./b',
    '',
    '/',
    'a//b',
    'a/',
    'a\\b',
    'a%5cb',
    'a%00b',
    'a\tb',
    'a%0d%0ab',
    '%zz',
    '100%'
  ])
    t.throws(() => project(value), { name: 'ArgumentError', message: /^project_id / }, JSON.stringify(value))
})

t.test('a project that is encoded twice is refused, be there nothing in it that climbs', async t => {
  for (const value of ['acme%252Frocket', '%2561cme/rocket'])
    t.throws(() => project(value), { message: /^project_id is encoded more than once: / }, value)
})

t.test('a project that is empty, or a global id, is told what it is', async t => {
  t.throws(() => project(''), { message: 'project_id is empty.' })
  t.throws(() => project('gid://gitlab/Project/41'), { message: /; give the number at its end\.$/ })
})

t.test('what looks like a query or a fragment stays in the segment', async t => {
  t.equal(project('a?x=1#y'), '/projects/a%3Fx%3D1%23y/issues')
  t.equal(branch('a?b&c#d e'), '/b/a%3Fb%26c%23d%20e')
})

t.test('what follows a dot in free text is no format of the answer', async t => {
  t.equal(branch('feat/a.json'), '/b/feat%2Fa%2Ejson')
  t.throws(() => parseTemplate('GET /b/{branch_name}'), {
    message: '{branch_name} is free text, and is written {.branch_name}'
  })
})

t.test('a branch name is taken as it is: its percent signs are its own', async t => {
  t.equal(branch('feature/x'), '/b/feature%2Fx')
  t.equal(branch('50%'), '/b/50%25')
  t.equal(branch('a%2Fb'), '/b/a%252Fb')
  t.equal(branch('CORP\\team'), '/b/CORP%5Cteam')
  for (const value of ['..', 'a/../b', '%2e%2e', '%252e%252e'])
    t.throws(
      () => branch(value),
      { name: 'ArgumentError', message: /^branch_name has .*"\.\." segment: / },
      value
    )
  t.throws(() => branch('a\u0000'), { name: 'ArgumentError', message: /has a control character/ })
  t.throws(() => branch(''), { name: 'ArgumentError', message: /^branch_name is empty/ })
})

t.test('a label whose name no path can have is told by its id', async t => {
  t.throws(() => fill('GET /l/{.label}', { label: 'and//or' }), {
    message: 'label has an empty, "." or ".." segment: "and//or"; give its id.'
  })
})

t.test('a file path keeps its slashes and nothing else', async t => {
  t.equal(file('out/a b.txt'), '/a/out/a%20b.txt')
  t.equal(file('c#?.log'), '/a/c%23%3F.log')
  t.equal(file('units/srv-my\\x2ddata.mount'), '/a/units/srv-my%5Cx2ddata.mount')
  for (const value of [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    '%2e%2e/x',
    'a\\..\\b',
    '..\\x',
    'a%5c..',
    'a/.\\b'
  ])
    t.throws(
      () => file(value),
      { name: 'ArgumentError', message: /^artifact_path has .*"\.\." segment: / },
      value
    )
})

t.test('a number is digits only', async t => {
  const number = (issue_iid: unknown) => fill('GET /i/{issue_iid}', { issue_iid })
  t.equal(number('7'), '/i/7')
  t.equal(number(7), '/i/7')
  for (const value of ['-1', '1.5', '0x1', '1/2', ' 1', '', '1'.repeat(20)])
    t.throws(() => number(value), { message: /must be a number/ })
})

t.test('a template written wrongly is none', async t => {
  for (const source of ['/x', 'PATCH /x', 'GET x', 'GET /x y'])
    t.throws(() => parseTemplate(source), { message: `"${source}" is not a request template` })
})

t.test('half of a character is the caller’s mistake', async t => {
  for (const value of ['\ud800', 'a\udc00b', 'a/\ud83d'])
    for (const fill of [project, branch, file])
      t.throws(() => fill(value), { name: 'ArgumentError', message: /half of a character/ })
  t.equal(branch('👩‍🚀'), `/b/${encodeURIComponent('👩‍🚀')}`)
})
