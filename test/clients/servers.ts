import { fileURLToPath } from 'node:url'
import type { Forge } from '../forge/index.ts'
import { oauthSettings } from '../support/oauth.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { secretOf } from '../support/sealing.ts'
import type { Relay } from './relay.ts'
import { type ScenarioName, sessionScenarios } from './scenarios.ts'

const built = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url))

/** A way to run the service. */
export interface Form {
  readonly title: string
  readonly scenarios: readonly ScenarioName[]
  readonly settings: (secret: string) => Record<string, string>
  /** Whether clients log in there, rather than bring a token. */
  readonly isOAuth?: boolean
}

const stateless = (secret: string) => ({
  OAUTH_STATELESS_MODE: 'true',
  OAUTH_STATELESS_SECRET: secretOf(secret)
})

/** For clients that do not go on with newer ids. */
const kept = (secret: string) => ({ ...stateless(secret), OAUTH_STATELESS_SID_REUSE_SECONDS: '3600' })

export const forms = {
  memory: { title: 'In memory', scenarios: sessionScenarios, settings: () => ({}) },
  stateless: { title: 'Stateless', scenarios: sessionScenarios, settings: stateless },
  kept: { title: 'Ids kept', scenarios: ['call', 'cancel', 'restart'], settings: kept },
  'oauth memory': { title: 'Login', scenarios: ['login'], settings: () => ({}), isOAuth: true },
  'oauth stateless': {
    title: 'Login, stateless',
    scenarios: ['login', 'leave'],
    settings: stateless,
    isOAuth: true
  },
  'oauth kept': { title: 'Login, ids kept', scenarios: ['renew'], settings: kept, isOAuth: true }
} satisfies Record<string, Form>

export type FormName = keyof typeof forms

/** The built service in all its forms, each as two processes that know nothing of each other. */
export class Servers {
  readonly #ends: (() => unknown)[] = []
  readonly #started = new Map<string, Promise<ServerProcess>>()
  readonly #forge: Forge
  readonly #front: Relay

  /** @param front of the forge, as the service reaches it */
  constructor(forge: Forge, front: Relay) {
    this.#forge = forge
    this.#front = front
  }

  /** @returns its origin */
  async urlOf(name: FormName, which: 'first' | 'second' = 'first'): Promise<string> {
    const key = `${name} ${which}`
    const { isOAuth, settings } = forms[name] as Form
    const forge = { ...this.#forge, apiUrl: `${this.#front.url}/api/v4` }
    const started =
      this.#started.get(key) ??
      startServer(
        { teardown: end => this.#ends.push(end) },
        {
          FORGE_API_URL: forge.apiUrl,
          LOG_LEVEL: 'info',
          MAX_REQUESTS_PER_MINUTE: '0',
          ...(isOAuth && oauthSettings(forge, { OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '1000' })),
          ...settings(key)
        },
        built
      )
    this.#started.set(key, started)
    return (await started).url
  }

  close(): void {
    for (const end of this.#ends) end()
  }
}
