import { parseEnv } from 'node:util'
import t, { type Test } from 'tap'
import { envFileUnread } from '../../../src/config/env-files/env-files.ts'
import { readEnvironment } from '../../../src/config/environment.ts'

const home = { FORGE_API_URL: 'https://forge.example' }

/** Reads the environment that Node.js makes of a file with this text, and of what is set otherwise. */
async function readOf(t: Test, text: string, env: NodeJS.ProcessEnv = home) {
  const file = `${t.testdir({ file: text })}/file`
  const flags = ['--no-warnings', `--env-file=${file}`]
  const { problems, unread } = await readEnvironment({ ...parseEnv(text), ...env }, {}, flags)
  return { problems: problems.map(says => says.replace(file, 'FILE')), unread }
}

t.test('lines in which Node.js reads no setting keep the service from starting', async t => {
  for (const line of [
    'FORGE_READ_ONLY_MODE: true # for now',
    '  "FORGE_READ_ONLY_MODE": "secret",',
    "'FORGE_READ_ONLY_MODE'=true",
    '- FORGE_READ_ONLY_MODE=true',
    'declare -x FORGE_READ_ONLY_MODE="true"',
    'set FORGE_READ_ONLY_MODE=true',
    'set -x FORGE_READ_ONLY_MODE true',
    'setenv FORGE_READ_ONLY_MODE true',
    'env FORGE_READ_ONLY_MODE=true',
    'ENV FORGE_READ_ONLY_MODE=true',
    '-e FORGE_READ_ONLY_MODE=true',
    'Environment="FORGE_READ_ONLY_MODE=true"',
    '$env:FORGE_READ_ONLY_MODE = "true"',
    'FORGE_READ_ONLY_MODE',
    'FORGE_READ_ONLY_MODE true',
    'export\tFORGE_READ_ONLY_MODE=true',
    'FORGE_READ_ONLY_MODE＝true'
  ]) {
    const { problems, unread } = await readOf(t, `OTHER=1\n${line}\n`)
    t.same(
      problems,
      ['FORGE_READ_ONLY_MODE is not read: line 2 of the file FILE must be NAME=value in a line of its own.'],
      line
    )
    t.same(unread, [], 'it is said once')
    t.same((await readOf(t, line, { ...home, FORGE_READ_ONLY_MODE: 'true' })).problems, [], 'it is set')
  }
})

t.test('so do settings within quotation marks that nothing closes in their line', async t => {
  const text = [
    '# of the whole stack',
    "SMTP_PASSWORD='k3yB9",
    'FORGE_READ_ONLY_MODE=true',
    'export MCP_ALLOWED_HOSTS=forge.example',
    "TZ='Europe/Berlin'"
  ]
  t.match((await readOf(t, text.join('\n'))).problems, [
    /^FORGE_READ_ONLY_MODE is not read: line 3 of the file FILE is within quotation marks that begin before it: close them/,
    /^MCP_ALLOWED_HOSTS is not read: line 4 of the file FILE is within quotation marks/
  ])
  t.match((await readOf(t, 'OTHER= \nFORGE_READ_ONLY_MODE=true\n')).problems, [
    /line 2 of the file FILE is taken for a part of the line before, which must not end in = and blanks, /
  ])
  t.match((await readOf(t, 'OTHER=1\rFORGE_READ_ONLY_MODE=true\r')).problems, [
    /line 2 .* nor in a carriage return alone\.$/
  ])
})

t.test('so do settings behind the end of a value, which may have several lines', async t => {
  for (const [text, number] of [
    ['OTHER="1" FORGE_CONFIRM=writes', 1],
    ['OTHER="1\n2" FORGE_CONFIRM=writes', 2],
    ["OTHER='\n1\n2' FORGE_CONFIRM=writes\n", 3],
    ['export OTHER="1"; export FORGE_CONFIRM=writes', 1],
    ['OTHER="1", FORGE_CONFIRM="writes"', 1],
    ['OTHER="1" && FORGE_CONFIRM=writes', 1],
    ['export FORGE_TOOLS="get_issue"; export FORGE_CONFIRM="writes"', 1],
    ['OTHER="1\n2"; FORGE_CONFIRM=writes', 2]
  ] as const)
    t.match(
      (await readOf(t, text)).problems,
      [
        new RegExp(
          `^FORGE_CONFIRM is not read: in line ${number} of the file FILE it stands behind a value in quotation marks`
        )
      ],
      text
    )
  t.match((await readOf(t, 'OTHER="1\n2" GITLAB_READ_ONLY_MODE=true')).problems, [
    /Set FORGE_READ_ONLY_MODE, or unset GITLAB_READ_ONLY_MODE\. It is in line 2 of the file FILE\.$/
  ])
  for (const text of [
    'OTHER="1\n2" # FORGE_CONFIRM=off\n',
    'OTHER="1\nB="FORGE_CONFIRM=off"\n',
    'SCRIPT=\'\nA="x" GITLAB_READ_ONLY_MODE=true\nrun\n\'\n'
  ])
    t.same((await readOf(t, text)).problems, [], text)
})

