import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { holderOf } from '../base/holders.ts'
import { SharedRoom } from '../collections/shared-room.ts'
import { endCut } from './answers/last-answer.ts'
import { refuseTunnel } from './answers/refused-tunnels.ts'
import { Arrivals } from './connections/arrivals.ts'
import {
  type Connection,
  connectionOf,
  endLate,
  holdPauses,
  isStopped,
  type LateRequest,
  lateRequest,
  leaveAnswered,
  leaveBody,
  leaveCaller
} from './connections/connection.ts'
import { type ConnectionLimits, type CutReason, connectionLimits } from './connections/connection-limits.ts'
import type { ConnectionsOptions } from './connections/connections-options.ts'
import { countRead, partsOfReads } from './connections/count-reads.ts'
import { FairReads } from './connections/fair-reads.ts'
import { stopParsing, watchParser } from './connections/http-parser.ts'
import { KernelQueues } from './connections/kernel-queues.ts'
import { RequestTurns } from './connections/request-turns.ts'
import { countUnfinished, leaveUnfinished } from './connections/unfinished.ts'
import { type UnreadAnswer, UnreadAnswers } from './connections/unread-answers.ts'
import { type HeadRefusal, headBytes, takeHeads } from './requests/request-head.ts'

/**
 * Bounds the resources that callers hold through their connections, before anything is known about the callers: how
 * many connections are open, how many requests are pipelined, how many are started at once, how many bytes of answers
 * wait to be received, and how many bytes the kernel holds. A caller that exceeds a limit loses its own connections,
 * least recently used first.
 */
export class Connections {
  /** Also used by listeners beside those that this class guards. */
  readonly arrivals: Arrivals
  readonly #options: ConnectionsOptions
  readonly #limits: ConnectionLimits
  readonly #connections = new Map<Socket, Connection>()
  readonly #open: SharedRoom
  readonly #heads: SharedRoom
  readonly #unread: UnreadAnswers
  readonly #queues: KernelQueues
  readonly #reads: FairReads
  readonly #turns: RequestTurns
  /** When the server began to shut down, by the clock. */
  #leftAt: number | undefined

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#limits = options.limits ?? connectionLimits
    const onDropped = (address: string) => options.onCut?.('rate', address)
    this.arrivals = new Arrivals({ ...options, limits: this.#limits.arriving, onDropped })
    this.#open = new SharedRoom(this.#limits.open)
    this.#heads = new SharedRoom(this.#limits.heads)
    const cut = (socket: Socket, reason: CutReason) => this.#cut(socket, reason)
    this.#unread = new UnreadAnswers(this.#limits, options.now, cut)
    this.#queues = new KernelQueues({ limits: this.#limits, cut, ...options })
    this.#reads = new FairReads(this.#limits.reads)
    this.#turns = new RequestTurns(this.#limits.turns)
  }

  /** Connections that are open. */
  get size(): number {
    return this.#connections.size
  }

  /** Whether a connection is a proxy's, which carries the requests of many callers. */
  isShared(socket: Socket): boolean {
    return this.#connections.get(socket)?.place === undefined
  }

  /** The request that is late in arriving over a connection. */
  late(socket: Socket): LateRequest {
    return lateRequest(socket, this.#connections.get(socket))
  }

  /** Bytes of answers that wait to be received. */
  get unread(): number {
    return this.#unread.size
  }

  /** Bytes that the kernel held when it was last asked. */
  get queued(): number {
    return this.#queues.size
  }

  /**
   * Inserts itself before the listeners that a server has so far. They get a request when its turn has come, one at a
   * time for each connection. They never get it if its connection is cut first.
   */
  guard(server: Server): void {
    this.arrivals.guard(server)
    takeHeads(server, {
      admit: (request, response, begin) =>
        this.#at(request.socket, () => this.#admit(request, response, begin)),
      refuse: (response, refusal) => this.#refuse(response, refusal)
    })
    server.on('connect', (request, stream) => {
      const socket = stream as Socket
      this.#at(socket, () => refuseTunnel(request, socket, this.#options))
    })
    server.on('connection', socket => this.#at(socket, () => this.#add(socket)))
    server.on('clientError', (_error, socket) => {
      this.#at(socket as Socket, () => this.#connections.get(socket as Socket)?.reads?.came())
      // If there are other listeners, Node leaves it to them to close the connection.
      if (server.listenerCount('clientError') === 1) socket.destroy()
    })
  }

  /** As RequestTurns.part, for the caller who gets the answer. */
  nextPart(response: ServerResponse): Promise<void> {
    return this.#turns.part(this.#callerOf(response))
  }

  /** As RequestTurns.body. */
  bodyTurn(request: IncomingMessage): Promise<void> | undefined {
    return this.#turns.body(this.#connections.get(request.socket))
  }

  /** As RequestTurns.work. */
  workTurn(request: IncomingMessage): Promise<void> {
    return this.#turns.work(this.#connections.get(request.socket))
  }

  /** As RequestTurns.whole, for the caller who gets the answer. */
  wholeAnswer(response: ServerResponse): Promise<void> {
    return this.#turns.whole(this.#callerOf(response))
  }

  /** The caller whose turns an answer uses. All requests whose callers have gone share one. */
  #callerOf(response: ServerResponse): string {
    return this.#connections.get(response.req.socket)?.waiting.get(response)?.caller ?? ''
  }

  /** Counts a part that waits for the rest of its answer, like an answer that waits to be received. */
  partMade(response: ServerResponse, bytes: number): void {
    const unread = this.#answerOf(response)
    if (unread !== undefined) this.#unread.partMade(unread, bytes)
  }

  /** Counts an answer that is about to be sent. */
  answer(response: ServerResponse, bytes: number): void {
    const unread = this.#answerOf(response)
    if (unread !== undefined) this.#unread.give(unread, bytes)
  }

  /** From now on, the body of the request is counted elsewhere, including what has already arrived. */
  bodyCounted(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket)
    const waiting = connection?.waiting.get(response)
    if (connection !== undefined && waiting !== undefined) leaveBody(connection, waiting)
  }

  /** @returns undefined once the answer is received, or its connection is cut */
  #answerOf(response: ServerResponse): UnreadAnswer | undefined {
    const { socket } = response.req
    const waiting = this.#connections.get(socket)?.waiting.get(response)
    if (waiting === undefined) return undefined
    waiting.unread ??= this.#unread.begin(waiting.caller, socket)
    return waiting.unread
  }

