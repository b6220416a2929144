import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startCluster } from './cluster.ts'

/* The commands and values that docs/kubernetes.md and docs/operations.md give, by kubectl and Helm themselves. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')
const [page, operations] = [read('kubernetes.md'), read('operations.md')]

/** The block of a kind that says something, as it stands there. */
function block(text: string, kind: 'sh' | 'yaml', says: string): string {
  const found = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].find(
    ([, its, text]) => its === kind && text!.includes(says)
  )
  if (found === undefined) throw new Error(`no block of ${kind} says ${says}`)
  return found[2]!
}

t.test('the pages for who runs it, in a cluster', { timeout: 300_000 }, async t => {
  const cluster = await startCluster(t)
  const { kubelet } = cluster
  const folder = t.testdir({})
  /** In the folder that the page means, and without its pauses. */
  const sh = (lines: string) => cluster.sh(`cd ${root}; sleep() { :; }\n${lines}`)
  const secret = async (name: string) =>
    JSON.parse(await sh(`kubectl -n tools get secret ${name} -o json`)).data as Record<string, string>

  await t.test('installs as the page has it', async t => {
    const install = block(page, 'sh', 'helm install forge ./helm')
    // A test pod is of nobody's node: it would wait for its end.
    await sh(install.replace(/^helm test .*$/m, ''))
    t.match(await sh('helm list -n tools'), /forge\s+tools\s+1\s.*deployed/)
  })

  await t.test('rotates the key in three steps, and leaves other secrets alone', async t => {
    const steps = block(page, 'sh', '# 1: learn to open')
    const [, name] = /^SECRET=(\S+)/.exec(steps)!
    await sh(
      `kubectl -n tools patch secret ${name} --type=merge -p '{"stringData":{"FORGE_OAUTH_APP_SECRET":"kept"}}'`
    )
    const old = await secret(name!)
    kubelet.log = '{"level":30,"msg":"settings taken over from files"}\n'
    const [preparation, first, second, third] = steps.split(/^(?=put ")/m)
    const keys = `${preparation!
      .split('\n')
      .filter(line => /^(OLD|NEW)=/.test(line))
      .join('\n')}\n`
    // Each step is run in a shell of its own, so the new key is made once.
    const fresh = await sh(`${keys.replace(/^OLD.*$/m, '')}printf %s "$NEW"`)
    const keysNow = async () => {
      const { OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS, FORGE_OAUTH_APP_SECRET } =
        await secret(name!)
      t.equal(FORGE_OAUTH_APP_SECRET, Buffer.from('kept').toString('base64'))
      return [OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS]
    }
    const step = async (line: string) => {
      const said = await sh(
        `${preparation!.replace(/^OLD=.*$/m, `OLD=${old.OAUTH_STATELESS_SECRET}`).replace(/^NEW=.*$/m, `NEW=${fresh}`)}\n${line}`
      )
      t.match(said, /patched\n2\n$/, 'and counts the pods that have it')
      return keysNow()
    }
    t.same(await step(first!), [old.OAUTH_STATELESS_SECRET, fresh])
    t.same(await step(second!), [fresh, old.OAUTH_STATELESS_SECRET])
    // A day later, in another shell: the page's lines make another key there, which is not used.
    await sh(`${preparation}\n${third}`)
    t.same(await keysNow(), [fresh, undefined], 'no key is left that no longer counts')
    t.match(Buffer.from(fresh, 'base64').toString(), /^[\w+/]{64}$/)
  })

  await t.test('ends what the old keys have sealed, after a leak', async t => {
    const [preparation] = block(page, 'sh', '# 1: learn to open').split(/^(?=put ")/m)
    const [, name] = /^SECRET=(\S+)/.exec(preparation!)!
    const { OAUTH_STATELESS_SECRET: leaked } = await secret(name!)
    await sh(`${preparation}\n${block(page, 'sh', '# at once')}`)
    const { OAUTH_STATELESS_SECRET, ...others } = await secret(name!)
    t.match(Buffer.from(OAUTH_STATELESS_SECRET!, 'base64').toString(), /^[\w+/]{64}$/)
    t.not(OAUTH_STATELESS_SECRET, leaked)
    t.same(Object.keys(others), ['FORGE_OAUTH_APP_SECRET'])
  })

  await t.test(
    'brings a lost Secret back, from a backup or a pod, and an upgrade says that it was lost',
    async t => {
      const name = 'forge-forge-tool-server-keys'
      const kept = await secret(name)
      const backup = block(page, 'sh', 'keys.json')
      const [, back] = /# back: (.*)/.exec(backup)!
      const lose = `kubectl -n tools delete secret ${name}`
      await sh(`cd ${folder}\n${backup}\n${lose}\n${back}`)
      t.same(await secret(name), kept)
      // A node that runs nothing has no files to read.
      const again = block(page, 'sh', 'LOST=').replace(
        /kubectl -n tools exec .* -- cat \S+(?=\))/,
        'echo the-key'
      )
      await sh(`${lose}\n${again}`)
      t.same(await secret(name), { OAUTH_STATELESS_SECRET: Buffer.from('the-key').toString('base64') })
      const upgrade = 'helm upgrade forge ./helm -n tools --reuse-values'
      t.notMatch(await sh(upgrade), 'was not there')
      t.match(await sh(`${lose}\n${upgrade}`), `The Secret ${name} was not there`)
    }
  )

  await t.test('rotates a key by the name that it has in the Secret, and none that is not there', async t => {
    await sh('kubectl -n tools create secret generic own --from-literal=seal.key=the-old')
    const steps = block(page, 'sh', '# 1: learn to open')
    const [preparation, first] = steps.replace(/^SECRET=\S+/, 'SECRET=own').split(/^(?=put ")/m)
    const named = preparation!
      .replace(/^KEY=\S+/m, 'KEY=seal.key')
      .replace(/^PREVIOUS=\S+/m, 'PREVIOUS=seal.old')
    await sh(`${named}\n${first}`)
    const data = await secret('own')
    t.same(Object.keys(data).toSorted(), ['seal.key', 'seal.old'])
    t.equal(data['seal.key'], Buffer.from('the-old').toString('base64'))
    t.match(await sh(`${preparation}\n${first!.split('#')[0]} || true`), 'own has no OAUTH_STATELESS_SECRET')
    t.same(await secret('own'), data)
  })

  await t.test('a Secret of one’s own is named, and settings come from a ConfigMap', async t => {
    const own = block(page, 'sh', 'create secret generic forge-tool-server')
    const settings = block(page, 'sh', 'create configmap mcp-settings')
    await sh(
      `${own.replace(/^helm install … /m, 'helm upgrade forge ./helm -n tools --reuse-values --wait ')}${settings}`
    )
    const values = join(folder, 'settings.yaml')
    writeFileSync(values, block(page, 'yaml', 'FORGE_SETTINGS_PATH'))
    // Beside a certificate authority, which has a place of its own.
    await sh(`kubectl -n tools create configmap ca --from-literal=ca.crt=x
helm upgrade forge ./helm -n tools --reuse-values --wait -f ${values} --set caBundle.configMap=ca`)
    const pod = await sh('kubectl -n tools get deploy/forge-forge-tool-server -o yaml')
    t.match(pod, /secret:\s+items:[^:]*(?:key|path): [\s\S]*?name: forge-tool-server\n/)
    t.match(pod, /configMap:\s+defaultMode: \d+\s+name: mcp-settings/)
    const [edit] = /kubectl -n tools edit configmap [\w-]+/.exec(page)!
    await sh(`EDITOR='sed -i s/=info/=debug/' ${edit}`)
    t.match(await sh('kubectl -n tools get configmap mcp-settings -o yaml'), 'LOG_LEVEL=debug')
  })

  await t.test('upgrades by each set of values that the page has, and back', async t => {
    const upgrade = /`(helm upgrade forge [^`]+)`/.exec(page)![1]!
    const back = /`(helm rollback forge [^`]+)`/.exec(page)![1]!
    const sets = [...page.matchAll(/```yaml\n# values.yaml\n([\s\S]*?)```/g)].map(([, text]) => text!)
    t.equal(sets.length, 4)
    for (const [at, text] of sets.entries()) {
      const file = join(folder, `values-${at}.yaml`)
      writeFileSync(file, text)
      // Those without an image are parts of a file that names one.
      const reuses = /^image:/m.test(text) ? '' : ' --reset-then-reuse-values'
      await sh(`${upgrade.replace('values.yaml', file)}${reuses} --set minReadySeconds=0`)
    }
    await sh(back)
    t.match(await sh('helm history forge -n tools -o json'), '"description":"Rollback to ')
  })

  await t.test('scales by hand, and upgrades after a kubectl scale when that is forced', async t => {
    const upgrade = /`(helm upgrade forge [^`]+replicaCount=4)`/.exec(page)![1]!
    const replicas = () =>
      sh('kubectl -n tools get deploy/forge-forge-tool-server -o jsonpath={.spec.replicas}')
    const settled = `${upgrade} --wait --set autoscaling.enabled=false --set minReadySeconds=0`
    // What an earlier test has scaled by KEDA is nobody's any more.
    await sh(`${settled} --force-conflicts`)
    t.equal(await replicas(), '4')
    await sh('kubectl -n tools scale deploy/forge-forge-tool-server --replicas=3')
    await t.rejects(sh(settled), /conflict with "kubectl"/)
    await sh(`${settled} --force-conflicts`)
    t.equal(await replicas(), '4')
  })

  await t.test('rolls back over what kubectl has changed when that is forced', async t => {
    const back = /`(helm rollback forge [^`]+)`/.exec(page)![1]!
    await sh(`kubectl -n tools set image deploy/forge-forge-tool-server server=registry.example.com/other:1
kubectl -n tools patch configmap forge-forge-tool-server --type=merge -p '{"data":{"LOG_LEVEL":"trace"}}'`)
    await t.rejects(sh(back), /conflict with "kubectl-/)
    await sh(`${back} --force-conflicts`)
    t.notMatch(await sh('kubectl -n tools get deploy/forge-forge-tool-server -o yaml'), 'example.com/other')
    t.notMatch(await sh('kubectl -n tools get configmap forge-forge-tool-server -o yaml'), 'trace')
  })

  await t.test('is applied without Helm, again and again, and hands its number to an autoscaler', async t => {
    await cluster.namespace('applied')
    const here = (lines: string) => sh(lines.replaceAll('-n tools', '-n applied'))
    const apply = (values: string) => {
      const file = join(folder, 'applied.yaml')
      writeFileSync(file, values)
      return here(block(page, 'sh', 'helm template forge ./helm').replace('values.yaml', file))
    }
    const replicas = () =>
      here('kubectl -n tools get deploy/forge-forge-tool-server -o jsonpath={.spec.replicas}')
    await here(block(page, 'sh', 'create secret generic forge-tool-server').replace(/^helm install.*$/m, ''))
    const objects = await apply('replicaCount: 4')
    t.notMatch(objects, /job|pod\//)
    t.match(await apply('{ replicaCount: 4, config: { LOG_LEVEL: debug } }'), /deployment\S+ configured/)
    const [edit] = /kubectl -n tools apply edit-last-applied [\w/-]+/.exec(page)!
    await here(`EDITOR="sed -i '/^  replicas:/d'" ${edit}`)
    await apply('{ replicaCount: 4, autoscaling: { enabled: true } }')
    t.equal(await replicas(), '4')
  })

  await t.test('questions are asked of the pods as the pages have them', async t => {
    kubelet.log = '{"level":40,"trouble":"dns","host":"forge.example.com","msg":"trouble with a forge"}\n'
    const lines = block(operations, 'sh', 'kubectl -n tools logs').split(/ \|\s+jq/)[0]!
    const told = (await sh(lines)).split(/(?<=\n)/)
    t.ok(told.length >= 2, 'of all pods')
    for (const line of told) t.match(line, /^\{"pod":"[\w-]+",/)
    const said = told.map(line => line.replace(/"pod":"[^"]+",/, ''))
    t.same(new Set(said), new Set([kubelet.log]))
    const doctor = block(operations, 'sh', 'kubectl -n tools exec').match(/^kubectl.*exec.*$/m)![0]
    // As far as a node that runs nothing lets it: the pod was found.
    await t.rejects(sh(doctor), /upgrade connection|stream/)
  })
})
