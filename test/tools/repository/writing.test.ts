import { repository } from '../../../tools/repository/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const P = { project_id: 'acme/rocket' }
const at = '/projects/acme%2Frocket/repository'
const create = { action: 'create', file_path: 'src/new file.ts', content: 'x\n' }
const args = { ...P, branch: 'fix/burn', commit_message: 'Burn less' }
const made = {
  id: 'c0ffee00',
  short_id: 'c0ffee0',
  title: 'Burn less',
  message: 'Burn less',
  author_name: 'Ada',
  author_email: 'ada@acme.example',
  authored_date: '2026-01-02T00:00:00Z',
  parent_ids: ['b0'],
  web_url: 'https://forge.example/c'
}
const shown = { id: 'c0ffee00', title: 'Burn less', parent_ids: ['b0'], web_url: 'https://forge.example/c' }
const created = (body: unknown) => ({ status: 201, body })
const refused = (status: number, message: string, more: object = {}) => ({
  status,
  body: { message, ...more }
})
const notArchived = { request: 'GET /projects/acme%2Frocket', reply: { body: { archived: false } } }
const branches = (...names: string[]) => ({
  request: `GET ${at}/branches?per_page=100`,
  reply: { body: names.map(name => ({ name })) }
})

const lfs = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`

/** Refused before anything is sent. */
const badActions = (title: string, actions: unknown, error: string | RegExp, more = {}): Case => ({
  title,
  tool: 'commit_files',
  args: { ...args, actions, ...more },
  error
})

runTable(repository, [
  {
    title: 'a name that is a number is told that alone',
    tool: 'create_branch',
    args: { project_id: 'a/b', branch: 7, ref: 'main' },
    error: 'Invalid arguments: branch must be a name, not the number "7".'
  },
  {
    title:
      'changes of several files go in one commit, as they are, with guards in any form that a forge gives',
    tool: 'commit_files',
    args: {
      ...args,
      start_branch: 'main',
      start_project: 'acme%2Fwebsite',
      author_name: 'Linus',
      author_email: 'linus@acme.example',
      actions: [
        create,
        { action: 'update', file_path: 'größe.md', content: '', last_commit_id: 'lc-1' },
        { action: 'create', file_path: 'a.png', content: 'iVBORw0KGgo=', encoding: 'base64' },
        { action: 'move', file_path: 'b', previous_path: 'a' },
        { action: 'create', file_path: 'a', content: 'again' },
        { action: 'chmod', file_path: 'run.sh', execute_filemode: true, last_commit_id: 'c0' },
        { action: 'delete', file_path: 'old' }
      ]
    },
    exchanges: [
      {
        request: `POST ${at}/commits`,
        body: {
          stats: false,
          branch: 'fix/burn',
          commit_message: 'Burn less',
          start_branch: 'main',
          start_project: 'acme/website',
          author_name: 'Linus',
          author_email: 'linus@acme.example',
          actions: [
            create,
            { action: 'update', file_path: 'größe.md', content: '', last_commit_id: 'lc-1' },
            { action: 'create', file_path: 'a.png', content: 'iVBORw0KGgo=', encoding: 'base64' },
            { action: 'move', file_path: 'b', previous_path: 'a' },
            { action: 'create', file_path: 'a', content: 'again' },
            { action: 'chmod', file_path: 'run.sh', execute_filemode: true, last_commit_id: 'c0' },
            { action: 'delete', file_path: 'old' }
          ]
        },
        reply: created(made)
      }
    ],
    result: {
      ...shown,
      branch: 'fix/burn',
      paths: ['src/new file.ts', 'größe.md', 'a.png', 'b', 'a', 'run.sh', 'old']
    }
  },
  ...['', ' '].map(commit_message => ({
    title: `a message that is ${commit_message === '' ? 'empty' : 'blank'} is refused before anything is sent`,
    tool: 'commit_files',
    args: { ...args, commit_message, actions: [create] },
    error: 'Invalid arguments: commit_message must not be empty.'
  })),
  {
    title: 'a file that changed since it was read is not overwritten, and the way on is said',
    tool: 'commit_files',
    args: { ...args, actions: [create] },
    exchanges: [
      {
        request: `POST ${at}/commits`,
        body: { stats: false, branch: 'fix/burn', commit_message: 'Burn less', actions: [create] },
        reply: refused(400, 'A file with this name already exists')
      }
    ],
    error:
      'The forge answered 400 Bad Request: "A file with this name already exists". Nothing was committed: a file that is created or moved to is there already. Use update or edit.'
  },
  ...["A branch called 'fix/burn' already exists. Switch to it", "Branch 'fix/burn' already exists"].map(
    (says): Case => ({
      title: `a branch that exists needs no start_branch: ${says}`,
      tool: 'commit_files',
      args: { ...args, actions: [create], start_branch: 'main' },
      exchanges: [
        {
          request: `POST ${at}/commits`,
          body: {
            stats: false,
            branch: 'fix/burn',
            start_branch: 'main',
            commit_message: 'Burn less',
            actions: [create]
          },
          reply: refused(400, says)
        }
      ],
      error:
        /Nothing was committed: leave out start_branch to commit on top of that branch, or choose another name\.$/
    })
  ),
  {
    title: 'where one may not push, a branch of one’s own is the way',
    tool: 'commit_files',
    args: { ...args, actions: [create] },
    exchanges: [
      {
        request: `POST ${at}/commits`,
        body: { stats: false, branch: 'fix/burn', commit_message: 'Burn less', actions: [create] },
        reply: refused(403, '403 Forbidden')
      },
      notArchived
    ],
    error:
      /^The forge answered 403 Forbidden.* Commit to a branch of your own by another name .* create_merge_request\. That takes the Developer role, too: with a lower one, fork_project and commit there\.$/
  },
  {
    title: 'of a commit that is too large, a way is told for one file, too',
    tool: 'commit_files',
    args: { ...args, actions: [create] },
    exchanges: [
      {
        request: `POST ${at}/commits`,
        body: { stats: false, branch: 'fix/burn', commit_message: 'Burn less', actions: [create] },
        reply: refused(413, 'Too large')
      }
    ],
    error: /Commit fewer files at once; one that is too large alone can only be pushed with Git\.$/
  },
  {
    title: 'what Git LFS has in place of an image is committed as the text that it is',
    tool: 'commit_files',
    args: { ...args, actions: [{ action: 'create', file_path: 'logo.png', content: lfs }] },
    exchanges: [
      {
        request: `POST ${at}/commits`,
        body: {
          branch: 'fix/burn',
          commit_message: 'Burn less',
          actions: [{ action: 'create', file_path: 'logo.png', content: lfs }],
          stats: false
        },
        reply: created(made)
      }
    ],
    result: { ...shown, branch: 'fix/burn', paths: ['logo.png'] }
  },
  badActions('no actions are no commit', [], /actions must have at least 1 item\./),
  badActions(
    'a hundred at most',
    Array.from({ length: 101 }, (_, n) => ({ ...create, file_path: `f${n}` })),
    'Invalid arguments: actions has 101 items, and may have 100.'
  ),
  badActions(
    'a file is made of content',
    [{ action: 'create', file_path: 'a' }],
    'actions.0 is a create and needs content.'
  ),
  badActions(
    'a move is from somewhere',
    [create, { action: 'move', file_path: 'a' }],
    'actions.1 is a move and needs previous_path.'
  ),
  badActions(
    'a mode is said',
    [{ action: 'chmod', file_path: 'a' }],
    'actions.0 is a chmod and needs execute_filemode: true or false.'
  ),
  badActions(
    'base64 is base64',
    [{ ...create, content: 'not base64!', encoding: 'base64' }],
    'actions.0.content is not base64.'
  ),
  badActions(
    'an image in base64 is not committed as text',
    [create, { ...create, file_path: 'img.PNG', content: 'iVBORw0KGgoAAAANSUhEUgAA' }],
    'actions.1.content is base64, and would be stored as text: set encoding=base64.'
  ),
  badActions(
    'a path is no image',
    [create, { ...create, file_path: 'img/logo.png', content: '/tmp/logo.png' }],
    /^actions\.1\.content is text, which "img\/logo\.png" cannot be: give the bytes of the file in base64/
  ),
  badActions(
    'a data URI is no image',
    [{ ...create, file_path: 'img.png', content: 'data:image/png;base64,iVBORw0KGgo=', encoding: 'base64' }],
    'actions.0.content is a data URI: give what follows its comma, with encoding=base64.'
  ),
  badActions(
    'text is text',
    [{ ...create, content: '\ud800' }],
    'actions.0.content is not text: it has half of a character.'
  ),
  badActions(
    'a file has one action',
    [create, { ...create, action: 'update' }],
    '"src/new file.ts" has two actions: give what it is to be in one.'
  ),
  badActions(
    'a path does not climb',
    [{ ...create, file_path: '../x' }],
    'actions.0.file_path has an empty, "." or ".." segment: "../x".'
  ),
  badActions(
    'nor does the path of a move',
    [{ action: 'move', file_path: 'x', previous_path: '/etc/x' }],
    'actions.0.previous_path has an empty, "." or ".." segment: "/etc/x"; leave out the first slash.'
  ),
  badActions(
    'an action has no other fields',
    [{ ...create, mode: '755' }],
    /unknown argument "actions\.0\.mode"/
  ),
  badActions(
    'a branch begins in one place',
    [create],
    "Only one of 'start_branch' or 'start_sha' can be provided, not both.",
    { start_branch: 'main', start_sha: 'b0' }
  ),
  badActions(
    'another project says where in it',
    [create],
    'start_project goes with start_branch or start_sha, which say from where in it.',
    { start_project: 'acme/website' }
  ),
  badActions(
    'a branch is no option',
    [create],
    'Invalid arguments: branch is no branch or tag: empty, HEAD (get_project has the default_branch), or with a hyphen first.',
    { branch: '--force' }
  ),
  {
    title: 'a change is applied to a branch',
    tool: 'cherry_pick_commit',
    args: { ...P, sha: 'c0ffee00', branch: 'release/1.4', message: 'Burn less (1.4)' },
    exchanges: [
      {
        request: `POST ${at}/commits/c0ffee00/cherry_pick`,
        body: { branch: 'release/1.4', message: 'Burn less (1.4)' },
        reply: created(made)
      }
    ],
    result: shown
  },
  {
    title: 'whether it would work is told without a commit',
    tool: 'revert_commit',
    args: { ...P, sha: 'v1.0', branch: 'main', dry_run: true },
    exchanges: [
      {
        request: `POST ${at}/commits/v1%2E0/revert`,
        body: { branch: 'main', dry_run: true },
        reply: { body: { dry_run: 'success' } }
      }
    ],
    result: { dry_run: 'success' }
  },
  {
    title: 'why it does not work is said by the forge’s code too',
    tool: 'cherry_pick_commit',
    args: { ...P, sha: 'c0ffee00', branch: 'main' },
    exchanges: [
      {
        request: `POST ${at}/commits/c0ffee00/cherry_pick`,
        body: { branch: 'main' },
        reply: refused(400, 'Sorry, we cannot cherry-pick this', { error_code: 'empty' })
      }
    ],
    error:
      /^The forge answered 400 Bad Request: "Sorry, we cannot cherry-pick this \(empty\)"\. Nothing was committed: the branch has the change already\.$/
  },
  ...(['cherry_pick', 'revert'] as const).map(
    (replay): Case => ({
      title: `where one may not push, ${replay} is told of a branch and a merge request`,
      tool: `${replay}_commit`,
      args: { ...P, sha: 'c0ffee00', branch: 'main' },
      exchanges: [
        {
          request: `POST ${at}/commits/c0ffee00/${replay}`,
          body: { branch: 'main' },
          reply: refused(403, '403 Forbidden')
        },
        notArchived
      ],
      error:
        'The forge answered 403 Forbidden. Nothing was committed: the branch is protected, or the token may not push. Make a branch of it with create_branch, do this there, then create_merge_request.'
    })
  ),
  {
    title: 'a branch is made',
    tool: 'create_branch',
    args: { ...P, branch: 'fix/ü.x', ref: 'main' },
    exchanges: [
      {
        request: `POST ${at}/branches`,
        body: { branch: 'fix/ü.x', ref: 'main' },
        reply: created({
          name: 'fix/ü.x',
          protected: false,
          commit: {
            id: 'c0ffee',
            title: 'T',
            author_email: 'a@acme.example',
            committer_email: 'a@acme.example'
          }
        })
      }
    ],
    result: { name: 'fix/ü.x', protected: false, commit: { id: 'c0ffee', title: 'T' } }
  },
  {
    title: 'a branch that is named by its whole ref is made by its name, as a forge makes no other',
    tool: 'create_branch',
    args: { ...P, branch: 'refs/heads/fix/x', ref: 'main' },
    exchanges: [
      {
        request: `POST ${at}/branches`,
        body: { branch: 'fix/x', ref: 'main' },
        reply: created({ name: 'fix/x', protected: false })
      }
    ],
    result: { name: 'fix/x', protected: false }
  },
  {
    title: 'of a name that is taken it is told what shows what has it, which a call before may have made',
    tool: 'create_branch',
    args: { ...P, branch: 'main', ref: 'main' },
    exchanges: [
      {
        request: `POST ${at}/branches`,
        body: { branch: 'main', ref: 'main' },
        reply: refused(400, 'Branch already exists')
      }
    ],
    error:
      /Branch already exists"\. Nothing was made: get_branch says at which commit it is\. If a call before this one made it, go on/
  },
  {
    title: 'of a name that is none it is told what a name is',
    tool: 'create_branch',
    args: { ...P, branch: 'release 1.6', ref: 'main' },
    exchanges: [
      {
        request: `POST ${at}/branches`,
        body: { branch: 'release 1.6', ref: 'main' },
        reply: refused(400, 'Branch name is invalid')
      }
    ],
    error: /Branch name is invalid"\. A name has no blanks, .* in it\.$/
  },
  {
    title: 'a branch is deleted by its name as one segment',
    tool: 'delete_branch',
    args: { ...P, branch: 'fix/v1.x' },
    exchanges: [{ request: `DELETE ${at}/branches/fix%2Fv1%2Ex`, reply: { status: 204 } }],
    result: { status: 'success', message: 'The branch is deleted.' }
  },
  ...(['heads', 'tags'] as const).flatMap(kind => {
    const [tool, argument, path] =
      kind === 'heads'
        ? (['delete_branch', 'branch', 'branches'] as const)
        : (['delete_tag', 'tag_name', 'tags'] as const)
    const other = kind === 'heads' ? 'tags' : 'heads'
    return [
      {
        title: `${tool} takes the whole name`,
        tool,
        args: { ...P, [argument]: `refs/${kind}/1.5` },
        exchanges: [{ request: `DELETE ${at}/${path}/1%2E5`, reply: { status: 204 } }],
        result: { status: 'success', message: `The ${kind === 'heads' ? 'branch' : 'tag'} is deleted.` }
      },
      {
        title: `${tool} deletes nothing that is called like what the whole name of another kind means`,
        tool,
        args: { ...P, [argument]: `refs/${other}/1.5` },
        exchanges: [
          { request: `DELETE ${at}/${path}/refs%2F${other}%2F1%2E5`, reply: refused(404, 'Not Found') }
        ],
        error: /404/
      }
    ]
  }),
  {
    title: 'a protected branch is not deleted',
    tool: 'delete_branch',
    args: { ...P, branch: 'main' },
    exchanges: [
      { request: `DELETE ${at}/branches/main`, reply: refused(405, 'Protected branch cannot be deleted') }
    ],
    error: /see list_protected_branches\.$/
  },
  {
    title: 'an annotated tag is made',
    tool: 'create_tag',
    args: { ...P, tag_name: 'v2.0', ref: 'main', message: 'Two' },
    exchanges: [
      {
        request: `POST ${at}/tags`,
        body: { tag_name: 'v2.0', ref: 'main', message: 'Two' },
        reply: created({ name: 'v2.0', message: 'Two', target: 't', protected: false })
      }
    ],
    result: { name: 'v2.0', target: 't', message: 'Two', protected: false }
  },
  {
    title: 'of a name of a tag that is none it is told what a name is',
    tool: 'create_tag',
    args: { ...P, tag_name: 'v 9', ref: 'main' },
    exchanges: [
      {
        request: `POST ${at}/tags`,
        body: { tag_name: 'v 9', ref: 'main' },
        reply: refused(400, 'Tag name invalid')
      }
    ],
    error: /Tag name invalid"\. A name has no blanks, .* in it\.$/
  },
  {
    title: 'a tag is deleted',
    tool: 'delete_tag',
    args: { ...P, tag_name: 'v2.0' },
    exchanges: [{ request: `DELETE ${at}/tags/v2%2E0`, reply: { status: 204 } }],
    result: { status: 'success', message: 'The tag is deleted.' }
  },
  {
    title: 'roles go as numbers',
    tool: 'protect_branch',
    args: {
      ...P,
      name: 'release/*',
      push_access_level: 'no_access',
      merge_access_level: 'developer',
      unprotect_access_level: 'admin',
      allow_force_push: false
    },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: {
          name: 'release/*',
          allow_force_push: false,
          push_access_level: 0,
          merge_access_level: 30,
          unprotect_access_level: 60
        },
        reply: created({ id: 1, name: 'release/*', push_access_levels: [{ access_level: 0, user_id: null }] })
      }
    ],
    result: { id: 1, name: 'release/*', push_access_levels: [{ access_level: 0, role: 'no_access' }] }
  },
  {
    title: 'the full name of a tag is no rule for branches: it would match none',
    tool: 'protect_branch',
    args: { ...P, name: 'refs/tags/1.5' },
    exchanges: [],
    error: /name must be a name: .* the full name of a tag,/
  },
  {
    title: 'approval of code owners is asked for',
    tool: 'protect_branch',
    args: { ...P, name: 'main', code_owner_approval_required: true },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'main', code_owner_approval_required: true },
        reply: created({ id: 1, name: 'main', code_owner_approval_required: true })
      },
      branches('main')
    ],
    result: { id: 1, name: 'main', code_owner_approval_required: true }
  },
  {
    title: 'a forge that leaves approval of code owners out, for want of a licence, is told of',
    tool: 'protect_branch',
    args: { ...P, name: 'main', code_owner_approval_required: true },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'main', code_owner_approval_required: true },
        reply: created({ id: 1, name: 'main' })
      },
      branches('main')
    ],
    result: { id: 1, name: 'main' },
    notices: [
      'The branch is protected, but without approval of code owners: the forge left that out, as it does without a Premium licence.'
    ]
  },
  {
    title: 'what is protected already is to be unprotected first',
    tool: 'protect_branch',
    args: { ...P, name: 'main' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'main' },
        reply: refused(409, "Protected branch 'main' already exists")
      }
    ],
    error: /already exists"\. It is protected already: see list_protected_branches/
  },
  {
    title: 'a branch that is protected and not there is told of, with the one that was perhaps meant',
    tool: 'protect_branch',
    args: { ...P, name: 'mian' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'mian' },
        reply: created({ id: 1, name: 'mian' })
      },
      branches('main', 'fix/burn')
    ],
    notices: [
      'There is no branch "mian" yet: did you mean "main"? What is made by that name is protected; unprotect_branch takes that back.'
    ]
  },
  {
    title: 'what is protected is told as it is where the branches may not be read',
    tool: 'protect_branch',
    args: { ...P, name: 'mian' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'mian' },
        reply: created({ id: 1, name: 'mian' })
      },
      { ...branches(), reply: { status: 403, body: {} } }
    ],
    result: { id: 1, name: 'mian' },
    notices: []
  },
  {
    title: 'levels are taken in the words of the forge’s pages',
    tool: 'protect_branch',
    args: {
      ...P,
      name: 'release/*',
      push_access_level: 'No one',
      merge_access_level: 'Developers + Maintainers',
      unprotect_access_level: 'Maintainers'
    },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/protected_branches',
        body: { name: 'release/*', push_access_level: 0, merge_access_level: 30, unprotect_access_level: 40 },
        reply: created({ id: 1, name: 'release/*' })
      }
    ],
    notices: []
  },
  {
    title: 'what is not protected by its own name is not unprotected, and the list of what is is named',
    tool: 'unprotect_branch',
    args: { ...P, name: 'mian' },
    exchanges: [
      {
        request: 'DELETE /projects/acme%2Frocket/protected_branches/mian',
        reply: refused(404, '404 Protected Branch Not Found')
      }
    ],
    error:
      /It may be open already, or protected by a wildcard, which is given as it is written; nothing was done\. list_protected_branches has the names\.$/
  },
  {
    title: 'a wildcard is unprotected as it is written',
    tool: 'unprotect_branch',
    args: { ...P, name: 'release/*' },
    exchanges: [
      { request: 'DELETE /projects/acme%2Frocket/protected_branches/release%2F*', reply: { status: 204 } }
    ],
    result: { status: 'success', message: 'The branch is no longer protected.' }
  },
  {
    title: 'a check is reported',
    tool: 'create_commit_status',
    args: { ...P, sha: 'c0ffee00', state: 'failed', name: 'lint', coverage: 81.5, pipeline_id: 9 },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/statuses/c0ffee00',
        body: { state: 'failed', name: 'lint', coverage: 81.5, pipeline_id: 9 },
        reply: created({
          id: 1,
          sha: 'c0ffee00',
          status: 'failed',
          name: 'lint',
          coverage: 81.5,
          author: null
        })
      }
    ],
    result: { id: 1, name: 'lint', status: 'failed', coverage: 81.5, sha: 'c0ffee00' }
  },
  {
    title: 'an address elsewhere under another name is told the argument that takes it',
    tool: 'create_commit_status',
    args: { ...P, sha: 'c0ffee00', state: 'failed', url: 'https://ci.example/1' },
    error: /unknown argument "url", did you mean "target_url"\?/
  },
  {
    title: 'a description is one line of 255 characters',
    tool: 'create_commit_status',
    args: { ...P, sha: 'c0ffee00', state: 'failed', description: 'x'.repeat(256) },
    error: /description must not have more than 255 characters/
  }
])
