import { readFileSync } from 'node:fs'

/** The version in package.json, which is one level above the source and two above the build. */
export function packageVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'))
      if (name === 'forge-tool-server') return version
    } catch {
      // not there: look one level higher
    }
  }
  return '0.0.0'
}

/** What every request of this service, to a forge or elsewhere, says that it is from (User-Agent, RFC 9110). */
export const userAgent = (): string => `forge-tool-server/${packageVersion()}`
