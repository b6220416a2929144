import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SharedRoom } from '../shared-room.ts'
import { holderOf } from './address.ts'
import { PIECE_BYTES } from './bodies.ts'
import { type Connection, connectionOf, holdPauses, leaveCaller } from './connection.ts'
import { type ConnectionLimits, type CutReason, connectionLimits } from './connection-limits.ts'
import { FairReads } from './fair-reads.ts'
import { FairTurns } from './fair-turns.ts'
import { stopParsing, watchParser } from './http-parser.ts'
import { hasTooManyHeaders, headBytes, MOST_HEADERS } from './request-head.ts'
import { type UnreadAnswer, UnreadAnswers } from './unread-answers.ts'

export interface ConnectionsOptions {
  /** Whether an address is that of a proxy, which speaks for many. */
  readonly isProxy: (address: string) => boolean
  /** The address of the caller, which is behind the connection's when that is a proxy's. */
  readonly callerOf: (request: IncomingMessage) => string | undefined
  /** @param address of the caller, as far as it is known */
  readonly onCut?: (reason: CutReason, address: string | undefined) => void
  /** Told of a defect of ours, met at a connection: that one ends by it, and the process does not. */
  readonly onFault: (error: unknown) => void
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Default connectionLimits. */
  readonly limits?: ConnectionLimits
}

/** Pieces of bodies that take as long to read as a request. */
const PIECES_OF_REQUEST = 100

/** Microseconds or so that it takes to read anything, a piece of a body, and so many bytes of whatever it is. */
const workOf = (pieces: number, bytes: number): number => 10 + pieces + bytes / 640