t.test('a setting that is a part of the value before it is told of: that may be a command', async t => {
  for (const text of [
    'NODE_ENV=production FORGE_READ_ONLY_MODE=true',
    'OTHER=1; FORGE_READ_ONLY_MODE=true',
    'OTHER=1 MORE_OF=2 export FORGE_READ_ONLY_MODE=true'
  ]) {
    const { problems, unread } = await readOf(t, text)
    t.same(problems, [], text)
    t.match(unread, [
      /^FORGE_READ_ONLY_MODE is not read: in line 1 of the file .* it is a part of the value before/
    ])
  }
  for (const text of [
    'OTHER=x-FORGE_READ_ONLY_MODE=true',
    'OTHER=1 # FORGE_READ_ONLY_MODE=true',
    'OTHER=FORGE_CONFIRM'
  ])
    t.same((await readOf(t, text)).unread, [], text)
})

t.test(
  'a name of another server is told of with its line, and with the way out for other programs',
  async t => {
    t.match((await readOf(t, 'A=1\nGITLAB_READ_ONLY_MODE: true\n')).problems, [
      /or unset GITLAB_READ_ONLY_MODE\. It is in line 2 of the file FILE\.$/
    ])
    t.match((await readOf(t, "A='set -e\nexport GITLAB_READ_ONLY_MODE=true\nrun\n'\n")).problems, [
      /It is in line 2 of the file FILE, within quotation marks .* put a line break right after the opening/
    ])
    t.match((await readOf(t, 'FORGE_URL: https://git.corp.example\n', {})).problems, [
      /or unset FORGE_URL\. It is in line 1 of the file FILE\.$/
    ])
  }
)

t.test('of a name that is given twice, one value that sets nothing does not hide the other', async t => {
  const refusal = [/^GITLAB_READ_ONLY_MODE is no .* FORGE_READ_ONLY_MODE, which may be meant/]
  const line = 'GITLAB_READ_ONLY_MODE: true\n'
  const nothing = { ...home, GITLAB_READ_ONLY_MODE: '' }
  t.match((await readOf(t, line, nothing)).problems, refusal)
  const twice = await readOf(t, '- GITLAB_READ_ONLY_MODE=false\n- GITLAB_READ_ONLY_MODE=true\n')
  t.match(twice.problems, refusal)
  t.equal(twice.problems.length, 1)
  t.same(twice.unread, [])
  const told = await readOf(t, '- FORGE_TOOLSET=x\n- FORGE_TOOLSET=y\n')
  t.match(told.unread, [/^FORGE_TOOLSET is no/])
  t.equal(told.unread.length, 1)
})

t.test('what a value or a comment holds is its own, and so is what others name as well', async t => {
  for (const text of [
    `APP='{\n  "HOST": "x",\n  "FORGE_API_TOKEN": 1,\n  "FORGE_CONFIRM": "off" }' # for another\n`,
    'TEMPLATE="first\\nline\nHOST: the host\nFORGE_CONFIRM: off\\n and more\nend"\n',
    'CONF="server:\n  HOST: 0.0.0.0\n  FORGE_CONFIRM: off\n"\r\nPORT=1\n',
    '# FORGE_CONFIRM: off\n;FORGE_CONFIRM: off\n// FORGE_CONFIRM\n  # FORGE_CONFIRM=off\n',
    'COMMAND=docker run -e FORGE_CONFIRM=off\nTEXT="a" # FORGE_CONFIRM=off\n',
    'FORGE_CONFIRM: off\nFORGE_CONFIRM=off\n',
    'Forge settings of the team\nforge\nMCP server\nGITLAB_READ_ONLY_MODE is what others have\n'
  ])
    t.same(await readOf(t, text), { problems: [], unread: [] }, text)
  const { problems, unread } = await readOf(
    t,
    'APP={\n  "HOST": "x",\n  "PORT": 3000\n}\n[server]\nHOST: y\n'
  )
  t.same(problems, [])
  t.match(unread, [/^HOST is not read: line 2 of/, /^PORT is not read: line 3 of/])
})

