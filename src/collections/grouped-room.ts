import { type RoomLimits, type RoomPlace, SharedRoom } from './shared-room.ts'

/**
 * A room shared in two stages: first by groups, and in each of them by its holders. If there is too little room, the
 * biggest holder of the biggest group loses its oldest place, so that a group takes no more by having many holders.
 */
export class GroupedRoom {
  /** What each group holds; the limits are kept here. */
  readonly #groups = new SharedRoom({})
  readonly #holders = new Map<string, SharedRoom>()
  /** An empty one, to be used again: a group often has one place, and comes and goes with it. */
  #spare: SharedRoom | undefined
  readonly #all: number
  readonly #each: RoomLimits

  /** @param limits `each` is for one holder in its group; a group alone may fill the room */
  constructor({ all = Number.POSITIVE_INFINITY, ...each }: RoomLimits) {
    this.#all = all
    this.#each = each
  }

  /** The sum of everything held. */
  get size(): number {
    return this.#groups.size
  }

  /** The number of groups that hold something. */
  get groups(): number {
    return this.#holders.size
  }

  /**
   * Puts something into the room.
   * @param name of its holder, within the group
   * @param onLost as in SharedRoom.take
   */
  take(group: string, name: string, size: number, onLost: () => void): RoomPlace {
    const holders = this.#holdersOf(group)
    const ofGroup = this.#groups.take(group, size, nothing)
    // Dropped by whoever leaves, like that of a place in a SharedRoom.
    let lost: (() => void) | undefined = onLost
    const ofHolder = holders.take(name, size, () => {
      const call = lost
      leave()
      call?.()
    })
    const leave = () => {
      lost = undefined
      ofHolder.leave()
      ofGroup.leave()
      if (holders.holders === 0) this.#forget(group, holders)
    }
    this.#fit()
    const grow = (by: number) => {
      ofHolder.grow(by)
      ofGroup.grow(by)
      this.#fit()
    }
    return { grow, touch: () => ofHolder.touch(), leave }
  }

  #holdersOf(group: string): SharedRoom {
    let holders = this.#holders.get(group)
    if (holders === undefined) {
      holders = this.#spare ?? new SharedRoom(this.#each)
      this.#spare = undefined
      this.#holders.set(group, holders)
    }
    return holders
  }

  /** A place may leave again when its room is another's. */
  #forget(group: string, holders: SharedRoom): void {
    if (this.#holders.get(group) !== holders) return
    this.#holders.delete(group)
    this.#spare = holders
  }

  #fit(): void {
    while (this.size > this.#all) this.#holders.get(this.#groups.biggest!)!.dropOne()
  }
}

const nothing = () => {}
