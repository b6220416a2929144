import { TLSSocket } from 'node:tls'
import { DAY_MS } from '../base/units.ts'
import type { Config } from '../config/schema.ts'
import type { ForgeError } from '../upstream/errors.ts'
import { adviceOn } from '../upstream/guard/trouble-advice.ts'
import { ForbiddenAddressError, isOfTranslator } from '../upstream/hosts/addresses.ts'
import { type CheckName, type Finding, found, inDays } from './finding.ts'
import type { Connected, Probe } from './probe.ts'

/** Days before its expiry from which a certificate is reported. */
const SOON_DAYS = 14

/** The step of the connection that a fault belongs to. */
const stepOf: Readonly<Record<string, CheckName>> = {
  dns: 'name',
  proxy: 'proxy',
  tls: 'certificate',
  unreachable: 'connection',
  timeout: 'connection'
}

/** The proxy that may have answered in place of the forge. A proxy that opens a tunnel cannot. */
export const mayAnswer = (home: URL, config: Config, { connected }: Probe): string | undefined =>
  home.protocol === 'http:' ? proxyOf(config, connected, undefined) : undefined

/** Extends the advice if a proxy may have answered. */
export const orProxy = (advice: string | undefined, proxy: string | undefined): string | undefined =>
  proxy === undefined
    ? advice
    : `Look at what the proxy ${proxy} allows, which may have answered in its place, and at NO_PROXY. ${advice ?? ''}`.trimEnd()

/** Milliseconds from which on a name lookup is reported as slow. */
const SLOW_LOOKUP_MS = 1_000

/**
 * What a request has shown about the way to a forge: its name, a proxy, the connection, its certificate.
 * @param lookupMs milliseconds that the lookup of its name took
 */
export function wayFindings(
  home: URL,
  config: Config,
  probe: Probe,
  now: number,
  lookupMs: number
): Finding[] {
  const { connected, fault } = probe
  const failed = fault && stepOf[fault.fault]
  const forge = connected.find(({ host }) => host === home.host)
  const through = proxyOf(config, connected, failed)
  const findings: Finding[] = []
  const proxy = mayAnswer(home, config, probe)
  const fail = ({ fault, message, cause }: ForgeError) =>
    findings.push(
      found('fail', failed!, message, orProxy(adviceHere(config, adviceOn(fault, cause), message), proxy))
    )

  if (failed === 'name') return [nameFinding(home, fault!)]
  const address = through === undefined ? forge?.socket.remoteAddress : undefined
  findings.push(
    through === undefined
      ? foundName(`${home.hostname} is found${address === undefined ? '' : `: ${address}`}.`, lookupMs)
      : found('skip', 'name', `${home.hostname} is for the proxy to find.`)
  )
  if (failed === 'proxy') {
    fail(fault!)
    return findings
  }
  findings.push(
    through === undefined
      ? found('ok', 'proxy', 'none is on the way.')
      : found(
          'ok',
          'proxy',
          `${through} ${proxy === undefined ? 'connects to the forge' : 'is asked for it'}.`
        )
  )
  if (failed === 'connection') {
    fail(fault!)
    return findings
  }
  findings.push(found('ok', 'connection', `${home.host} answers.`))
  if (failed === 'certificate') fail(fault!)
  else findings.push(certificateFinding(home, config, forge, now))
  return findings
}

/** Codes of OpenSSL for a certificate whose authority is not trusted. */
const unknownAuthority =
  /UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT/

/** The advice, preceded by a sentence that the configured file is not the one that the advice means. */
const adviceHere = (config: Config, advice: string | undefined, message: string): string | undefined =>
  config.FORGE_CA_CERT_PATH !== '' && unknownAuthority.test(message)
    ? `The file of FORGE_CA_CERT_PATH lacks the authority that signed the certificate. ${advice ?? ''}`.trimEnd()
    : advice

const foundName = (says: string, ms: number): Finding =>
  ms < SLOW_LOOKUP_MS
    ? found('ok', 'name', says)
    : found(
        'warn',
        'name',
        `${says} It took ${(ms / 1000).toFixed(1)} s to look it up.`,
        'A name server is slow or does not answer: see which ones this machine asks, in which order (/etc/resolv.conf), and what they do about names in its search list.'
      )

function nameFinding({ hostname }: URL, { message, cause }: ForgeError): Finding {
  if (!(cause instanceof ForbiddenAddressError)) return found('fail', 'name', message, adviceOn('dns', cause))
  const { address } = cause
  return found(
    'fail',
    'name',
    address === hostname ? message : `${hostname} is found: ${address}. ${message}`,
    isOfTranslator(address)
      ? 'It is the address of a translator (NAT64), which stands for any of IPv4: set HTTPS_PROXY to a proxy that reaches the forge (HTTP_PROXY for a forge over http), or give the forge an address of IPv6.'
      : 'Link-local, metadata and reserved addresses are never asked.'
  )
}

/** The host of the proxy in use, without the user name and password for it. */
function proxyOf(
  config: Config,
  connected: readonly Connected[],
  failed: CheckName | undefined
): string | undefined {
  const proxies = [config.HTTPS_PROXY, config.HTTP_PROXY]
    .filter(url => url !== '')
    .map(url => new URL(url).host)
  if (failed === 'proxy') return proxies[0]
  return proxies.find(proxy => connected.some(({ host }) => host === proxy))
}

function certificateFinding(home: URL, config: Config, forge: Connected | undefined, now: number): Finding {
  if (home.protocol === 'http:')
    return found(
      'warn',
      'certificate',
      'the forge is asked over plain http: tokens can be read on the way.',
      'Use https.'
    )
  if (config.RUNTIME_TLS_REJECT_UNAUTHORIZED === '0')
    return found(
      'warn',
      'certificate',
      'it is not checked (RUNTIME_TLS_REJECT_UNAUTHORIZED=0).',
      'Name its authority in FORGE_CA_CERT_PATH instead.'
    )
  if (!(forge?.socket instanceof TLSSocket))
    return found('skip', 'certificate', 'there was no connection with one.')
  if (!forge.socket.authorized)
    return found(
      'warn',
      'certificate',
      'it is not trusted, and taken all the same, by NODE_TLS_REJECT_UNAUTHORIZED=0 of Node.js.',
      'Name its authority in FORGE_CA_CERT_PATH instead.'
    )
  const { issuer, valid_to: until } = forge.socket.getPeerCertificate()
  const by = [issuer?.O ?? issuer?.CN].flat()[0] ?? 'somebody'
  const days = Math.floor((Date.parse(until) - now) / DAY_MS)
  const says = `it is trusted, signed by ${JSON.stringify(by)}, and valid for ${inDays(days)}.`
  return days < SOON_DAYS
    ? found('warn', 'certificate', says, 'Have it renewed.')
    : found('ok', 'certificate', says)
}
