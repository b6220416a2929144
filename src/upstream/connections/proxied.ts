import { withoutBrackets } from '../../base/host-names.ts'

/**
 * Whether NO_PROXY excludes a host, by the rules of undici.
 * @param host with its port, unless it is the default
 */
export function isLeftOut(host: string, no: string): boolean {
  const { hostname, port } = /^(?<hostname>.*?)(?::(?<port>\d+))?$/.exec(host.toLowerCase())!.groups!
  const asked = bare(hostname!)
  return no
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(entry => entry !== '')
    .some(entry => {
      const [, name = entry, only] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
      if (only !== undefined && only !== port) return false
      const domain = bare(name.replace(/^\*?\./, ''))
      return domain === '*' || (!name.startsWith('*') && asked === domain) || asked.endsWith(`.${domain}`)
    })
}

/** Without the brackets of an IPv6 address, or the dot at the end of a name. */
const bare = (name: string): string => withoutBrackets(name).replace(/(.)\.$/, '$1')
