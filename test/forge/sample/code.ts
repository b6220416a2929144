import type { Files } from '../types.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const README = lines(
  '# Rocket',
  '',
  'Flight software of the Acme rocket: engine control, countdown and telemetry.',
  '',
  '## Working on it',
  '',
  '    npm ci',
  '    npm test'
)

const CI = lines(
  'stages: [build, test, package, deploy]',
  '',
  'compile:',
  '  stage: build',
  '  script: [npm ci, npm run build]',
  '',
  'unit-tests:',
  '  stage: test',
  '  script: [npm test]',
  '  artifacts:',
  '    paths: [reports/]'
)

const ENGINE = lines(
  'export interface Tank {',
  '  capacity: number',
  '  level: number',
  '}',
  '',
  'export const BURN_RATE = 12',
  '',
  'export const burn = (tank: Tank, seconds: number): Tank => {',
  '  const used = BURN_RATE * seconds',
  '  if (used > tank.level) throw new Error("tank is empty")',
  '  return { ...tank, level: tank.level - used }',
  '}',
  '',
  'export const refuel = (tank: Tank): Tank => ({ ...tank, level: tank.capacity })'
)

const LAUNCH = lines(
  'export class Countdown {',
  '  #remaining: number',
  '  #held = false',
  '',
  '  constructor(seconds: number) {',
  '    this.#remaining = seconds',
  '  }',
  '',
  '  hold() {',
  '    this.#held = true',
  '  }',
  '',
  '  resume() {',
  '    this.#held = false',
  '  }',
  '',
  '  tick() {',
  '    if (!this.#held) this.#remaining -= 1',
  '    return this.#remaining',
  '  }',
  '}'
)

const TELEMETRY = lines(
  'import { createSocket } from "node:dgram"',
  '',
  'const socket = createSocket("udp4")',
  '',
  'export const send = (packet: object) => {',
  '  socket.send(JSON.stringify(packet), 4040, "ground.acme.example")',
  '}'
)

const ENGINE_TEST = lines(
  'import { strict as assert } from "node:assert"',
  'import { test } from "node:test"',
  'import { burn, refuel } from "../src/engine.ts"',
  '',
  'test("burning uses fuel", () => {',
  '  assert.equal(burn({ capacity: 100, level: 100 }, 5).level, 40)',
  '})',
  '',
  'test("refuelling fills the tank", () => {',
  '  assert.equal(refuel({ capacity: 100, level: 3 }).level, 100)',
  '})'
)

/** acme/rocket at its first commit. */
export const ROCKET: Files = {
  'README.md': README,
  '.gitlab-ci.yml': CI,
  'package.json': lines('{', '  "name": "rocket",', '  "version": "1.4.0",', '  "type": "module"', '}'),
  'src/engine.ts': ENGINE,
  'src/launch.ts': LAUNCH,
  'src/telemetry.ts': TELEMETRY,
  'test/engine.test.ts': ENGINE_TEST
}

const replace = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`sample text without ${from}`)
  return text.replace(from, to)
}

/** main after a fix to the countdown. One merge request changes the same lines, so it has a conflict. */
export const MAIN: Files = {
  ...ROCKET,
  'src/launch.ts': replace(
    LAUNCH,
    '    if (!this.#held) this.#remaining -= 1\n    return this.#remaining',
    '    if (this.#held) return this.#remaining\n    this.#remaining = Math.max(0, this.#remaining - 1)\n    return this.#remaining'
  ),
  'package.json': replace(ROCKET['package.json']!, '1.4.0', '1.5.0-dev')
}

/** Branch fix/countdown-drift, created before main moved. */
export const DRIFT: Files = {
  ...ROCKET,
  'src/launch.ts': replace(
    LAUNCH,
    '    if (!this.#held) this.#remaining -= 1\n    return this.#remaining',
    '    const elapsed = this.#clock.elapsed()\n    if (!this.#held) this.#remaining -= elapsed\n    return this.#remaining'
  )
}

const GAUGE_ONE = replace(
  ENGINE,
  'export const refuel',
  lines(
    '/** Share of the tank that is left, in percent. */',
    'export const gauge = (tank: Tank) =>',
    '  tank.level / tank.capacity',
    ''
  ).concat('export const refuel')
)

/** Branch feature/fuel-gauge as first pushed. */
export const GAUGE: Files = { ...MAIN, 'src/engine.ts': GAUGE_ONE }

/** The same branch after the second push: a dashboard, and a test that fails. */
export const GAUGE_TWO: Files = {
  ...MAIN,
  'src/engine.ts': replace(
    GAUGE_ONE,
    '  tank.level / tank.capacity',
    '  Math.round((tank.level / tank.capacity) * 10)'
  ),
  'src/dashboard.ts': lines(
    'import { gauge, type Tank } from "./engine.ts"',
    '',
    'export const dashboard = (tank: Tank) => "fuel " + gauge(tank) + " %"'
  ),
  'test/engine.test.ts': replace(
    ENGINE_TEST,
    'import { burn, refuel }',
    'import { burn, gauge, refuel }'
  ).concat(
    lines(
      '',
      'test("the gauge shows percent", () => {',
      '  assert.equal(gauge({ capacity: 200, level: 50 }), 25)',
      '})'
    )
  )
}

/** Branch feature/telemetry-batching. */
export const BATCHING: Files = {
  ...MAIN,
  'src/telemetry.ts': replace(
    TELEMETRY,
    'export const send = (packet: object) => {\n  socket.send(JSON.stringify(packet)',
    'const queue: object[] = []\n\nexport const send = (packet: object) => {\n  queue.push(packet)\n  if (queue.length < 16) return\n  socket.send(JSON.stringify(queue.splice(0))'
  )
}

/** Branch docs/launch-checklist. */
export const CHECKLIST: Files = {
  ...MAIN,
  'docs/launch-checklist.md': lines(
    '# Launch checklist',
    '',
    '- [ ] Tanks full',
    '- [ ] Range clear',
    '- [ ] Weather green'
  ),
  'README.md': README.concat(lines('', 'Before a launch: [the checklist](docs/launch-checklist.md).'))
}

/** acme/website. */
export const WEBSITE: Files = {
  'index.html': lines('<!doctype html>', '<title>Acme</title>', '<h1>Rockets for everyone</h1>'),
  'styles.css': lines('h1 { color: #fc6d26 }')
}

export const LANDING: Files = {
  ...WEBSITE,
  'index.html': replace(WEBSITE['index.html']!, 'Rockets for everyone', 'Rockets, delivered')
}
