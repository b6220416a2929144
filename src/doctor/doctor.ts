import { toolNames } from '../app.ts'
import { DOCTOR_TOKEN } from '../config/argv.ts'
import { ConfigError } from '../config/config-error.ts'
import { readEnvironment } from '../config/environment.ts'
import { hasHomeForge } from '../config/home-forge.ts'
import type { Settings } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { loadSettings, withoutFile } from '../config/secret-files.ts'
import { withoutTokens } from '../log/without-tokens.ts'
import { isToken, tokenFault } from '../session/credential.ts'
import { createNetwork, type Network } from '../upstream/connections/network.ts'
import { forgeBase, GRAPHQL_PATH } from '../upstream/hosts/url.ts'
import { downloadsFinding } from './downloads.ts'
import { type Finding, found, printed } from './finding.ts'
import { clockFinding, forgeFinding, tokenFinding } from './forge.ts'
import { graphqlFinding, graphqlQuestion } from './graphql.ts'
import { listeningFinding } from './listening.ts'
import { loginFindings } from './login.ts'
import { type Posted, type Probe, probe } from './probe.ts'
import { projectsFinding } from './projects.ts'
import { secretFileFindings } from './secret-files.ts'
import { mayAnswer, wayFindings } from './way.ts'

/** Advice for people who set a token only to have it checked. */
const lookAlone = `To have a token looked at where callers bring theirs, set ${DOCTOR_TOKEN} to it instead.`

interface Examination {
  /** The text for people, without secrets. */
  readonly text: string
  /** Whether nothing keeps the service from serving. */
  readonly isWell: boolean
}

/**
 * Checks whether the service could serve with this configuration, without serving: the configuration itself, then, over
 * the same connections as calls, the way to the forge of FORGE_API_URL, the forge, a token and the clock.
 * @param flags variables set by flags
 * @param problems faults of the command line
 * @param now clock of dates in milliseconds
 */
export async function examine(
  env: NodeJS.ProcessEnv,
  flags: Settings,
  problems: readonly string[],
  now: () => number = Date.now
): Promise<Examination> {
  const findings: Finding[] = []
  const ready = await readConfiguration(env, flags, problems, findings)
  if (ready !== undefined) {
    findings.push(await listeningFinding(ready.config, now), await downloadsFinding(ready.config))
    findings.push(
      ...(ready.hasForge ? await lookAtForge(ready, env[DOCTOR_TOKEN]?.trim() ?? '', now) : [noForge])
    )
  }
  const text = printed(findings, ready?.hasForge === false ? 'there is no forge to ask' : undefined)
  return { text: withoutTokens(text), isWell: !findings.some(({ state }) => state === 'fail') }
}

const noForge = found(
  'skip',
  'forge',
  'callers name theirs; set FORGE_API_URL for this command to check one.'
)

interface Ready {
  readonly config: Config
  readonly network: Network
  /** Whether there is a forge that all callers share. */
  readonly hasForge: boolean
}

async function readConfiguration(
  env: NodeJS.ProcessEnv,
  flags: Settings,
  problems: readonly string[],
  findings: Finding[]
): Promise<Ready | undefined> {
  const say = (state: 'ok' | 'warn' | 'fail', says: string, advice?: string) =>
    findings.push(found(state, 'configuration', says, advice))
  const { given, ...read } = await readEnvironment(env, flags)
  for (const note of [...read.unread, ...read.notes]) say('warn', note)
  findings.push(...(await secretFileFindings(env, given)))
  try {
    const { config, settings, notes } = await loadSettings(given, {
      problems: [...problems, ...read.problems],
      tools: toolNames
    })
    const network = createNetwork(config)
    for (const note of notes) say('warn', note)
    const count = Object.keys(settings).length
    const praise = count === 1 ? ', as it should be' : ', and fit together'
    const isWarned = findings.some(({ state }) => state === 'warn')
    const notThere = withoutFile(config)
    say(
      'ok',
      `${count === 1 ? '1 variable is set' : `${count} variables are set`}${isWarned ? '' : praise}.${
        notThere.length === 0 ? '' : ` Without a file, or with an empty one: ${notThere.join(', ')}.`
      }`
    )
    return { config, network, hasForge: hasHomeForge(settings) }
  } catch (error) {
    const said = error instanceof ConfigError ? error.problems : [(error as Error).message]
    const gave = given.FORGE_PERSONAL_ACCESS_TOKEN !== undefined
    for (const one of said)
      say(
        'fail',
        one,
        gave && /FORGE_PERSONAL_ACCESS_TOKEN .*callers bring/.test(one) ? lookAlone : undefined
      )
    return undefined
  }
}

async function lookAtForge({ config, network }: Ready, given: string, now: () => number): Promise<Finding[]> {
  const dispatcher = network.dispatcher('home')
  const token = config.FORGE_PERSONAL_ACCESS_TOKEN || given
  const sent = isToken(token) ? token : ''
  const beside = (path: string, body?: Posted, bearing = '') =>
    probe(dispatcher, `${forgeBase(network.home)}${path}`, bearing, now, body)
  const ask = (path: string) => probe(dispatcher, `${network.home}${path}`, sent, now)
  try {
    const home = new URL(network.home)
    // The address is cached for half a minute, so from here on only the time of the forge itself is measured.
    const begun = performance.now()
    await network.find(home.hostname).catch(() => undefined)
    const lookupMs = performance.now() - begun
    const version = await ask('/version')
    const findings = wayFindings(home, config, version, now(), lookupMs)
    if (findings.some(({ state }) => state === 'fail')) return findings
    const forge = forgeFinding(network.home, version, mayAnswer(home, config, version))
    findings.push(forge)
    // A server that is not a forge cannot check a token.
    if (forge.state === 'fail') return [...findings, clockFinding(version)]
    findings.push(graphqlFinding(await beside(GRAPHQL_PATH, graphqlQuestion, sent)))
    const ofToken = await lookAtToken(token, ask, now)
    findings.push(ofToken)
    // With a bad token, existing projects would seem to be missing.
    if (ofToken.state !== 'fail') findings.push(await projectsFinding(config, sent === '' ? undefined : ask))
    return [...findings, ...(await loginFindings(config, beside)), clockFinding(version)]
  } finally {
    await dispatcher.destroy()
  }
}

async function lookAtToken(
  token: string,
  ask: (path: string) => Promise<Probe>,
  now: () => number
): Promise<Finding> {
  if (token === '')
    return found(
      'skip',
      'token',
      `there is none to look at: set ${DOCTOR_TOKEN} to one, for this command alone.`
    )
  const fault = tokenFault(token, DOCTOR_TOKEN)
  return fault === undefined
    ? tokenFinding(await ask('/personal_access_tokens/self'), token, now())
    : found('fail', 'token', fault)
}
