import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { freePort } from '../support/listen.ts'
import { Api, type Stored } from './api.ts'
import { Kubelet } from './kubelet.ts'

/*
 * A real API server with the real controllers, on loopback and without a container: objects are defaulted, validated,
 * admitted and acted upon as in any cluster. What runs pods is ours (kubelet.ts).
 */

/** Where `.ci/kube` keeps the program and the definitions. */
const home = process.env.KUBE_HOME ?? ''
const TOKEN = 'admin-of-the-tests'

/** The controllers that act on what the chart makes. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'job-controller',
  'horizontal-pod-autoscaler-controller',
  'disruption-controller',
  'serviceaccount-controller',
  'namespace-controller',
  'garbage-collector-controller'
]

interface Cluster {
  readonly api: Api
  readonly kubelet: Kubelet
  /** Runs Helm against it. @returns what it printed @throws Error with what it said */
  helm(...args: string[]): Promise<string>
  /** Runs lines of a shell, in which kubectl and Helm speak to it. @returns what they printed @throws as helm */
  sh(lines: string): Promise<string>
  /** A namespace, by default one that admits what the restricted Pod Security Standard admits. */
  namespace(name: string, standard?: 'restricted' | 'privileged'): Promise<void>
}

/** Starts it; it is gone with the test. */
export async function startCluster(t: Pick<Test, 'teardown'>): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kube-'))
  const programs: ChildProcess[] = []
  t.teardown(async () => {
    for (const program of programs.reverse()) {
      const ended = program.exitCode === null ? once(program, 'exit') : undefined
      program.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })
  const start = (name: string, flags: Readonly<Record<string, string>>) => {
    const words = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
    const child = spawn(join(home, 'kube'), [name, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    const log = createWriteStream(join(folder, `${name}.log`))
    child.stdout.pipe(log)
    child.stderr.pipe(log)
    programs.push(child)
    return async () => {
      if (child.exitCode !== null)
        throw new Error(
          `${name} ended:\n${(await readFile(join(folder, `${name}.log`), 'utf8')).slice(-3000)}`
        )
    }
  }

  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()]
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const files = {
    'key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'public.pem': publicKey.export({ type: 'spki', format: 'pem' }),
    'tokens.csv': `${TOKEN},admin,1,"system:masters"\n`,
    kubectl: `#!/bin/sh\nexec ${join(home, 'kube')} kubectl "$@"\n`,
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      clusters: [
        {
          name: 'test',
          cluster: {
            server: `https://127.0.0.1:${port}`,
            'certificate-authority': join(folder, 'certificates', 'apiserver.crt')
          }
        }
      ],
      users: [{ name: 'test', user: { token: TOKEN } }]
    })
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), content, { mode: 0o700 })
  const at = (file: string) => join(folder, file)

  const etcdLives = start('etcd', {
    'data-dir': at('etcd'),
    'unsafe-no-fsync': 'true',
    'listen-client-urls': `http://127.0.0.1:${etcdPort}`,
    'advertise-client-urls': `http://127.0.0.1:${etcdPort}`,
    'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-advertise-peer-urls': `http://127.0.0.1:${peerPort}`,
    'initial-cluster': `default=http://127.0.0.1:${peerPort}`
  })
  const serverLives = start('apiserver', {
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': at('certificates'),
    'service-account-key-file': at('public.pem'),
    'service-account-signing-key-file': at('key.pem'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'token-auth-file': at('tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.96.0.0/16',
    'endpoint-reconciler-type': 'none'
  })
  const api = await ready(`https://127.0.0.1:${port}`, at('certificates/apiserver.crt'), async () => {
    await etcdLives()
    await serverLives()
  })
  t.teardown(() => api.close())
  start('controller-manager', {
    kubeconfig: at('kubeconfig'),
    'service-account-private-key-file': at('key.pem'),
    controllers: controllers.join(','),
    'leader-elect': 'false',
    'secure-port': '0',
    // Decisions within seconds: the clock is not what is tested.
    'horizontal-pod-autoscaler-sync-period': '1s',
    'horizontal-pod-autoscaler-initial-readiness-delay': '0s'
  })
  await define(api)
  // Anybody's name and certificate will do: the API server asks no kubelet for one of its own authority.
  const certificate = {
    key: readFileSync(at('certificates/apiserver.key')),
    cert: readFileSync(at('certificates/apiserver.crt'))
  }
  const kubelet = await Kubelet.start(api, certificate)
  t.teardown(() => kubelet.stop())
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, KUBECONFIG: at('kubeconfig') }
  const run = async (what: string, ...words: [string, ...string[]]) => {
    const ran = promisify(execFile)(words[0], words.slice(1), { env, timeout: 120_000 })
    return (await ran.catch(error => Promise.reject(new Error(`${what}: ${error.stderr}`)))).stdout
  }

  return {
    api,
    kubelet,
    helm: (...args) => run(`helm ${args[0]}`, 'helm', ...args),
    sh: lines => run('sh', 'bash', '--norc', '-euo', 'pipefail', '-c', lines),
    namespace: async (name, standard = 'restricted') => {
      await api.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': standard } }
      })
      // Until it has its account, pods of no other are admitted.
      while ((await api.list('v1', 'ServiceAccount', name)).length === 0) await sleep(50)
    }
  }
}

/** Waits until the API server serves. */
async function ready(url: string, certificate: string, lives: () => Promise<void>): Promise<Api> {
  for (let tries = 0; tries < 600; tries++) {
    await lives()
    const api = await readFile(certificate, 'utf8').then(
      ca => new Api(url, ca, TOKEN),
      () => undefined
    )
    const isReady = await api?.send('/readyz').then(
      ({ status }) => status === 200,
      () => false
    )
    if (api !== undefined && isReady) return api
    await api?.close()
    await sleep(200)
  }
  throw new Error('the API server was not ready within two minutes')
}

/** The custom resources that the chart can make, as those who serve them define them. */
async function define(api: Api): Promise<void> {
  const folder = join(home, 'definitions')
  const definitions: Stored[] = []
  for (const file of await readdir(folder))
    for (const document of parseAllDocuments(await readFile(join(folder, file), 'utf8')))
      if (document.contents !== null) definitions.push(document.toJSON() as Stored)
  await Promise.all(definitions.map(definition => api.create(definition)))
  for (const { spec } of definitions) {
    const { group, versions } = spec
    const { name } = versions.find(({ served }: { served: boolean }) => served)
    while ((await api.send(`/apis/${group}/${name}`)).status !== 200) await sleep(100)
  }
}
