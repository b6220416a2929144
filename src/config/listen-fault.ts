import { isIPv4 } from 'node:net'
import { isHarmless } from './shown.ts'

/** An address to listen on, and the names of the variables that set it. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly variable: 'PORT' | 'METRICS_PORT'
}

/**
 * Explains why listening failed, with an error that names the variable to change; other errors are returned unchanged.
 */
export function listenFault(error: unknown, { host, port, variable }: ListenAddress): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const says = words(code, host, port, variable)
  return says === undefined ? error : Object.assign(new Error(says, { cause: error }), { code })
}

function words(code: string, host: string, port: number, variable: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken by another program: end that, or set ${variable} to another port.`
    case 'EACCES':
      return `port ${port} is not for this user: set ${variable} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${isHarmless(host) ? `${JSON.stringify(host)}, which is ` : ''}no address of this machine: set it to one alone, without a scheme, brackets or a port, such as ${isIPv4(host) ? '::1' : '127.0.0.1'}, or :: for all.`
  }
  return undefined
}
