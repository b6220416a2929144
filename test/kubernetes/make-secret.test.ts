import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeSecret } from '../../src/kubernetes/make-secret.ts'
import { decodeSecret } from '../../src/seal/keyring.ts'
import { selfSigned } from '../support/certificates.ts'
import { listenTls } from '../support/listen.ts'
import { runCli } from '../support/process.ts'

/* `test/kube` runs the same against a real API server. */

interface Asked {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: what was sent, as it is.
  readonly body: any
}

/** An API server that gives one answer, and the environment of a pod that would ask it. */
async function pod(t: Test, status: number, answer: unknown) {
  const certificate = selfSigned(t)
  const asked: Asked[] = []
  const origin = await listenTls(t, { key: certificate.key, cert: certificate.cert }, (request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      asked.push({ line: `${method} ${url}`, headers, body: JSON.parse(text) })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  const folder = mkdtempSync(join(tmpdir(), 'account-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const files = { token: 'account-token\n', namespace: 'tools', 'ca.crt': certificate.cert }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const { hostname, port } = new URL(origin)
  const env = {
    SECRET_NAME: 'forge-keys',
    SERVICE_ACCOUNT_FOLDER: folder,
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port
  }
  return { asked, env, folder }
}

t.test('makes the Secret with a key that the service takes, as the account of the pod', async t => {
  const { asked, env } = await pod(t, 201, {})
  t.same(await makeSecret(env), { says: 'Made the Secret forge-keys in tools.', isThere: true })
  const [{ line, headers, body }] = asked as [Asked]
  t.equal(line, 'POST /api/v1/namespaces/tools/secrets')
  t.equal(headers.authorization, 'Bearer account-token')
  t.equal(body.metadata.name, 'forge-keys')
  t.equal(decodeSecret(body.stringData.OAUTH_STATELESS_SECRET)?.length, 48)
})

t.test('each time with another key, under the name that the chart has for it', async t => {
  const { asked, env } = await pod(t, 201, {})
  await makeSecret({ ...env, SECRET_KEY: 'current' })
  await makeSecret({ ...env, SECRET_KEY: 'current' })
  const [one, other] = asked.map(({ body }) => body.stringData)
  t.same(Object.keys(one), ['current'])
  t.not(one.current, other.current)
})

t.test('no tool that compares with a repository takes it for its own, or deletes it', async t => {
  const { asked, env } = await pod(t, 201, {})
  await makeSecret(env)
  const { labels, annotations } = asked[0]!.body.metadata
  t.notOk('app.kubernetes.io/instance' in labels)
  t.equal(annotations['argocd.argoproj.io/sync-options'], 'Prune=false')
})

t.test('leaves a Secret that is there as it is', async t => {
  const { asked, env } = await pod(t, 409, { message: 'secrets "forge-keys" already exists' })
  t.same(await makeSecret(env), { says: 'The Secret forge-keys in tools stays as it is.', isThere: true })
  t.equal(asked.length, 1)
})

t.test('the command says what went wrong, and ends with 1', async t => {
  for (const [answer, words] of [
    [{ message: 'secrets is forbidden' }, 'secrets is forbidden'],
    ['<html>no', '<html>no']
  ] as const) {
    const { env } = await pod(t, 403, answer)
    t.match(await runCli(['make-secret'], env), {
      code: 1,
      out: `The Secret cannot be made: the API server answers 403: ${words}.\n`
    })
  }
})

t.test('speaks to no API server but the one that the account knows', async t => {
  const { asked, env, folder } = await pod(t, 201, {})
  writeFileSync(join(folder, 'ca.crt'), selfSigned(t).cert)
  t.match(await makeSecret(env), { isThere: false, says: /self-signed certificate/ })
  t.same(asked, [])
})

t.test('outside a pod it says where it belongs', async t => {
  t.match(await makeSecret({}), {
    isThere: false,
    says: /runs in a pod of Kubernetes and needs SECRET_NAME.*: openssl rand -base64 48\.$/
  })
  t.match(
    await makeSecret({ SECRET_NAME: 'x', KUBERNETES_SERVICE_HOST: 'h', SERVICE_ACCOUNT_FOLDER: '/no' }),
    {
      isThere: false,
      says: /ENOENT/
    }
  )
})