/**
 * Bounds what callers hold by their connections alone, before anything is known of them: how many there are, how
 * many requests are sent ahead, how many are begun at once, and how much of what they asked for they leave to this
 * process to keep. Whoever goes too far loses connections of its own, the one used last as the last.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #limits: ConnectionLimits
  readonly #connections = new Map<Socket, Connection>()
  readonly #open: SharedRoom
  readonly #heads: SharedRoom
  readonly #unread: UnreadAnswers
  readonly #reads: FairReads
  readonly #turns: FairTurns
  /** To put a large answer together and write it takes milliseconds. */
  readonly #large = new FairTurns(1, undefined, 1)
  /** On the clock. */
  #leftAt: number | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#limits = options.limits ?? connectionLimits
    this.#open = new SharedRoom(this.#limits.open)
    this.#heads = new SharedRoom(this.#limits.heads)
    this.#unread = new UnreadAnswers(this.#limits, options.now, (socket, why) => this.#cut(socket, why))
    this.#reads = new FairReads(this.#limits.reads)
    this.#turns = new FairTurns(this.#limits.turns)
  }

  /** Connections that are open. */
  get size(): number {
    return this.#connections.size
  }

  /** Bytes of answers that wait to be taken. */
  get unread(): number {
    return this.#unread.size
  }

  /**
   * Stands before the listeners that a server has by now. They get a request when its turn has come, one of a
   * connection at a time; never, when its connection is cut before.
   */
  guard(server: Server): void {
    const listeners = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    // Node would answer these by itself, as many as are sent, and they would count for nobody.
    Object.assign(server, { requireHostHeader: false })
    // Of more it keeps none, also while they come.
    server.maxHeadersCount = MOST_HEADERS + 1
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      this.#at(request.socket, () => this.#admit(request, response, () => this.#refuse(response, 417)))
    )
    server.on('connection', socket => this.#at(socket, () => this.#add(socket)))
    server.on('clientError', (_error, socket) => {
      this.#at(socket as Socket, () => this.#connections.get(socket as Socket)?.reads?.came())
      // Where anybody listens, Node leaves it to them.
      if (server.listenerCount('clientError') === 1) socket.destroy()
    })
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      if (hasTooManyHeaders(request)) return this.#refuse(response, 431)
      if (request.httpVersion === '1.1' && request.headers.host === undefined)
        return this.#refuse(response, 400)
      for (const listener of listeners) listener.call(server, request, response)
    }
    server.on('request', (request, response) =>
      this.#at(request.socket, () => this.#admit(request, response, () => begin(request, response)))
    )
  }

  /** Comes back when the next part of an answer may be made: a part is as much work as a request. */
  nextPart(response: ServerResponse): Promise<void> {
    return this.#turns.next(this.#callerOf(response))
  }

  /** Comes back when a large answer of many parts may be put together: one in a turn of the event loop, callers in turns. */
  wholeAnswer(response: ServerResponse): Promise<void> {
    return this.#large.next(this.#callerOf(response))
  }

  /** Where its caller has gone, what is left of it takes turns with what is left of others. */
  #callerOf(response: ServerResponse): string {
    return this.#connections.get(response.req.socket)?.waiting.get(response)?.caller ?? ''
  }

  /** Takes note of a part that waits for the rest: a caller leaves it here as it does an answer. */
  partMade(response: ServerResponse, bytes: number): void {
    const unread = this.#answerOf(response)
    if (unread !== undefined) this.#unread.partMade(unread, bytes)
  }

  /** Takes note of an answer that is about to be given. */
  answer(response: ServerResponse, bytes: number): void {
    const unread = this.#answerOf(response)
    if (unread !== undefined) this.#unread.give(unread, bytes)
  }

  /** What has come of its body, and what comes, is counted elsewhere from now on. */
  bodyCounted(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket)
    const waiting = connection?.waiting.get(response)
    if (connection === undefined || waiting === undefined) return
    waiting.head.grow(-waiting.bodyBytes)
    waiting.bodyBytes = 0
    if (connection.body.of === waiting) connection.body.of = undefined
  }

  /** @returns undefined once it is taken, or its connection is cut */
  #answerOf(response: ServerResponse): UnreadAnswer | undefined {
    const { socket } = response.req
    const waiting = this.#connections.get(socket)?.waiting.get(response)
    if (waiting === undefined) return undefined
    waiting.unread ??= this.#unread.begin(waiting.caller, socket)
    return waiting.unread
  }

  /** Cuts the connections that have left an answer where it is for too long. To be called every second or so. */
  sweep(): void {
    this.#endSilent()
    this.#unread.sweep()
  }

  /** The server listens no more: who does not ask soon gets no answer, and is not waited for. */
  leave(): void {
    this.#leftAt = this.#options.now()
  }

  /** Node itself looks after late requests no more once its server closes. */
  #endSilent(): void {
    const ms = this.#leftAt === undefined ? 0 : this.#options.now() - this.#leftAt
    // What came with a connection that was taken last is not read yet: it would be reset, and the request lost.
    if (ms < this.#limits.silentMs) return
    for (const { socket, waiting } of this.#connections.values())
      if (ms < this.#limits.headersMs ? socket.bytesRead === 0 : waiting.size === 0) socket.destroy()
  }

  #add(socket: Socket): void {
    const { remoteAddress } = socket
    // Reset before it was taken: what it has sent would count for nobody.
    if (remoteAddress === undefined) return void socket.destroy()
    const holder = this.#options.isProxy(remoteAddress) ? undefined : holderOf(remoteAddress)
    const place =
      holder === undefined ? undefined : this.#open.take(holder, 1, () => this.#cut(socket, 'crowded'))
    const connection = connectionOf(socket, place)
    const { body, read } = connection
    if (holder !== undefined) connection.reads = this.#reads.add(holder, connection.reader)
    this.#connections.set(socket, connection)
    watchParser(socket, {
      onPiece: bytes => {
        read.pieces++
        body.pieces++
        body.bytes += bytes
        const { most, bytesEach } = this.#limits.pieces
        if (body.pieces > most + body.bytes / bytesEach) return this.#cut(socket, 'crumbs')
        if (body.of === undefined) return
        body.of.bodyBytes += bytes + PIECE_BYTES
        body.of.head.grow(bytes + PIECE_BYTES)
      },
      onRead: bytes => this.#at(socket, () => this.#count(connection, bytes))
    })
    holdPauses(socket)
    socket.once('end', () => this.#at(socket, () => connection.reads?.came()))
    socket.once('close', () => {
      this.#connections.delete(socket)
      place?.leave()
      connection.reads?.leave()
    })
  }

  /** All that was there to be read of a connection has been. */
  #count(connection: Connection, bytes: number): void {
    const { coming, read, reader } = connection
    // What comes over a connection of a proxy is its callers', one after the other.
    if (coming?.request.complete === false) connection.reads ??= this.#reads.add(coming.caller, reader)
    const cost = Math.floor(read.pieces / PIECES_OF_REQUEST)
    // A request has come by itself.
    connection.reads?.came(read.begins ? cost : Math.max(1, cost), workOf(read.pieces, bytes))
    if (coming?.request.complete) leaveCaller(connection)
    read.pieces = 0
    read.begins = false
  }

  #admit(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(request.socket)
    // Cut while more of what it had sent was still being read.
    if (connection === undefined || connection.socket.destroyed) return
    const { body, place, read, socket, waiting } = connection
    body.bytes = 0
    body.pieces = 0
    read.begins = true
    connection.request = request
    const caller = holderOf(this.#options.callerOf(request))
    const head = this.#heads.take(caller, headBytes(request), () => this.#cut(socket, 'heads'))
    if (socket.destroyed) return
    body.of = { caller, head, bodyBytes: 0, begin, unread: undefined }
    waiting.set(response, body.of)
    if (place === undefined) {
      leaveCaller(connection)
      connection.coming = { request, caller }
    }
    response.once('close', () => this.#at(socket, () => this.#answered(connection, response)))
    place?.touch()
    connection.reads?.came()
    if (waiting.size > this.#limits.pipelined) this.#cut(socket, 'pipelined')
    // Not before all that came with it is known: what is cut for it was never begun.
    else if (waiting.size === 1) setImmediate(() => this.#beginNext(connection))
  }

  #refuse(response: ServerResponse, status: number): void {
    this.answer(response, 0)
    response.writeHead(status, { connection: 'close' }).end()
  }

  #answered(connection: Connection, response: ServerResponse): void {
    const { head, unread } = connection.waiting.get(response) ?? {}
    connection.waiting.delete(response)
    head?.leave()
    if (unread !== undefined) this.#unread.end(unread)
    this.#beginNext(connection)
  }

  #beginNext({ socket, waiting }: Connection): void {
    const [next] = waiting.values()
    const begin = next?.begin
    if (next === undefined || begin === undefined || socket.destroyed) return
    next.begin = undefined
    this.#turns.run(next.caller, () => !socket.destroyed && this.#at(socket, begin))
  }

  /** Nobody else catches what a listener of a connection throws, and the process would end by it. */
  #at(socket: Socket, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onFault(error)
      socket.destroy()
    }
  }

  #cut(socket: Socket, reason: CutReason): void {
    if (socket.destroyed) return
    this.#options.onCut?.(reason, this.#addressOf(socket))
    socket.destroy()
    stopParsing(socket)
  }

  /** Over a connection of a proxy that of the caller whose answer has waited longest. */
  #addressOf(socket: Socket): string | undefined {
    const connection = this.#connections.get(socket)
    const [oldest] = connection?.waiting.keys() ?? []
    const request = oldest?.req ?? connection?.request
    return (request && this.#options.callerOf(request)) ?? socket.remoteAddress
  }
}
