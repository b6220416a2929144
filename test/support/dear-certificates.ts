import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

/*
 * Certificates that are expensive to check. OpenSSL makes no keys with exponents as long as these, so they are written
 * here (DER of X.509, RFC 5280; PKCS #1 v1.5 signatures, RFC 8017).
 */

const BITS = 3072

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const integer = (bytes: Buffer): Buffer => der(2, bytes[0]! & 0x80 ? hex('00') : Buffer.alloc(0), bytes)
const bytesOf = (value: bigint): Buffer => {
  const text = value.toString(16)
  return hex(text.padStart(text.length + (text.length % 2), '0'))
}
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let factor = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % modulus
    factor = (factor * factor) % modulus
  }
  return result
}

function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [a, b, x, y] = [value, modulus, 1n, 0n]
  while (b > 0n) {
    const times = a / b
    ;[a, b, x, y] = [b, a - times * b, y, x - times * y]
  }
  return a === 1n ? ((x % modulus) + modulus) % modulus : undefined
}

/** A key that signs fast, and whose signatures are as slow to check as possible. */
function dearKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS })
  const jwk = privateKey.export({ format: 'jwk' })
  const [n, p, q] = [jwk.n, jwk.p, jwk.q].map(part => numberOf(Buffer.from(part!, 'base64url'))) as [
    bigint,
    bigint,
    bigint
  ]
  for (;;) {
    const signs = numberOf(randomBytes(16)) | 1n
    const checks = inverse(signs, (p - 1n) * (q - 1n))
    if (checks !== undefined) return { n, signs, checks }
  }
}

const sha256WithRsa = sequence(hex('06092a864886f70d01010b'), hex('0500'))
const name = (text: string): Buffer =>
  sequence(der(0x31, sequence(hex('0603550403'), der(12, Buffer.from(text)))))
const validity = sequence(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('490101000000Z')))
const isAuthority = sequence(hex('0603551d13'), hex('0101ff'), der(4, sequence(hex('0101ff'))))
const isLocalhost = sequence(hex('0603551d11'), der(4, sequence(der(0x82, Buffer.from('localhost')))))

/**
 * A server's key and its certificate, followed by a chain of authorities, as PEM.
 * @param authorities number of authorities: each has 1.3 KB and takes about 5 ms to check
 */
export function dearChain(authorities: number): { readonly key: string; readonly cert: string } {
  const { n, signs, checks } = dearKey()
  const signed = (text: Buffer): Buffer => {
    const digest = createHash('sha256').update(text).digest()
    const info = Buffer.concat([hex('3031300d060960864801650304020105000420'), digest])
    const padded = Buffer.concat([
      hex('0001'),
      Buffer.alloc(BITS / 8 - 3 - info.length, 0xff),
      hex('00'),
      info
    ])
    const signature = bytesOf(power(numberOf(padded), signs, n))
    return Buffer.concat([Buffer.alloc(BITS / 8 - signature.length), signature])
  }
  const certificate = (subject: string, issuer: string, key: Uint8Array, extension: Uint8Array): string => {
    const text = sequence(
      der(0xa0, integer(hex('02'))),
      integer(Buffer.concat([hex('01'), randomBytes(7)])),
      ...[sha256WithRsa, name(issuer), validity, name(subject), key],
      der(0xa3, sequence(extension))
    )
    const whole = sequence(text, sha256WithRsa, der(3, hex('00'), signed(text)))
    return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`
  }
  const shared = sequence(
    sequence(hex('06092a864886f70d010101'), hex('0500')),
    der(3, hex('00'), sequence(integer(bytesOf(n)), integer(bytesOf(checks))))
  )
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const chain = Array.from({ length: authorities }, (_, at) =>
    certificate(`ca ${at}`, `ca ${Math.min(at + 1, authorities - 1)}`, shared, isAuthority)
  )
  return {
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: [
      certificate('leaf', 'ca 0', own.publicKey.export({ type: 'spki', format: 'der' }), isLocalhost),
      ...chain
    ].join('')
  }
}
