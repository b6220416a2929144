import t, { type Test } from 'tap'
import { secretOf } from '../support/sealing.ts'
import { Autoscaler } from './autoscaler.ts'
import { Load } from './clients.ts'
import { Cluster } from './cluster.ts'
import { startSlowForge } from './forge.ts'
import { startIngress } from './ingress.ts'

/*
 * A roll in miniature: three server processes behind haproxy, clients that never stop calling, and endpoints
 * that are taken away late, as in Kubernetes. `npm run test:roll`; about a minute, loopback only.
 */

const REPLICAS = 3
/** A third of each kind. */
const CLIENTS = 15
/** Seconds; the same as the chart's, only smaller: more than endpoints lag. */
const DRAIN = 2
const timing = { endpointLag: 1000, minReady: 100 }

const [OLD, NEW] = [secretOf('old'), secretOf('new')]
const keys = (secret: string, previous = '') => ({
  OAUTH_STATELESS_SECRET: secret,
  OAUTH_STATELESS_SECRET_PREVIOUS: previous
})

t.test('a deployment under load', async t => {
  const forge = await startSlowForge(300, 2600)
  t.teardown(() => forge.close())
  const ingress = await startIngress()
  t.teardown(() => ingress.stop())
  const cluster = new Cluster(
    t,
    ingress,
    {
      FORGE_API_URL: forge.url,
      OAUTH_STATELESS_MODE: 'true',
      MAX_REQUESTS_PER_MINUTE: '0',
      DRAIN_SECONDS: String(DRAIN),
      LOG_LEVEL: 'info'
    },
    timing
  )
  await cluster.grow(REPLICAS, keys(OLD))
  const load = new Load({ url: ingress.strict, each: CLIENTS / 3, pause: 50 })
  t.teardown(() => load.stop())
  await load.pass(3)

  const loses = async (t: Test, act: () => Promise<void>) => {
    const before = load.calls
    await act()
    await cluster.settle()
    await load.pass(2)
    t.comment(`${load.calls - before} calls`)
    return load.newFailures()
  }

  await t.test('a restart loses no call', async t => {
    t.same(await loses(t, () => cluster.roll(keys(OLD))), [])
    t.same(cluster.exits.splice(0), [0, 0, 0])
  })

  await t.test('scaling down and up again loses no call', async t => {
    const failures = await loses(t, async () => {
      cluster.shrink()
      cluster.shrink()
      await cluster.settle()
      await cluster.grow(2, keys(OLD))
    })
    t.same(failures, [])
    t.same(cluster.exits.splice(0), [0, 0])
  })

  await t.test(
    'an autoscaler follows the calls in flight up and down again, and no call is lost',
    async t => {
      // What the first clients have in flight never wants more than the least.
      const targets = { calls: 7, least: REPLICAS, most: 6, stable: 2000 }
      const autoscaler = new Autoscaler(cluster, targets, keys(OLD))
      const failures = await loses(t, async () => {
        load.grow(8)
        await autoscaler.until(pods => pods >= REPLICAS + 2)
        await load.pass(3)
        await load.shrink(CLIENTS)
        await autoscaler.until(pods => pods === REPLICAS)
        await autoscaler.stop()
      })
      t.same(failures, [])
      t.ok(Math.max(...autoscaler.decisions) <= targets.most)
      const exits = cluster.exits.splice(0)
      t.ok(exits.length > 0)
      t.same(new Set(exits), new Set([0]))
      t.comment(`pods wanted: ${autoscaler.decisions}`)
    }
  )

  await t.test('a rotation of the sealing key in three steps loses no call', async t => {
    const failures = await loses(t, async () => {
      for (const step of [keys(OLD, NEW), keys(NEW, OLD), keys(NEW)]) {
        await cluster.roll(step)
        // The next deployment starts once this one is done; and every session has a value of its own by then.
        await cluster.settle()
        await load.pass(2)
      }
    })
    t.same(failures, [])
    t.same(cluster.exits.splice(0), Array(9).fill(0))
  })

  await t.test('a pod that is killed takes only the calls with it that it was working on', async t => {
    load.sendTo(ingress.retrying)
    await load.pass(2)
    let dead = 0
    const failures = await loses(t, async () => {
      // Something must be under way.
      while (forge.underWay < REPLICAS * 2) await new Promise(resolve => setTimeout(resolve, 5))
      await cluster.kill()
      dead = performance.now()
      await cluster.grow(1, keys(NEW))
    })
    t.comment(`${failures.length} calls were under way on it`)
    t.same(
      failures.filter(({ what, sent }) => !/^(502|socket hang up)/.test(what) || sent > dead),
      [],
      'each was sent to it alive, and ends as a broken connection does, which clients may try again'
    )
    const losers = failures.map(({ client }) => client)
    t.equal(new Set(losers).size, losers.length, 'no client lost more than one')
    t.equal(cluster.size, REPLICAS)
  })

  await t.test('without draining, calls would be lost: the measurement sees it', async t => {
    load.sendTo(ingress.strict)
    await cluster.grow(1, { ...keys(NEW), DRAIN_SECONDS: '0' })
    await load.pass(2)
    load.newFailures()
    const failures = await loses(t, async () => cluster.shrink('newest'))
    t.ok(failures.length > 0)
    t.comment(`${failures.length} calls were lost`)
  })

  await t.test('clients kept their connections, and every pod had its share', async t => {
    t.ok(load.calls > 1000, `${load.calls} calls`)
    t.ok(load.connections < 100, `${load.connections} connections`)
    t.ok(load.longest < 10_000, `the longest call took ${Math.round(load.longest)} ms`)
    t.ok([...load.byPod.values()].every(calls => calls > 10))
  })
})