t.test(
  'a line that is a comment elsewhere is none of ours, and a line of a list is told of once',
  async t => {
    for (const line of [
      '  # FORGE_CONFIRM=writes',
      ';FORGE_CONFIRM=writes',
      ' ; FORGE_TOOLSET=x',
      '// FORGE_TOOLS=x'
    ])
      t.same(await readOf(t, `A="1"\n${line}\n`), { problems: [], unread: [] }, line)
    const { problems, unread } = await readOf(t, 'A=1\n- LOG_LEVEL=info\n')
    t.same(problems, [])
    t.match(unread, [/^LOG_LEVEL is not read: line 2 of/])
  }
)

t.test('a name that is none of ours is judged also where a colon is in place of its =', async t => {
  const { problems, unread } = await readOf(
    t,
    'GITLAB_PERMISSION_MODE: readonly\nFORGE_READONLY: "true" # for now\n FORGE_TOOLSET: x\nREADME: this\n'
  )
  t.match(problems, [
    /^GITLAB_PERMISSION_MODE is no .* Set FORGE_READ_ONLY_MODE, /,
    /^FORGE_READONLY is no .* Set FORGE_READ_ONLY_MODE, /
  ])
  t.match(unread, [/^FORGE_TOOLSET is no .* FORGE_TOOLSETS may be meant/])
  t.match((await readOf(t, 'GITLAB_API_URL: https://git.corp.example\n', {})).problems, [/tokens would go/])
  t.same((await readOf(t, "A='\nFORGE_READONLY: true\n'\n")).problems, [], 'that is within a value')
})

t.test(
  'so it is in every form in which Node.js reads no name, and within marks that nothing closes',
  async t => {
    for (const line of [
      '- GITLAB_READ_ONLY_MODE=true',
      'set GITLAB_READ_ONLY_MODE=true',
      'declare -x GITLAB_READ_ONLY_MODE="true"',
      '$env:GITLAB_READ_ONLY_MODE="true"',
      'ENV GITLAB_READ_ONLY_MODE true',
      'GITLAB_READ_ONLY_MODE true',
      '"GITLAB_READ_ONLY_MODE": true,',
      'Environment="GITLAB_READ_ONLY_MODE=true"',
      'A="1" GITLAB_READ_ONLY_MODE=true',
      'X="abc\nGITLAB_READ_ONLY_MODE="true"',
      'forge-read-only-mode: true',
      'forge.read.only.mode: true'
    ]) {
      const { problems, unread } = await readOf(t, `OTHER=1\n${line}\n`)
      t.match(
        problems,
        [/^\S+ is no variable of this service, and FORGE_READ_ONLY_MODE, which may be meant/],
        line
      )
      t.same(unread, [], 'it is said once')
      for (const comment of [`# ${line}`, `  ; ${line}`])
        if (!line.includes('X='))
          t.same(await readOf(t, `OTHER=1\n${comment}\n`), { problems: [], unread: [] }, comment)
      t.same((await readOf(t, `OTHER=1\n${line.replace('true', 'false')}\n`)).problems, [], 'it is off')
    }
    const block = "SCRIPT='\nexport GITLAB_READ_ONLY_MODE=true\nrun\n'\n"
    t.same(await readOf(t, block), { problems: [], unread: [] })
  }
)

t.test('what stands in a block of lines, such as a script, is told of alone', async t => {
  const { problems, unread } = await readOf(t, "SCRIPT='\nexport FORGE_CONFIRM=off\nrun\n'\n")
  t.same(problems, [])
  t.match(unread, [/^FORGE_CONFIRM is not read: line 2 .* within quotation marks that begin before it/])
  const stray = 'OTHER="\nFORGE_CONFIRM=off\nMCP_SERVER_URL="https://mcp.example"\n'
  t.match((await readOf(t, stray)).problems, [/^FORGE_CONFIRM is not read: line 2/], 'nothing closes that')
  const begun = "SCRIPT='set -e\nexport FORGE_CONFIRM=off\nrun\n'\n"
  t.match((await readOf(t, begun)).problems, [
    /or, if these lines belong to another program, put a line break right after/
  ])
})

