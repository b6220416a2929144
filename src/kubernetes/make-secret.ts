import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'undici'
import { MIN_SECRET_BYTES } from '../seal/keyring.ts'

/*
 * The program of the chart's hook Job: it creates the Secret with the sealing key, once. An existing Secret is kept, so
 * that an upgrade ends no session; it is never read, so that the Job's account only needs permission to create it.
 */

/** The folder with a pod's service account. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'
const TIMEOUT_MS = 15_000
const MAX_WORDS = 500

/** The result, in a sentence. */
interface Made {
  readonly says: string
  readonly isThere: boolean
}

/**
 * Creates the Secret named SECRET_NAME in the pod's own namespace, with a random sealing key under the key SECRET_KEY.
 * @param env of a pod, with KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT; SERVICE_ACCOUNT_FOLDER names another
 * folder with token, ca.crt and namespace
 */
export async function makeSecret(env: NodeJS.ProcessEnv): Promise<Made> {
  const { SECRET_NAME: name, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  const { SECRET_KEY: key = 'OAUTH_STATELESS_SECRET', SERVICE_ACCOUNT_FOLDER: folder = ACCOUNT_FOLDER } = env
  if (name === undefined || host === undefined)
    return failed(
      'make-secret runs in a pod of Kubernetes and needs SECRET_NAME; elsewhere OAUTH_STATELESS_SECRET is the output of: openssl rand -base64 48'
    )
  try {
    const [token, ca, namespace] = await Promise.all(
      ['token', 'ca.crt', 'namespace'].map(async file => (await readFile(join(folder, file), 'utf8')).trim())
    )
    const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
    const { status, message } = await post(
      `${origin}/api/v1/namespaces/${encodeURIComponent(namespace!)}/secrets`,
      { token: token!, ca: ca! },
      secretOf(name, key)
    )
    if (status === 201) return { says: `Made the Secret ${name} in ${namespace}.`, isThere: true }
    if (status === 409) return { says: `The Secret ${name} in ${namespace} stays as it is.`, isThere: true }
    return failed(`the API server answers ${status}: ${message}`)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

const failed = (why: string): Made => ({ says: `The Secret cannot be made: ${why}.`, isThere: false })

/**
 * The Secret to create. It has no labels of a release or an application: tools that prune what is no longer declared
 * would delete it.
 */
const secretOf = (name: string, key: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name,
    labels: { 'app.kubernetes.io/part-of': 'forge-tool-server' },
    annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' }
  },
  type: 'Opaque',
  stringData: { [key]: randomBytes(MIN_SECRET_BYTES + 16).toString('base64url') }
})

async function post(url: string, { token, ca }: { token: string; ca: string }, body: unknown) {
  const dispatcher = new Agent({ connect: { ca } })
  const { origin, pathname: path } = new URL(url)
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, message: messageIn(text) }
  } finally {
    await dispatcher.destroy()
  }
}

/** The message of the API server, from its Status object. */
function messageIn(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message).slice(0, MAX_WORDS)
  } catch {
    return text.slice(0, MAX_WORDS)
  }
}
