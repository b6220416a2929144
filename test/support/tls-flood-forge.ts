import { createCipheriv, createHmac } from 'node:crypto'
import { createServer } from 'node:net'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'

/*
 * A program of its own: a forge that answers a request over TLS 1.3 with endless session tickets, key updates,
 * unreadable records, or records of one byte. No library sends those, so the records are sealed here (RFC 8446,
 * sections 4.6, 5.2, 7).
 */

export type Flood = 'tickets' | 'keys' | 'broken records' | 'bytes'

const DATA = 0x17
const HANDSHAKE = 0x16

const expand = (secret: Buffer, label: string, length: number): Buffer => {
  const name = Buffer.from(`tls13 ${label}`)
  const info = Buffer.from([0, length, name.length, ...name, 0, 1])
  return createHmac('sha256', secret).update(info).digest().subarray(0, length)
}

class Records {
  #secret: Buffer = Buffer.alloc(0)
  #key: Buffer = Buffer.alloc(0)
  #iv: Buffer = Buffer.alloc(0)
  #number = 0

  constructor(secret: Buffer) {
    this.#sealWith(secret)
  }

  seal(type: number, content: Buffer): Buffer {
    const nonce = Buffer.from(this.#iv)
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#number++) >>> 0, 8)
    const head = Buffer.from([DATA, 3, 3, 0, 0])
    head.writeUInt16BE(content.length + 17, 3)
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(head)
    return Buffer.concat([
      head,
      cipher.update(Buffer.concat([content, Buffer.from([type])])),
      cipher.final(),
      cipher.getAuthTag()
    ])
  }

  newKey(): Buffer {
    const record = this.seal(HANDSHAKE, Buffer.from([24, 0, 0, 1, 0]))
    this.#sealWith(expand(this.#secret, 'traffic upd', 32))
    return record
  }

  #sealWith(secret: Buffer): void {
    this.#secret = secret
    this.#key = expand(secret, 'key', 16)
    this.#iv = expand(secret, 'iv', 12)
    this.#number = 0
  }
}

const tickets = Buffer.concat(
  Array(900).fill(Buffer.from([4, 0, 0, 14, 0, 0, 28, 32, 1, 2, 3, 4, 0, 0, 1, 7, 0, 0]))
)

const floods: Readonly<Record<Flood, (records: Records) => Buffer>> = {
  tickets: records => records.seal(HANDSHAKE, tickets),
  keys: records => Buffer.concat(Array.from({ length: 200 }, () => records.newKey())),
  'broken records': () => Buffer.from([DATA, 3, 3, 64, 0, ...new Uint8Array(16_384)]),
  bytes: records => Buffer.concat(Array.from({ length: 700 }, () => records.seal(DATA, Buffer.from(' '))))
}

const answerOf = (length: number, content: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${content}`
  )

/**
 * The part of a large answer that precedes the flood; the answer is as large as those that wait for a turn. After a
 * complete answer the client keeps the connection.
 */
const begun = (records: Records): Buffer =>
  Buffer.concat([
    records.seal(DATA, answerOf(9_000_000, '')),
    ...Array.from({ length: 17 }, () => records.seal(DATA, Buffer.alloc(16_000, ' ')))
  ])
const whole = (records: Records): Buffer => records.seal(DATA, answerOf(15, '{"name":"main"}'))

const { key, cert, flood, answers } = JSON.parse(await text(process.stdin)) as Record<
  'key' | 'cert',
  string
> & {
  flood: Flood
  /** Whether the forge answers the request before the flood. */
  answers: boolean
}

const server = createServer(raw => {
  let isFlooding = false
  const between = new Duplex({
    read() {},
    // After the request, the TLS socket's own writes are dropped: its session tickets would use up record numbers.
    write: (chunk, _encoding, done) => (isFlooding ? done() : void raw.write(chunk, done))
  })
  raw.on('data', chunk => between.push(chunk))
  raw.on('error', () => {}).on('close', () => between.destroy())
  const secure = new TLSSocket(between, {
    isServer: true,
    key,
    cert,
    minVersion: 'TLSv1.3',
    ciphers: 'TLS_AES_128_GCM_SHA256'
  } as never)
  let secret = Buffer.alloc(32)
  secure.on('keylog', line => {
    const found = /^SERVER_TRAFFIC_SECRET_0 \w+ (\w+)/.exec(String(line))
    if (found !== null) secret = Buffer.from(found[1]!, 'hex')
  })
  secure.on('error', () => {})
  secure.once('data', () => {
    isFlooding = true
    const records = new Records(secret)
    if (answers) raw.write(flood === 'bytes' ? begun(records) : whole(records))
    const more = () => {
      if (raw.destroyed) return
      if (raw.write(floods[flood](records))) setImmediate(more)
      else raw.once('drain', more)
    }
    more()
  })
})
server.listen(0, '127.0.0.3', () => console.log((server.address() as { port: number }).port))
