import { createHash } from 'node:crypto'
import t from 'tap'
import { metadataBody } from '../../../src/oauth/endpoints/body-kinds.ts'
import { browserCookies, readNonces } from '../../../src/oauth/endpoints/browser-cookie.ts'
import { consentPage, onwardPage, problemPage } from '../../../src/oauth/endpoints/pages.ts'
import {
  challenge,
  isOwnResource,
  metadataPaths,
  resourceMetadata,
  resourceMetadataUrl,
  serverMetadata
} from '../../../src/oauth/rules/metadata.ts'
import { readParameters, required, withParameters } from '../../../src/oauth/rules/parameters.ts'
import { isChallenge, verifierFits } from '../../../src/oauth/rules/pkce.ts'
import { readClientMetadata, registrationAnswer } from '../../../src/oauth/rules/registration.ts'
import { chooseScopes, readScopes } from '../../../src/oauth/rules/scopes.ts'
import { pooledRandom } from '../../../src/seal/random.ts'

t.test('parameters', async t => {
  t.same(
    [...readParameters('a=1&b=%20x&c=')],
    [
      ['a', '1'],
      ['b', ' x']
    ],
    'an empty one counts as not sent'
  )
  t.same([...readParameters('')], [])
  for (const text of ['a=1&a=1', 'a=1&a=2', 'a=&a=2', 'redirect_uri=x&redirect%5Furi=y'])
    t.throws(
      () => readParameters(text),
      { status: 400, code: 'invalid_request', message: /more than once/ },
      text
    )
  t.throws(() => readParameters('&'.repeat(60_000)), { code: 'invalid_request', message: /More than 100/ })
  t.throws(() => readParameters(`a=${'+'.repeat(15_000)}`), { message: /More than 1000 blanks/ })
  for (const text of ['a=%', 'a=%e9', `${'%f0'.repeat(5000)}=1`])
    t.throws(() => readParameters(text), { code: 'invalid_request', message: /not UTF-8/ }, text.slice(0, 9))
  t.throws(() => required(readParameters('a='), 'a'), { code: 'invalid_request', message: 'a is missing.' })
  t.equal(
    withParameters('https://a.example/?x=%20', { code: 'a&b', state: undefined }),
    'https://a.example/?x=%20&code=a%26b'
  )
  t.equal(withParameters('app.example:/cb', { iss: 'https://x' }), 'app.example:/cb?iss=https%3A%2F%2Fx')
})

t.test('PKCE takes S256 challenges and verifiers of 43 to 128 characters', async t => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const s256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  t.ok(verifierFits(verifier, s256), 'the pair of RFC 7636, appendix B')
  const of = (text: string) => createHash('sha256').update(text).digest('base64url')
  for (const bad of [
    '',
    'short',
    'x'.repeat(42),
    'x'.repeat(129),
    `${'x'.repeat(43)}\n`,
    `${'x'.repeat(42)}ä`
  ])
    t.notOk(verifierFits(bad, of(bad)), `${bad.length} characters`)
  t.ok(verifierFits('~'.repeat(128), of('~'.repeat(128))))
  t.notOk(verifierFits(verifier, of('another')))
  t.notOk(verifierFits(verifier, ''))
  t.ok(isChallenge(s256))
  for (const bad of [
    '',
    s256.slice(1),
    `${s256}=`,
    `${s256.slice(0, -1)}N`,
    s256.replace('-', '+'),
    verifier.slice(0, 42)
  ])
    t.notOk(isChallenge(bad), bad)
})

t.test('scopes are those of the configuration that the client asked for', async t => {
  const allowed = readScopes('api, read_user  read_api')
  t.same(allowed, ['api', 'read_user', 'read_api'])
  t.equal(chooseScopes(undefined, allowed), 'api read_user read_api')
  t.equal(chooseScopes('openid read_api offline_access', allowed), 'read_api')
  for (const asked of ['openid', 'API', 'sudo', ' ', 'api sudo', 'api read_repository'])
    t.throws(() => chooseScopes(asked, allowed), { code: 'invalid_scope' }, asked)
})