  /**
   * Cuts connections on which too much of an answer waits to be received, or waits for too long. To be called about
   * twice a second.
   */
  sweep(): void {
    if (this.#leftAt !== undefined)
      endLate(this.#connections.values(), this.#options.now(), this.#leftAt, this.#limits)
    this.arrivals.sweep()
    this.#unread.sweep()
    this.#queues.look()?.catch(this.#options.onFault)
  }

  /** To be called when the server has stopped listening: connections on which no request arrives soon are closed. */
  leave(): void {
    this.#leftAt = this.#options.now()
    this.arrivals.leave()
  }

  #add(socket: Socket): void {
    const { remoteAddress } = socket
    // The connection was reset before it was accepted: its data could not be counted for anybody.
    if (remoteAddress === undefined) return void socket.destroy()
    const holder = this.#options.isProxy(remoteAddress) ? undefined : holderOf(remoteAddress)
    const place =
      holder === undefined ? undefined : this.#open.take(holder, 1, () => this.#cut(socket, 'crowded'))
    const connection = connectionOf(socket, place)
    if (holder !== undefined) connection.reads = this.#reads.add(holder, connection.reader)
    this.#connections.set(socket, connection)
    this.#queues.add(socket, holder, () => isStopped(connection))
    const takeHead = (bytes: number) =>
      holder === undefined ? undefined : this.#heads.take(holder, bytes, () => this.#cut(socket, 'heads'))
    const onRead = (bytes: number) =>
      this.#at(socket, () => {
        countUnfinished(connection, bytes, takeHead)
        countRead(connection, bytes, this.#reads)
      })
    const onCrumbs = () => this.#cut(socket, 'crumbs')
    watchParser(socket, { ...partsOfReads(connection, this.#limits.pieces, onCrumbs), onRead })
    holdPauses(socket)
    socket.once('end', () => this.#at(socket, () => connection.reads?.came()))
    socket.once('close', () => {
      this.#connections.delete(socket)
      place?.leave()
      connection.head?.leave()
      leaveUnfinished(connection)
      connection.reads?.leave()
    })
  }

  #admit(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(request.socket)
    // The connection was cut while data that it had already sent was still being read.
    if (connection === undefined || connection.socket.destroyed) return
    const { body, place, read, socket, waiting } = connection
    body.bytes = 0
    body.pieces = 0
    read.begins = true
    connection.request = request
    connection.requests++
    connection.requestedAt = this.#options.now()
    connection.address = this.#options.callerOf(request)
    const caller = holderOf(connection.address)
    leaveUnfinished(connection)
    const head = this.#heads.take(caller, headBytes(request), () => this.#cut(socket, 'heads'))
    connection.head = head
    if (socket.destroyed) return
    body.of = { caller, head, bodyBytes: 0, begin, isWhole: false, unread: undefined }
    waiting.set(response, body.of)
    if (place === undefined) {
      leaveCaller(connection)
      connection.coming = { request, caller }
    }
    response.once('close', () => this.#at(socket, () => this.#answered(connection, response)))
    place?.touch()
    connection.reads?.came()
    if (waiting.size > this.#limits.pipelined) this.#cut(socket, 'pipelined')
    // Deferred until everything that arrived with the request is known: beyond a limit, the connection is cut before
    // work starts.
    else if (waiting.size === 1) setImmediate(() => this.#beginNext(connection))
  }

  /**
   * Refuses a request. A body that is still to come is read and discarded. Closing before that would reset the
   * connection, and a proxy may then take this server to be down.
   */
  #refuse(response: ServerResponse, refusal: HeadRefusal): void {
    const { status, headers } = refusal
    this.answer(response, 0)
    this.#options.onRefused?.(refusal, this.#options.callerOf(response.req))
    response.writeHead(status, { 'content-length': 0, ...headers }).end()
  }

  #answered(connection: Connection, response: ServerResponse): void {
    const { unread } = leaveAnswered(connection, response)
    if (unread !== undefined) this.#unread.end(unread)
    this.#beginNext(connection)
  }

  #beginNext(connection: Connection): void {
    this.#turns.begin(connection, begin => this.#at(connection.socket, begin))
  }

  /** Runs work for a connection and catches its errors: uncaught, they would end the process. */
  #at(socket: Socket, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onFault(error)
      socket.destroy()
    }
  }

  #cut(socket: Socket, reason: CutReason): void {
    if (socket.destroyed && !this.#queues.keeps(socket)) return
    this.#options.onCut?.(reason, this.#addressOf(socket))
    if (!endCut(this.#connections.get(socket), reason)) this.#queues.reset(socket)
    stopParsing(socket)
  }

  /** The address of the caller. On a proxy's connection, that of the caller whose answer has waited the longest. */
  #addressOf(socket: Socket): string | undefined {
    const connection = this.#connections.get(socket)
    const [oldest] = connection?.waiting.keys() ?? []
    const address = oldest === undefined ? connection?.address : this.#options.callerOf(oldest.req)
    return address ?? socket.remoteAddress
  }
}
