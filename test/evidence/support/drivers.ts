import type { Forge } from '../../forge/index.ts'
import { Lines } from '../../support/lines.ts'
import { type ClientOperation, type ClientSurface, clientGo } from './client-go.ts'
import type { Driver, Outcome } from './driver.ts'
import { pythonIn } from './python.ts'
import { goEnvironment, goFolder } from './releases.ts'
import { keyOf } from './surface.ts'

/** Nobody's client: what the forge itself answers. */
export function bareDriver(forge: Forge): Driver {
  return {
    name: 'no client',
    close: async () => undefined,
    call: async (key, path, values) => {
      const [method, template] = key.split(' ') as [string, string]
      let at = 0
      const filled = template.replaceAll('{}', () => encodeURIComponent(path[at++]!))
      const reads = method === 'GET' || method === 'DELETE'
      const query = reads ? new URLSearchParams(values as Record<string, string>).toString() : ''
      const answer = await fetch(`${forge.apiUrl}${filled}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: { 'private-token': forge.tokens.margaret!, 'content-type': 'application/json' },
        ...(!reads && { body: JSON.stringify(values) })
      })
      const text = await answer.text()
      if (!answer.ok) return { status: answer.status, error: text }
      return /^[[{]/.test(text) ? { value: JSON.parse(text) } : {}
    }
  }
}

/** The forge's official client. @throws Unavailable */
export async function clientGoDriver(forge: Forge): Promise<Driver & { surface: ClientSurface }> {
  const surface = await clientGo<ClientSurface>('operations')
  const methods = new Map<string, ClientOperation>()
  for (const operation of surface.operations) {
    const key = keyOf(operation.method, operation.path)
    if (operation.document === undefined && !methods.has(key)) methods.set(key, operation)
  }
  const env = { ...(await goEnvironment()), FORGE_URL: forge.url, FORGE_TOKEN: forge.tokens.margaret! }
  const lines = new Lines('go', ['run', '.', 'drive'], {
    cwd: goFolder,
    env
  })
  return {
    name: `client-go ${surface.version}`,
    surface,
    close: () => lines.close(),
    call: async (key, path, values) => {
      const { service, name } = methods.get(key) ?? {}
      if (service === undefined) return { unknown: true }
      return lines.ask<Outcome>({ service, name, path, values })
    },
    upload: async (project, { filename, content }) => {
      const { service, name } = surface.operations.find(
        ({ upload, method, path }) => upload && keyOf(method, path) === 'POST /projects/{}/uploads'
      )!
      const base64 = Buffer.from(content).toString('base64')
      return lines.ask<Outcome>({ service, name, path: [project], filename, content: base64 })
    }
  }
}

/** python-gitlab. @throws Unavailable */
export async function pythonDriver(forge: Forge): Promise<Driver> {
  const { program, scripts, version } = await pythonIn('python-gitlab')
  const env = { ...process.env, FORGE_URL: forge.url, FORGE_TOKEN: forge.tokens.margaret! }
  const lines = new Lines(program, [`${scripts}drive.py`], { env })
  return {
    name: `python-gitlab ${version}`,
    close: () => lines.close(),
    call: (key, path, values) => {
      const [method, template] = key.split(' ')
      return lines.ask<Outcome>({ method, template, path, values })
    },
    upload: (project, { filename, content }) =>
      lines.ask<Outcome>({ project, filename, content: Buffer.from(content).toString('base64') })
  }
}

export { gitbeakerDriver } from './gitbeaker.ts'
