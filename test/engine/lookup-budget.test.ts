import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { Names } from '../../src/engine/facts/names.ts'
import { briefly, LookupBudget } from '../../src/engine/lookup-budget.ts'
import { explainFailure } from '../../src/results/failure.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { UnseenBudget } from '../../src/results/unseen-in-names.ts'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
import type { ForgeRequest } from '../../src/upstream/request.ts'
import { toolsets } from '../../tools/index.ts'
import { unaskable } from '../support/unaskable.ts'
import { until } from '../support/until.ts'

const never = () => new Promise<never>(() => {})

t.test('all lookups of a call together take no longer than one may', async t => {
  let now = 0
  const lookups = new LookupBudget(20, () => now)
  const took = (ms: number) => async () => {
    now += ms
    return 'seen'
  }
  t.equal(await lookups.within(took(15)), 'seen')
  t.equal(await lookups.within(took(15)), 'seen')
  t.equal(await lookups.within(took(0)), undefined, 'the time is over')
})

t.test('lookups that run side by side take the time that one of them does', async t => {
  let now = 0
  const lookups = new LookupBudget(20, () => now)
  const ends: ((said: string) => void)[] = []
  const look = () => new Promise<string>(resolve => ends.push(resolve))
  const both = [lookups.within(look), lookups.within(look)]
  now = 10
  ends[0]!('seen')
  t.equal(await both[0], 'seen')
  now = 15
  ends[1]!('seen, too')
  t.equal(await both[1], 'seen, too')
  t.equal(await lookups.within(async () => 'seen last'), 'seen last', 'a quarter of the time is left')
  const third = lookups.within(never)
  now = 35
  t.equal(await lookups.within(async () => 'seen'), undefined, 'the time is over while one runs')
  await third
})

t.test('a look that fails in time fails, and one that does not end is waited for no longer', async t => {
  const lookups = new LookupBudget(20)
  await t.rejects(
    lookups.within(async () => {
      throw new Error('no')
    }),
    { message: 'no' }
  )
  t.equal(await lookups.within(never), undefined)
})

t.test('once a look was given up there are no more, whatever the clock has left by then', async t => {
  const lookups = new LookupBudget(20, () => 0)
  t.equal(await lookups.within(never), undefined)
  t.equal(await lookups.within(async () => 'seen'), undefined)
})

t.test('requests that only say more of a call take no longer than its lookups, all together', async t => {
  const asked: string[] = []
  const forge = {
    send: async ({ path }: ForgeRequest) => {
      asked.push(path)
      return path === '/there' ? { status: 200, headers: {}, value: 'seen', size: 6 } : never()
    }
  }
  const brief = briefly(forge, new LookupBudget(20))
  const ask = (path: string) => brief.send({ method: 'GET', path, template: path })
  t.match(await ask('/there'), { value: 'seen' })
  await t.rejects(ask('/silent'), { message: /too long/ })
  await t.rejects(ask('/there'), { message: /too long/ }, 'the time is over')
  t.same(asked, ['/there', '/silent'], 'and then nothing more is asked')
})

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)

/** A forge that gives some answers to the requests of a call, and none to what is asked afterwards. */
function calling(answers: readonly (() => unknown)[]) {
  let asked = 0
  const answer = () => answers[asked++]?.() ?? never()
  const forge = {
    webUrl: 'https://forge.example',
    wrote: false,
    keep: () => {},
    send: async () => ({ status: 200, headers: {}, value: await answer(), size: 2 }),
    graphql: async () => answer()
  }
  const known = new KnownFacts().of('ada')
  const context = {
    forge,
    lookups: new LookupBudget(20, () => 0),
    unseenBudget: new UnseenBudget(),
    known,
    names: new Names(known, false),
    mayRun: () => true,
    admitted: () => undefined,
    follow: () => undefined,
    checkText: () => undefined,
    client: unaskable
  } as unknown as ToolContext
  return async (tool: string, args: object) => {
    const said = await catalog
      .find(tool)!
      .run(args, context)
      .then(
        output => JSON.stringify(output.value),
        error => explainFailure(error, false)
      )
    return { said, asked: () => asked }
  }
}

const refusal = (message: string) => () => {
  throw new ForgeStatusError(404, message)
}
const none = () => []

for (const [title, tool, args, answers, says] of [
  ['an empty list', 'list_issues', { project_id: '1', labels: ['a'] }, [none], /^\[\]$/],
  [
    'a refusal of a name',
    'list_commits',
    { project_id: '1', ref_name: 'a' },
    [refusal('404 Commit Not Found')],
    /404 Not Found/
  ],
  [
    'a near name, which is known before forks are asked about,',
    'get_branch',
    { project_id: '1', branch_name: 'dev' },
    [refusal('404 Branch Not Found'), refusal('404 Commit Not Found'), () => [{ name: 'develop' }]],
    /There is no "dev": did you mean "develop"\?/
  ],
  [
    'a refusal that may be a matter of the edition',
    'list_iterations',
    { group_id: '1' },
    [refusal('404 Not Found')],
    /list_iterations needs the Premium edition of the forge: that may be why/
  ],
  [
    'a username that nobody has',
    'get_user',
    { username: 'eve' },
    [none],
    /No user has username "eve"\. Nothing was done\. find_users/
  ],
  [
    'an assignee whom nobody is',
    'update_issue',
    { project_id: '1', issue_iid: '1', assignee_ids: ['eve'] },
    [none],
    /assignee_ids names "eve", and nobody has that username; find_users/
  ],
  [
    'a refusal of a type of work item',
    'create_work_item',
    { project_id: 'acme/rocket', type: 'task', title: 'a' },
    [
      () => {
        throw new CallProblem('Work item type is not allowed')
      }
    ],
    /Work item type is not allowed/
  ]
] as const)
  t.test(`${title} is told though the forge answers no look at it`, async t => {
    const { said, asked } = await calling(answers)(tool, args)
    t.match(said, says)
    // A look is asked for before its time is over, but on a busy machine begins after that.
    await until(() => asked() > answers.length)
  })