t.test('a variable behind a byte order mark is told of once, with what to do', async t => {
  t.match((await readOf(t, '\uFEFFFORGE_CONFIRM=off\n')).problems, [/byte order mark/])
  t.match((await readOf(t, 'A=1\n\u00A0FORGE_CONFIRM=off\n')).problems, [/that is not seen/])
  const general = await readOf(t, '\uFEFFPORT=3000\n')
  t.match(general.problems, [/^PORT .*byte order mark/])
  t.same(general.unread, [])
  t.same(await readOf(t, '\uFEFFFORGE_TOOLS=\n'), { problems: [], unread: [] }, 'it sets nothing')
})

t.test('each of several files is read, and one in UTF-16 is told of', async t => {
  const folder = t.testdir({
    one: 'FORGE_CONFIRM: off\n',
    two: 'FORGE_CONFIRM: off\nFORGE_TOOLS: x\n',
    utf16: Buffer.from('\uFEFFFORGE_READ_ONLY_MODE=true\n', 'utf16le')
  })
  const flags = ['--env-file', `${folder}/one`, `--env-file-if-exists=${folder}/two`, '--env-file=nowhere']
  const { problems } = await readEnvironment(home, {}, [...flags, `--env-file=${folder}/utf16`])
  t.match(problems, [
    new RegExp(`^FORGE_CONFIRM .* line 1 of the file ${folder}/one must be`),
    new RegExp(`^FORGE_TOOLS .* line 2 of the file ${folder}/two must be`),
    /the file \S+utf16 cannot be read: it looks like UTF-16: save it as UTF-8\.$/
  ])
})

t.test('a value of which Node.js reads only the beginning keeps the service from starting', async t => {
  const behind = /^(FORGE_\w+) is cut off: in line 2 of the file FILE, more stands behind the quotation marks/
  const next = /^(FORGE_\w+) is cut off: line 3 of the file FILE goes on with it, and is not read/
  for (const [text, says] of [
    ['FORGE_DENIED_TOOLS_REGEX="^delete_"|"^create_"', behind],
    ['FORGE_DENIED_TOOLS_REGEX="^delete_", "^create_"', behind],
    ["FORGE_DENIED_TOOLS_REGEX='^delete_'|^create_", behind],
    ['FORGE_DENIED_TOOLS_REGEX = "^delete_" "^create_" # both', behind],
    ['FORGE_ALLOWED_PROJECT_IDS="" acme/rocket', behind],
    ['FORGE_READ_ONLY_MODE="" "true"', behind],
    ['FORGE_TOOLS="a\\nb" c', behind],
    ['FORGE_DENIED_TOOLS_REGEX=^delete_\n|^create_', next],
    ['FORGE_DENIED_TOOLS_REGEX=^delete_|\r\n^create_\r', next],
    ['FORGE_DENIED_TOOLS_REGEX="^delete_",\n"^create_"', next],
    ['FORGE_ALLOWED_PROJECT_IDS=acme/rocket\n  , acme/probe', next],
    ['FORGE_ALLOWED_PROJECT_IDS=\n  acme/rocket', next],
    ['FORGE_READ_ONLY_MODE=\n true', next]
  ] as const) {
    const { problems, unread } = await readOf(t, `OTHER='1'\n${text}\nPORT=1\n`)
    t.match(problems, [says], text)
    t.equal(problems.length, 1)
    t.match(text, says.exec(problems[0] ?? '')?.[1] ?? '-')
    t.same(unread, [], 'it is said once')
  }
  t.match((await readOf(t, 'FORGE_TOOLS="a\nb"|c\n')).problems, [/in line 2 of/], 'the line in which it ends')
})

