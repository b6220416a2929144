import type { Test } from 'tap'
import { type Forge, type ForgeOptions, startForge } from '../forge/index.ts'

/** An answer with its body read; `data` is loose because tests look into records of every kind. */
interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
  data: any
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>
) => Promise<Answer>

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Starts a sandbox with sample data, closed when the test ends; `as(name)` sends with that person's token. */
export const sandbox = async (
  t: Test,
  options: ForgeOptions = {}
): Promise<{ forge: Forge; as(name: string): Send }> => {
  const forge = await startForge({ sample: true, ...options })
  t.teardown(() => forge.close())
  const as =
    (name: string): Send =>
    async (method, path, body, headers = {}) => {
      const credential = name === 'job' ? 'job-token' : 'private-token'
      const response = await fetch(forge.apiUrl + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(forge.tokens[name] ? { [credential]: forge.tokens[name] } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, headers: response.headers, data: read(await response.text()) }
    }
  return { forge, as }
}
