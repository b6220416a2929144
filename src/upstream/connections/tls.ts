import { constants, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import tls, { type SecureContext } from 'node:tls'
import { namedPath } from '../../config/shown.ts'

/** What a TLS connection to a forge or a proxy trusts and accepts; for undici's connectors. */
export interface TlsTrust {
  readonly ciphers?: string
  readonly secureOptions?: number
  /** Created once, because parsing the roots takes longer than a handshake. It includes the other settings. */
  readonly secureContext?: SecureContext
  readonly rejectUnauthorized?: false
}

interface TlsSettings {
  /** FORGE_CA_CERT_PATH; empty for none. */
  readonly caPath: string
  /** False for RUNTIME_TLS_REJECT_UNAUTHORIZED=0. */
  readonly verify: boolean
}

/**
 * Excludes two features with which the other side could make a handshake arbitrarily expensive: DHE with groups of its
 * own choice (one of 10,000 bits takes most of a second), and renegotiation on an open connection.
 */
const bounded = {
  ciphers: `${tls.DEFAULT_CIPHERS}:!kDHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION
} as const

const END = '-----END CERTIFICATE-----'

/** A certificate. Also matches one without its END line, as in a file that was cut short. */
const pem = new RegExp(`-----BEGIN CERTIFICATE-----[^-]*(?:${END})?`, 'g')

/**
 * Reads the certificates of the configuration and adds them to the roots that Node.js trusts.
 * @throws Error with a sentence for the operator if the file cannot be read, holds no certificate, or holds an unusable
 * one
 */
export function tlsTrust({ caPath, verify }: TlsSettings): TlsTrust {
  return {
    ...(caPath === ''
      ? bounded
      : {
          secureContext: tls.createSecureContext({
            ...bounded,
            ca: [...nodeRoots(), ...readCertificates(caPath)]
          })
        }),
    ...(!verify && { rejectUnauthorized: false as const })
  }
}

// Node before 22.15 only lists its bundled roots, without those of NODE_EXTRA_CA_CERTS and NODE_USE_SYSTEM_CA.
const nodeRoots = (): readonly string[] =>
  'getCACertificates' in tls
    ? tls.getCACertificates('default')
    : (tls as { rootCertificates: readonly string[] }).rootCertificates

/**
 * Checks whether the file of FORGE_CA_CERT_PATH can be used.
 * @returns what is wrong with the file, in a sentence for the operator; undefined if nothing is
 */
export function certificatesFault(path: string): string | undefined {
  try {
    readCertificates(path)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** How PEM is made of a file that has certificates in another form: as words behind a sentence, or nothing. */
function madeBy(bytes: Buffer): string {
  if (isUtf16(bytes)) return ', as it is written in UTF-16: save it as UTF-8'
  const command = commandFor(bytes)
  return command === undefined ? '' : `: openssl ${command} -in FILE -out ca.pem makes it`
}

const isUtf16 = (bytes: Buffer): boolean => /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2))

/** The command of OpenSSL that reads such a file, by the labels of PEM or by what the sequence of DER begins with. */
function commandFor(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1')
  if (text.includes('-----BEGIN PKCS7-----')) return 'pkcs7 -inform pem -print_certs'
  if (text.includes('-----BEGIN TRUSTED CERTIFICATE-----')) return 'x509'
  if (bytes[0] !== SEQUENCE) return undefined
  const [, length = 0] = bytes
  // A length of 128 or more stands in as many further bytes as its lower bits say.
  const within = bytes.subarray(2 + (length < 0x80 ? 0 : length & 0x7f))
  return derCommands.find(([begins]) => begins.every((byte, at) => byte === within[at]))?.[1]
}

const SEQUENCE = 0x30
/** By the first bytes within: a certificate, the type of PKCS 7, and the version of PKCS 12. */
const derCommands: readonly (readonly [begins: readonly number[], command: string])[] = [
  [[SEQUENCE], 'x509 -inform der'],
  [[0x06, 0x09], 'pkcs7 -inform der -print_certs'],
  [[0x02, 0x01, 0x03], 'pkcs12 -nokeys']
]

function readCertificates(path: string): string[] {
  const fail = (why: string) => new Error(`FORGE_CA_CERT_PATH${namedPath(path)} ${why}.`)
  if (path.startsWith('-----BEGIN'))
    throw new Error(
      'FORGE_CA_CERT_PATH must be the path of a file, and is a certificate: put that in a file.'
    )
  let bytes: Buffer
  try {
    const found = statSync(path)
    // Reading a pipe or a device may never end, and would block everything.
    bytes = found.isFile() || found.isDirectory() ? readFileSync(path) : Buffer.alloc(0)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw fail(`cannot be read (${code === 'EISDIR' ? 'a folder' : code})`)
  }
  const found = bytes.toString().match(pem) ?? []
  if (found.length === 0) throw fail(`holds no PEM certificate${madeBy(bytes)}`)
  for (const [at, certificate] of found.entries()) {
    if (!certificate.endsWith(END)) throw fail(`holds a certificate that is cut short, number ${at + 1}`)
    try {
      new X509Certificate(certificate)
    } catch {
      throw fail(`holds a certificate that cannot be parsed, number ${at + 1}`)
    }
  }
  return found
}