t.test('text beside a value that is hardly a part of it lets the service start', async t => {
  for (const text of [
    'FORGE_CONFIRM="off" # "all"\nFORGE_TOOLS="a"#b\n# |c\n',
    'FORGE_CONFIRM="off";\n\n  indented\n',
    "FORGE_CONFIRM='off', // none\n",
    'FORGE_CONFIRM="off"; export FORGE_CONFIRM\n',
    'FORGE_CONFIRM="off" && readonly FORGE_CONFIRM\n',
    'FORGE_CONFIRM="off" \\\n  image:1\n',
    'FORGE_CONFIRM="off"; export OTHER="1"\n',
    'FORGE_CONFIRM=off\nexport FORGE_CONFIRM\n',
    'FORGE_CONFIRM="off" OTHER="1"\n  OTHER: 2\n',
    'FORGE_CONFIRM="o"|ff\nFORGE_CONFIRM=off\n',
    "SCRIPT='\nFORGE_CONFIRM=off\n  run\n'\n"
  ])
    t.same((await readOf(t, text, { ...home, FORGE_CONFIRM: 'off' })).problems, [], text)
  const heading = await readOf(t, 'FORGE_CONFIRM=off # not yet,\nNext section\n')
  t.same(heading.problems, [])
  t.match(heading.unread, [
    /^FORGE_CONFIRM: line 2 of the file \S+, which follows, is not read, as it is neither/
  ])
  for (const closing of ['```', '  "', '|---|---|', "'''", ',,'])
    t.same((await readOf(t, `FORGE_CONFIRM=off\n${closing}\n`)).problems, [], closing)
  const general = await readOf(t, 'LOG_LEVEL="info"|warn\n')
  t.same(general.problems, [])
  t.match(general.unread, [/^LOG_LEVEL is cut off: in line 1 of/])
  const elsewhere = { ...home, FORGE_CONFIRM: 'writes' }
  t.same(await readOf(t, 'FORGE_CONFIRM=off\n|writes\n', elsewhere), { problems: [], unread: [] })
})

t.test(
  'a setting that the environment has empty keeps the service from starting, as Node.js takes that',
  async t => {
    for (const [line, name, empty] of [
      ['FORGE_READ_ONLY_MODE=true', 'FORGE_READ_ONLY_MODE', ''],
      ['export FORGE_ALLOWED_PROJECT_IDS = "a/b\nc/d" # ours', 'FORGE_ALLOWED_PROJECT_IDS', ''],
      ["FORGE_DENIED_TOOLS_REGEX='^delete_'\r", 'FORGE_DENIED_TOOLS_REGEX', ' '],
      ["FORGE_DENIED_TOOLS_REGEX='^delete_ # deletions", 'FORGE_DENIED_TOOLS_REGEX', '']
    ] as const) {
      const text = `OTHER="1\n2"\n${line}\n`
      t.match(
        (await readOf(t, text, { ...home, [name]: empty })).problems,
        [
          new RegExp(
            `^${name} is not read: it is set in line 3 of the file FILE, and empty in the environment`
          )
        ],
        line
      )
      for (const value of ['false', '^x', 'e/f'])
        t.same(
          (await readOf(t, text, { ...home, [name]: value })).problems,
          [],
          'another value wins on purpose'
        )
    }
    const address = await readOf(t, 'FORGE_API_URL=https://forge.example/api/v4\n', { FORGE_API_URL: '' })
    t.match(address.problems, [/^FORGE_API_URL is not read: it is set in line 1 of the file FILE/])
    const general = await readOf(t, 'PORT=3001\n', { ...home, PORT: '' })
    t.same(general.problems, [])
    t.match(general.unread, [/^PORT is not read: it is set in line 1/], 'other programs have that name, too')
    for (const text of [
      'FORGE_CONFIRM=\n',
      'FORGE_CONFIRM="" # none\n',
      '# FORGE_CONFIRM=off\n',
      "A='\nFORGE_CONFIRM=off\n'\n"
    ])
      t.same((await readOf(t, text, { ...home, FORGE_CONFIRM: '' })).problems, [], text)
  }
)

t.test('so does a name of another server, and a flag with the value lets it start', async t => {
  t.match(
    (await readOf(t, 'GITLAB_READ_ONLY_MODE=true\n', { ...home, GITLAB_READ_ONLY_MODE: '' })).problems,
    [/or unset GITLAB_READ_ONLY_MODE\. It is set in line 1 of the file FILE, and empty in the environment/]
  )
  const file = `${t.testdir({ file: 'FORGE_CONFIRM=writes\n' })}/file`
  const env = { ...home, FORGE_CONFIRM: '' }
  t.same((await readEnvironment(env, { FORGE_CONFIRM: 'all' }, [`--env-file=${file}`])).problems, [])
})

