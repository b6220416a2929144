import { readFile } from 'node:fs/promises'
import t from 'tap'
import { matchesRedirect, whyUnusable } from '../../../src/oauth/rules/redirect-uri.ts'

t.test('a client may register https, http on loopback, and schemes of applications', async t => {
  for (const uri of [
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'https://app.example:443/callback',
    'https://xn--pp-uia.example',
    'io.javascript.app:/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:4711/callback',
    'http://localhost:4711',
    'http://[::1]:4711/callback',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    `https://app.example/${'x'.repeat(491)}`
  ])
    t.equal(whyUnusable(uri), undefined, uri)
})

t.test('and nothing else', async t => {
  for (const [uri, why] of [
    ['', /characters/],
    ['/callback', /absolute/],
    ['https://*.example.com/cb', /wildcard/],
    ['https://app.example/*', /wildcard/],
    ['app.example/callback', /absolute/],
    ['javascript:alert(1)', /scheme/],
    ['JavaScript:alert(1)', /scheme/],
    ['data:text/html,x', /scheme/],
    ['vbscript:x', /scheme/],
    ['file:///etc/passwd', /scheme/],
    ['blob:https://app.example/x', /scheme/],
    ['about:blank', /scheme/],
    ['mailto:a@b.example', /scheme/],
    ['ftp://app.example/', /scheme/],
    ['unheardof://callback', /scheme/],
    ['javascript.x:alert(1)', /scheme/],
    ['JavaScript.x://%0aalert(1)', /scheme/],
    ['data.x:text/html,x', /scheme/],
    ['file.x:///etc/passwd', /scheme/],
    ['blob+x.y:z', /scheme/],
    ['https:evil', /usual form/],
    ['https:/evil.example/callback', /usual form/],
    ['https:///evil.example/callback', /usual form/],
    ['https://evil%2eexample/callback', /usual form/],
    ['https://EVIL.example/callback', /usual form/],
    ['http://2130706433/callback', /usual form/],
    ['http://127.1/callback', /usual form/],
    ['http://0x7f.0.0.1/callback', /usual form/],
    ['http:localhost/callback', /usual form/],
    ['http://app.example/callback', /loopback/],
    ['http://127.0.0.1.evil.example/callback', /loopback/],
    ['http://localhost.evil.example/callback', /loopback/],
    ['http://0.0.0.0:4711/callback', /loopback/],
    ['https://user@app.example/callback', /user/],
    ['https://user:pass@app.example/callback', /user/],
    ['https://@app.example/callback', /user/],
    ['http://localhost:80@evil.example/', /user/],
    ['https://app.example/callback#part', /fragment/],
    ['https://app.example/callback#', /fragment/],
    ['https://app.example\\@evil.example/', /characters/],
    ['https://app.example/\tcallback', /characters/],
    ['https://app.example/call back', /characters/],
    ['https://app.example/\u0000', /characters/],
    ['https://äpp.example/', /characters/],
    ['https://app.example/"><script>', /characters/],
    ['https://app.example/?code=1', /parameter/],
    ['https://app.example/?x=1&state=2', /parameter/],
    [`https://app.example/${'x'.repeat(493)}`, /512/]
  ] as const)
    t.match(whyUnusable(uri), why, uri)
})

/** The redirect URIs that each client is publicly known to register. */
const known: Readonly<Record<string, readonly string[]>> = {
  'Claude Code': ['http://localhost:51234/callback'],
  'Claude Desktop, claude.ai': [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback'
  ],
  Cursor: [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback'
  ],
  'VS Code': [
    'https://insiders.vscode.dev/redirect',
    'https://vscode.dev/redirect',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/'
  ],
  Codex: ['http://127.0.0.1:33418/callback/6MFBM1In3Ey-'],
  'Gemini CLI': ['http://localhost:7777/oauth/callback'],
  Warp: [
    'warp://mcp/oauth2callback',
    'warp://mcp/oauth2callback?server_id=65aebdca-613a-4b60-97d3-92548673bd03',
    'warppreview://mcp/oauth2callback',
    'http://127.0.0.1:51234/mcp/oauth2callback'
  ],
  'MCP Inspector': ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
  'mcp-remote': ['http://localhost:3334/oauth/callback', 'http://127.0.0.1:3334/oauth/callback'],
  ChatGPT: [
    'https://chatgpt.com/connector_platform_oauth_redirect',
    'https://chatgpt.com/connector/oauth/Ab-1'
  ]
}

t.test('every client whose page promises a login may register', async t => {
  const page = await readFile(new URL('../../../docs/connect/README.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| \[(.+?)\]\(.+?\).*?\|[^|]*\| yes\b.*\|$/gm)
  const promised = Array.from(rows, ([, name]) => name!)
  t.same(promised.toSorted(), Object.keys(known).toSorted(), 'each has an entry above')
  const faults = Object.entries(known).flatMap(([name, uris]) =>
    uris.map(uri => [name, uri, whyUnusable(uri)]).filter(([, , why]) => why !== undefined)
  )
  t.same(faults, [])
})

t.test('an asked redirect is a registered one', async t => {
  t.test('character by character', async t => {
    const registered = 'https://app.example/callback'
    t.ok(matchesRedirect(registered, registered))
    for (const asked of [
      'https://app.example/callback/',
      'https://app.example/callback?x=1',
      'https://app.example/callback?server_id=65aebdca-613a-4b60-97d3-92548673bd03',
      'https://app.example/callback#',
      'https://app.example:443/callback',
      'https://app.example:8443/callback',
      'https://APP.example/callback',
      'https://app.example/Callback',
      'https://app.example/x/../callback',
      'https://app.example/callback%2f',
      'https://app.example./callback',
      'https://app.example.evil.example/callback',
      'https://evil.example/https://app.example/callback',
      'https://app.example@evil.example/callback',
      'http://app.example/callback',
      'javascript://app.example/callback',
      ''
    ])
      t.notOk(matchesRedirect(registered, asked), asked)
  })

  t.test('but for the port of a loopback address in the same spelling', async t => {
    for (const [registered, asked] of [
      ['http://127.0.0.1/callback', 'http://127.0.0.1:4711/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:65535/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1/callback'],
      ['http://localhost:1/callback?x=1', 'http://localhost:2/callback?x=1'],
      ['http://[::1]:1', 'http://[::1]:2']
    ] as const)
      t.ok(matchesRedirect(registered, asked), asked)
    for (const [registered, asked] of [
      ['http://127.0.0.1:1/callback', 'http://localhost:1/callback'],
      ['http://localhost:1/callback', 'http://127.0.0.1:1/callback'],
      ['http://127.0.0.1:1/callback', 'https://127.0.0.1:1/callback'],
      ['https://127.0.0.1:1/callback', 'https://127.0.0.1:2/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:2/other'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:2/callback?x=1'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:2@evil.example/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:99999/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1:/callback#'],
      ['http://127.0.0.1:1/callback', 'http://127.0.0.1.evil.example:1/callback'],
      ['http://localhost:1/callback', 'http://localhost.evil.example:1/callback'],
      ['http://127.0.0.1:1/callback', 'http://127.1:1/callback'],
      ['http://127.0.0.1:1/callback', 'http://user@127.0.0.1:1/callback'],
      ['http://127.0.0.1:1', 'http://127.0.0.1:1.evil.example']
    ] as const)
      t.notOk(matchesRedirect(registered, asked), asked)
  })
})