const facts = {
  publicUrl: 'https://mcp.example',
  scopes: ['api'],
  callbackProxy: true,
  clientDocuments: false
}

t.test('metadata', async t => {
  const server = serverMetadata(facts)
  t.match(server, {
    issuer: 'https://mcp.example',
    authorization_endpoint: 'https://mcp.example/authorize',
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true
  })
  t.notOk('client_id_metadata_document_supported' in server)
  t.equal(
    serverMetadata({ ...facts, callbackProxy: false }).authorization_response_iss_parameter_supported,
    false
  )
  t.match(serverMetadata({ ...facts, clientDocuments: true }), {
    client_id_metadata_document_supported: true
  })
  t.match(resourceMetadata(facts), {
    resource: 'https://mcp.example/mcp',
    authorization_servers: [server.issuer]
  })
  t.equal(
    resourceMetadataUrl('https://mcp.example'),
    'https://mcp.example/.well-known/oauth-protected-resource/mcp'
  )
  t.equal(
    resourceMetadataUrl('https://mcp.example/base'),
    'https://mcp.example/.well-known/oauth-protected-resource/base/mcp'
  )
  t.match(metadataPaths('https://mcp.example/base').server, [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/base',
    '/.well-known/openid-configuration/base',
    '/.well-known/oauth-authorization-server/base/mcp',
    '/.well-known/openid-configuration/base/mcp',
    '/base/.well-known/openid-configuration'
  ])
  t.equal(metadataPaths(undefined).resource.length, 2)
  for (const own of [
    'https://mcp.example',
    'https://mcp.example/',
    'https://mcp.example/mcp',
    'https://mcp.example/mcp/',
    'HTTPS://MCP.Example/mcp',
    'https://mcp.example:443/mcp'
  ])
    t.ok(isOwnResource(own, facts.publicUrl), own)
  for (const [publicUrl, own] of [
    ['https://xn--bcher-kva.example', 'https://bücher.example/mcp'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/mcp'],
    ['https://[2001:db8::1]:8443', 'https://[2001:DB8:0:0::1]:8443/mcp'],
    ['https://mcp.example:443', 'https://mcp.example/mcp']
  ] as const)
    t.ok(isOwnResource(own, publicUrl), own)
  for (const other of [
    'https://mcp.example.evil/mcp',
    'https://mcp.example/mcp/x',
    'http://mcp.example/mcp',
    'https://mcp.example/MCP',
    'https://mcp.example/x/../mcp',
    'https://mcp.example/mcp#x',
    'https://mcp.example/mcp?x',
    'https://u@mcp.example/mcp',
    'https://mcp.example:443@evil.example/mcp',
    'https://mcp.example:8443/mcp',
    'http://mcp.example:443/mcp',
    ''
  ])
    t.notOk(isOwnResource(other, facts.publicUrl), other)
  t.equal(
    challenge(facts),
    'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp", scope="api"'
  )
  t.match(
    challenge(facts, { error: 'invalid_token', says: 'It is over.' }),
    /^Bearer error="invalid_token", error_description="It is over\."/
  )
})

t.test('a registration', async t => {
  const uris = ['https://app.example/cb']
  t.test('keeps the redirect URIs and a name without what hides or turns text', async t => {
    t.same(readClientMetadata({ redirect_uris: uris, client_name: ' A\u202e\u0000 \u200bname\n' }), {
      redirectUris: uris,
      name: 'A name'
    })
    t.same(readClientMetadata({ redirect_uris: [...uris, ...uris], client_name: '\u200b' }), {
      redirectUris: uris
    })
    for (const [given, name] of [
      [`App${'\u2800'.repeat(60)}again`, 'App again'],
      [`e${'\u0301'.repeat(90)}a`, 'e\u0301\u0301a'],
      ['\u3164', undefined]
    ])
      t.equal(readClientMetadata({ redirect_uris: uris, client_name: given }).name, name)
    t.equal(readClientMetadata({ redirect_uris: uris, client_name: '😀'.repeat(200) }).name?.length, 200)
  })
  t.test('is of a public client, whatever it asked for', async t => {
    const details = readClientMetadata({
      redirect_uris: uris,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      response_types: ['code', 'token']
    })
    const answer = registrationAnswer({ ...details, id: 'x' }, ['api'], 1_700_000_000_999)
    t.match(answer, {
      client_id: 'x',
      client_id_issued_at: 1_700_000_000,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'api'
    })
    t.notOk('client_secret' in answer)
  })
  t.test('is refused in the terms of RFC 7591', async t => {
    for (const [body, code] of [
      [undefined, 'invalid_client_metadata'],
      [null, 'invalid_client_metadata'],
      [[], 'invalid_client_metadata'],
      ['text', 'invalid_client_metadata'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: 'https://app.example/cb' }, 'invalid_redirect_uri'],
      [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [...uris, 'http://evil.example/'] }, 'invalid_redirect_uri'],
      [
        { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`) },
        'invalid_redirect_uri'
      ],
      [{ redirect_uris: uris, client_name: 1 }, 'invalid_client_metadata'],
      [{ redirect_uris: uris, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ redirect_uris: uris, grant_types: 'authorization_code' }, 'invalid_client_metadata'],
      [{ redirect_uris: uris, response_types: ['token'] }, 'invalid_client_metadata']
    ] as const)
      t.throws(() => readClientMetadata(body), { status: 400, code }, JSON.stringify(body))
  })
  t.test('is told what client metadata is where its body is none, and nothing of messages', async t => {
    for (const [body, says] of [
      ['', /^The body is no client metadata: there is no client metadata: send a JSON object as in RFC 7591/],
      ['{', /^The body is no client metadata: .*: send a JSON object as in RFC 7591.*"redirect_uris"/],
      [`'{"redirect_uris":[]}'`, /put the client metadata into a file/]
    ] as const) {
      t.throws(() => metadataBody.read(body), { code: 'invalid_client_metadata', message: says })
      t.throws(() => metadataBody.read(body), { message: /^(?!.*(?:JSON-RPC|tools\/list|message))/ })
    }
  })
  t.test('leaves the scheme of a refused redirect URI to the log, and the reason', async t => {
    for (const [uri, hint] of [
      ['unheardof://callback?secret', /^a scheme of an application has a dot .* \(unheardof:\)$/],
      ['http://evil.example/', /^http is for loopback addresses only \(http:\)$/],
      [`${'x'.repeat(60)}://callback`, /com\.example\.app:\/callback$/],
      ['/callback', /^it is not an absolute URI$/],
      [1, /^it is not text$/]
    ] as const)
      t.throws(() => readClientMetadata({ redirect_uris: [uri] }), { code: 'invalid_redirect_uri', hint })
  })
})

t.test('the cookie of a browser', async t => {
  const random = pooledRandom()
  const read = (header: string | undefined, url = facts.publicUrl) => readNonces(header, url, random)
  const nonce = 'n'.repeat(43)
  const own = { nonce, sent: [nonce] }
  t.same(read(`a=b; __Host-forge-oauth=${nonce}; c`), own)
  t.same(read(`a=b;\t __Host-forge-oauth=${nonce}`), own)
  t.same(read(`forge-oauth=${nonce}`, 'http://localhost:3000'), own)
  for (const header of [
    undefined,
    '',
    `forge-oauth=${nonce}`,
    `__Host-forge-oauth=${nonce}; __Host-forge-oauth=${nonce}`,
    `__Host-forge-oauth=${nonce}x`,
    '__Host-forge-oauth=',
    `\u00a0__Host-forge-oauth=${nonce}`,
    `a=b; \u00a0__Host-forge-oauth=${nonce}`,
    `\v__Host-forge-oauth=${nonce}`,
    '__Host-forge-oauth',
    `__Host-forge-oauth-=${nonce}`,
    `__Host-forge-oauth-m=${nonce}`,
    `__Host-forge-oauth-n=${nonce}; __Host-forge-oauth-n=${nonce}`,
    `forge-oauth-n=${nonce}`
  ]) {
    const fresh = read(header)
    t.match(fresh, { nonce: /^[\w-]{43}$/, sent: [] })
    t.not(fresh.nonce, nonce, String(header))
  }
  const ends = 'Path=/; Max-Age=1200; HttpOnly; SameSite=Lax'
  t.same(browserCookies(own, facts.publicUrl, 1200), [`__Host-forge-oauth=${nonce}; ${ends}; Secure`])
  t.same(browserCookies(own, 'http://127.0.0.1:3000', 1200), [`forge-oauth=${nonce}; ${ends}`])
})

t.test('the cookie of a browser that had none comes under a name of its own, too', async t => {
  const [first, second] = ['f'.repeat(43), 's'.repeat(43)]
  t.same(
    browserCookies({ nonce: first, sent: [] }, facts.publicUrl, 1200).map(set => set.split(';')[0]),
    [`__Host-forge-oauth=${first}`, `__Host-forge-oauth-f=${first}`]
  )
  const both = `__Host-forge-oauth=${second}; __Host-forge-oauth-f=${first}; __Host-forge-oauth-s=${second}`
  t.same(readNonces(both, facts.publicUrl, pooledRandom()), { nonce: second, sent: [second, first] })
  const many = Array.from({ length: 500 }, (_, at) => {
    const nonce = Buffer.alloc(32, at).toString('base64url')
    return `__Host-forge-oauth-${nonce[0]}=${nonce}`
  })
  t.ok(readNonces(many.join('; '), facts.publicUrl, pooledRandom()).sent.length <= 64)
})

t.test('pages', async t => {
  const question = (name: string | undefined, redirectUri: string, id = 'x') =>
    consentPage(
      {
        client: { id, redirectUris: [redirectUri], ...(name !== undefined && { name }) },
        redirectUri,
        scope: 'api odd',
        ticket: 't"><'
      },
      'forge.example'
    )
  t.test('escape all that comes from outside', async t => {
    const html = question('<img src=x onerror=alert(1)>"\'&', 'https://app.example/cb?a=1&b=2')
    t.notMatch(html, /<img|t"></)
    t.match(html, '<dd>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;</dd>')
    t.match(html, 'a=1&amp;b=2')
    t.match(problemPage('<b>'), '&lt;b&gt;')
    t.match(onwardPage('https://x/?a="b"&c'), 'content="0;url=https://x/?a=&quot;b&quot;&amp;c"')
    t.notMatch(html + problemPage('x') + onwardPage('x'), /<script|onclick|javascript:/)
  })
  t.test(
    'have a client’s name in a place of its own, and in no sentence that it could go on with',
    async t => {
      const html = question('Claude❞ to use it? Checked. ❝', 'https://app.example/cb')
      t.match(html, '<dt>It calls itself</dt><dd>Claude❞ to use it? Checked. ❝</dd>')
      t.equal(html.split('Checked').length, 2, 'and nowhere else')
      t.match(question(undefined, 'https://app.example/cb'), '<dd>It has no name.</dd>')
    }
  )
  t.test('say where the login goes back to', async t => {
    t.match(question('A', 'https://app.example.evil.example/cb'), '<strong>app.example.evil.example</strong>')
    t.match(question('A', 'http://127.0.0.1:99/cb'), 'an application on this device (127.0.0.1:99)')
    t.match(question('A', 'cursor://x/cb'), 'an application on this device (cursor:)')
    t.match(question('A', 'https://app.example/cb', 'https://docs.example/client'), 'docs.example')
  })
  t.test('say what is given', async t => {
    t.match(question('A', 'https://app.example/cb'), 'read and change everything that you can (api); odd')
  })
})