t.test('what may be emptied on purpose is told, and lets the service start', async t => {
  for (const [line, name] of [
    ['FORGE_TOOLSETS=issues', 'FORGE_TOOLSETS'],
    ['FORGE_ALLOWED_HOSTS=forge.example', 'FORGE_ALLOWED_HOSTS']
  ] as const) {
    const { problems, unread } = await readOf(t, `${line}\n`, { ...home, [name]: '' })
    t.same(problems, [], line)
    t.match(unread, [
      new RegExp(`^${name} is not read: it is set in line 1 .*, and empty in the environment,`)
    ])
  }
  for (const line of ['FORGE_ALLOWED_HOSTS=x.example', 'FORGE_PERSONAL_ACCESS_TOKEN=secret']) {
    const name = line.split('=', 1)[0]!
    const env = { ...home, ENABLE_DYNAMIC_API_URL: 'true', [name]: '' }
    t.match((await readOf(t, `${line}\n`, env)).problems, [new RegExp(`^${name} is not read`)])
  }
})

t.test('what another line of the same file has empty is told, as it is not set then', async t => {
  const folder = t.testdir({
    one: 'FORGE_READ_ONLY_MODE=true\nFORGE_READ_ONLY_MODE=\n',
    swallowed: 'FORGE_READ_ONLY_MODE=\nOTHER= \nFORGE_READ_ONLY_MODE=true\n'
  })
  const empty = { ...home, FORGE_READ_ONLY_MODE: '' }
  for (const [file, line] of [
    ['one', 1],
    ['swallowed', 3]
  ] as const) {
    const { problems, unread } = await readEnvironment(empty, {}, [`--env-file=${folder}/${file}`])
    t.same(problems, [])
    t.match(
      unread[0],
      new RegExp(
        `^FORGE_READ_ONLY_MODE is not read: it is set in line ${line} .*, and empty in another line of it,`
      )
    )
  }
})

t.test('what a later file empties is told with that file, and lets the service start', async t => {
  const folder = t.testdir({
    first: 'FORGE_CONFIRM=writes\nGITLAB_READ_ONLY_MODE=true\n',
    later: 'FORGE_CONFIRM=\nGITLAB_READ_ONLY_MODE=\n',
    last: 'FORGE_CONFIRM=all\n'
  })
  const flags = [`--env-file=${folder}/first`, `--env-file=${folder}/later`]
  const empty = { ...home, FORGE_CONFIRM: '', GITLAB_READ_ONLY_MODE: '' }
  const { problems, unread } = await readEnvironment(empty, {}, flags)
  t.same(problems, [])
  t.match(unread, [
    new RegExp(
      `^FORGE_CONFIRM is not read: it is set in line 1 of .*, and empty in the file ${folder}/later,`
    )
  ])
  const filled = { ...home, FORGE_CONFIRM: 'all' }
  t.same(await readEnvironment(filled, {}, [...flags, `--env-file=${folder}/last`]), {
    given: filled,
    problems: [],
    unread: [],
    notes: []
  })
})

t.test('a file .env is told of where it sets what is not set', async t => {
  const folder = t.testdir({
    ours: '# mine\nexport FORGE_API_URL=x\nFORGE_READ_ONLY_MODE=true\nFORGE_TOOLS=\nPORT=1\n',
    other: 'DATABASE=FORGE_API_URL=x\nLOG_LEVEL=warn\n'
  })
  t.match(await envFileUnread(`${folder}/ours`, {}), [
    /not read by itself.*--env-file=\S*\. It sets FORGE_API_URL, FORGE_READ_ONLY_MODE\.$/
  ])
  t.match(await envFileUnread(`${folder}/ours`, home), [/It sets FORGE_READ_ONLY_MODE\.$/])
  t.same(await envFileUnread(`${folder}/ours`, { ...home, FORGE_READ_ONLY_MODE: 'false' }), [])
  t.same(await envFileUnread(`${folder}/other`, {}), [])
  t.same(await envFileUnread(`${folder}/none`, {}), [])
})
